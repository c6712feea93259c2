import { request as httpRequest } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterTest } from '../../../cleanup.ts';
import { callerOf, type McpSession, newMcpClient } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';

export const mcpUrl = (base: string): URL => new URL('/mcp', base);

export async function connectOverHttp(
  url: URL,
  headers: Record<string, string>,
  after: typeof afterTest = afterTest,
): Promise<McpSession> {
  const client = newMcpClient({ elicitation: { form: {} } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  after(() => client.close());
  return { client, call: callerOf(client), stderr: () => '' };
}

export const rpcRequest = (method: string, params: unknown = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export const toolCallRequest = (name: string, args: unknown, more: object = {}) =>
  rpcRequest('tools/call', { name, arguments: args, ...more });

export const INITIALIZE_REQUEST = rpcRequest('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

export interface McpHttpRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export interface McpHttpResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  readonly body: Json;
}

/** Sets every header, Host included, which fetch and the SDK do not allow. */
export function postMcp(
  url: URL,
  { method = 'POST', headers = {}, body }: McpHttpRequest,
): Promise<McpHttpResponse> {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const common = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers: { ...common, ...headers }, agent: false },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        incoming.once('error', reject).once('end', () => {
          const { statusCode = 0, headers: responseHeaders } = incoming;
          const isJson = text !== '' && /json/.test(responseHeaders['content-type'] ?? '');
          resolve({
            status: statusCode,
            headers: responseHeaders,
            text,
            body: isJson ? JSON.parse(text) : null,
          });
        });
      },
    );
    request.once('error', reject).end(content);
  });
}

export const sseMessages = (text: string): Json[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(/^event: message\ndata: (.*)$/.exec(event)![1]!));

export interface Round {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

/** One round of a call in revision 2026-07-28, by a client with forms. */
export function postRound(
  { base }: RestService,
  key: string,
  name: string,
  args: unknown,
  round: Round = {},
): Promise<McpHttpResponse> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  return postMcp(mcpUrl(base), {
    headers: {
      'x-api-key': key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: toolCallRequest(name, args, { _meta, ...round }),
  });
}

export const answer = (name: string, value: unknown) => ({
  [name]: { action: 'accept', content: { [name]: value } },
});

/** The result of a round that ended with a question. */
export function questionOf({ body }: McpHttpResponse): Json {
  if (body.result?.resultType !== 'input_required')
    throw new Error(`No question: ${JSON.stringify(body)}`);
  return body.result;
}

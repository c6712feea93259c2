import type { Json } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';
import { type McpHttpResponse, mcpUrl, postMcp, toolCallRequest } from './mcp-http-client.ts';

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

export const answer = (name: string, value: unknown) => ({ [name]: { action: 'accept', content: { [name]: value } } });

/** The result of a round that ended with a question. */
export function questionOf({ body }: McpHttpResponse): Json {
  if (body.result?.resultType !== 'input_required') throw new Error(`No question: ${JSON.stringify(body)}`);
  return body.result;
}

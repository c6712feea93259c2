import type { HttpCall } from './http-connection.ts';

const NEWER_REVISION = '2026-07-28';

interface McpMessage {
  readonly method: string;
  /** A tool, for the header that names it. */
  readonly name?: string;
  readonly params: object;
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': NEWER_REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const COMMON = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const rpcText = (method: string, params: object): string => {
  const message = { jsonrpc: '2.0', id: 1, method, params };
  return JSON.stringify(message);
};

/** Messages of the era that begins with `initialize`; over HTTP each message stands alone. */
export const earlierEraPost = ({ method, params }: McpMessage): HttpCall => ({
  method: 'POST',
  headers: COMMON,
  body: rpcText(method, params),
});

export const newerEraPost = ({ method, name, params }: McpMessage): HttpCall => ({
  method: 'POST',
  headers: {
    ...COMMON,
    'mcp-protocol-version': NEWER_REVISION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  },
  body: rpcText(method, { _meta: ENVELOPE, ...params }),
});

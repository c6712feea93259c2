import { beforeAll, describe, expect, it } from 'vitest';
import { connectForFile, serverArguments } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { startRawServer } from '../../raw-server.ts';
import { sharedRestService } from '../../rest-service.ts';
import { mcpUrl, postMcp, rpcRequest } from '../http/mcp-http-client.ts';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const PROMPT = { type: 'ref/prompt', name: 'none' };

/** What the error says of each request. */
const MALFORMED: readonly (readonly [method: string, params: object, message: string])[] = [
  ['tools/call', {}, 'The tool is missing'],
  ['tools/call', { name: 5 }, 'There is no tool "5"'],
  ['prompts/get', {}, 'The prompt is missing'],
  ['prompts/get', { name: 5 }, 'There is no prompt "5"'],
  ['resources/read', { uri: 5 }, 'There is no resource "5"'],
  ['completion/complete', { ref: 5, argument: 5 }, 'There is no prompt "5"'],
  [
    'completion/complete',
    { ref: PROMPT, argument: { name: 'module', value: 'N' } },
    'There is no prompt "none"',
  ],
  ['tools/list', { cursor: 'x' }, 'No list has the cursor "x". Ask again without one'],
  ['prompts/list', { cursor: 5 }, 'No list has the cursor "5". Ask again without one'],
];

const service = sharedRestService();
let key: string;
beforeAll(async () => {
  key = await service().newKey();
});

async function overStdio(method: string, params: object): Promise<Json> {
  const raw = startRawServer(serverArguments(service().db, {}));
  return raw.answer(raw.send(method, { ...params, _meta: ENVELOPE }));
}

const overHttp = async (method: string, params: object, meta: object | null): Promise<Json> => {
  const revision = meta === null ? '2025-11-25' : '2026-07-28';
  const name = (params as Json).name ?? (params as Json).uri;
  const { body } = await postMcp(mcpUrl(service().base), {
    headers: {
      'x-api-key': key,
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': String(name) }),
    },
    body: rpcRequest(method, meta === null ? params : { ...params, _meta: meta }),
  });
  return body;
};

describe.each(MALFORMED)('%s with %j', (method, params, message) => {
  const refusal = { error: { code: -32602, message } };

  it('is refused in words over standard input', async () => {
    expect(await overStdio(method, params)).toMatchObject(refusal);
  });

  it('is refused in words over HTTP with an earlier revision', async () => {
    expect(await overHttp(method, params, null)).toMatchObject(refusal);
  });
});

it('arguments of a prompt that are no texts are read as texts', async () => {
  const { client } = await connectForFile(serverArguments(service().db, {}));
  const args = { module: 5 } as unknown as Record<string, string>;
  const { messages } = await client.getPrompt({ name: 'irrigation_review', arguments: args });
  expect(JSON.stringify(messages[0])).toContain('\\"5\\"');
});

import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../../../cleanup.ts';
import { connectForFile, serverArguments } from '../../mcp-session.ts';
import type { Json } from '../../program.ts';
import { type RawServer, startRawServer } from '../../raw-server.ts';
import { sharedRestService } from '../../rest-service.ts';
import { INITIALIZE_REQUEST, mcpUrl, postMcp, rpcRequest } from '../http/mcp-http-client.ts';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const PROMPT = { type: 'ref/prompt', name: 'none' };

/** The error of each request. */
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
  ['skills/get', { uri: 5 }, expect.stringContaining('There is no skill "5"')],
];

const service = sharedRestService();
let key: string;
let inNewerEra: RawServer;
beforeAll(async () => {
  key = await service().newKey();
  inNewerEra = startRawServer(serverArguments(service().db, {}), { after: afterFile });
});

const overStdio = (method: string, params: object): Promise<Json> =>
  inNewerEra.answer(inNewerEra.send(method, { ...params, _meta: ENVELOPE }));

const overHttp = async (method: string, params: object, meta: object | null): Promise<Json> => {
  const revision = meta === null ? '2025-11-25' : '2026-07-28';
  const name = (params as Json).name ?? (params as Json).uri;
  const { body } = await postMcp(mcpUrl(service().base), {
    headers: {
      'x-api-key': key,
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
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

describe.each([
  [undefined, 'params'],
  [{ protocolVersion: 5 }, 'params.protocolVersion, params.capabilities, params.clientInfo'],
  [
    {
      protocolVersion: '2025-11-25',
      capabilities: { extensions: 5 },
      clientInfo: { name: 'a', version: '1' },
    },
    'params.capabilities.extensions',
  ],
])('initialize with %j', (params, fields) => {
  const message = `Missing or malformed: ${fields}. Nothing was done`;
  const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };

  it('is refused in words over standard input, and may be sent again', async () => {
    const raw = startRawServer(serverArguments(service().db, {}));
    raw.write(`${JSON.stringify(request)}\n`);
    expect(await raw.answer(1)).toMatchObject({ error: { code: -32602, message } });
    raw.write(`${JSON.stringify({ ...INITIALIZE_REQUEST, id: 2 })}\n`);
    expect((await raw.answer(2)).result.protocolVersion).toBe('2025-11-25');
  });

  it('is refused in words over HTTP', async () => {
    const url = mcpUrl(service().base);
    const { body } = await postMcp(url, { headers: { 'x-api-key': key }, body: request });
    expect(body.error).toMatchObject({ code: -32602, message });
  });
});

it('an envelope with malformed capabilities is refused in words on both transports', async () => {
  const meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': 'none' };
  const raw = startRawServer(serverArguments(service().db, {}));
  const answers = [
    await raw.answer(raw.send('tools/list', { _meta: meta })),
    await overHttp('tools/list', {}, meta),
  ];
  for (const { error } of answers)
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/clientCapabilities in _meta must be an object/),
    });
});

describe('over standard input, a request that is no request of JSON-RPC', () => {
  it.each<[string, object | string]>([
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [1] }],
    ['_meta that is text', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: 'x' } }],
    ['no text as method', { jsonrpc: '2.0', id: 1, method: 5 }],
    [
      'others in a list',
      [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: 2 },
      ],
    ],
  ])('with %s is refused, because its sender would wait', async (_, message) => {
    const raw = startRawServer(serverArguments(service().db, {}));
    raw.write(`${JSON.stringify(message)}\n`);
    const { error } = await raw.answer(1);
    expect([error.code, error.message]).toEqual([
      -32600,
      expect.stringContaining('nothing was done. Send'),
    ]);
    raw.write(`${JSON.stringify({ ...INITIALIZE_REQUEST, id: 3 })}\n`);
    expect((await raw.answer(3)).result.serverInfo.name).toBe('acequia');
  });
});

it('arguments of a prompt that are no texts are read as texts', async () => {
  const { client } = await connectForFile(serverArguments(service().db, {}));
  const args = { module: 5 } as unknown as Record<string, string>;
  const { messages } = await client.getPrompt({ name: 'irrigation_review', arguments: args });
  expect(JSON.stringify(messages[0])).toContain('\\"5\\"');
});

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { SPOKEN_REVISIONS } from '../../../src/mcp/protocol.ts';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { connectForFile, serverArguments } from '../mcp-session.ts';
import { BINARY, type Json } from '../program.ts';
import { startRawServer } from '../raw-server.ts';
import { countWaterings } from '../rest/raw-requests.ts';
import { sharedRestService } from '../rest-service.ts';
import { connectOverHttp, mcpUrl, postMcp } from './http/mcp-http-client.ts';

const REVISION = '2026-07-28';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};

const service = sharedRestService();
let headers: Record<string, string>;
beforeAll(async () => {
  headers = { authorization: `Bearer ${await service().newKey()}` };
});

const overStdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...serverArguments(service().db, {})],
    env: getDefaultEnvironment(),
    stderr: 'ignore',
  });
const overHttp = () =>
  new StreamableHTTPClientTransport(mcpUrl(service().base), { requestInit: { headers } });

const listsOf = async (
  client: Pick<Client, 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates'>,
) => ({
  tools: (await client.listTools()).tools,
  prompts: (await client.listPrompts()).prompts,
  resources: (await client.listResources()).resources,
  templates: (await client.listResourceTemplates()).resourceTemplates,
});

describe.each([
  ['standard input', overStdio],
  ['HTTP', overHttp],
])('a client of the newer era over %s', (name, transport) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client(
      { name: 'newer', version: '1' },
      { versionNegotiation: { mode: { pin: REVISION } } },
    );
    await client.connect(transport());
    afterFile(() => client.close());
  });

  it('finds the same tools, prompts and resources as one of the earlier era, over either transport', async () => {
    const earlier =
      name === 'HTTP'
        ? await connectForFile(serverArguments(service().db, {}))
        : await connectOverHttp(mcpUrl(service().base), headers);
    expect(await listsOf(client)).toEqual(await listsOf(earlier.client as unknown as Client));
  });

  it('shows people a short title, and finds the tool by the words of three languages', async () => {
    const { tools } = await client.listTools();
    const { title, _meta } = tools.find((tool) => tool.name === 'log_watering')!;
    expect(title).toBe('Log a watering');
    expect(_meta?.['anthropic/alwaysLoad']).toBe(true);
    for (const words of ['I watered', 'j’ai arrosé', 'regué'])
      expect(_meta?.['anthropic/searchHint']).toContain(words);
  });

  it('may cache the lists for five minutes, but no resource', async () => {
    expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    const company = await client.readResource({ uri: 'acequia://company' });
    expect(company).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it('logs a watering once, gets pictures, resources and prompts, and errors with what to do', async () => {
    const watering = { name: 'log_watering', arguments: { ...WATERING, idempotencyKey: name } };
    const logged: Json = await client.callTool(watering);
    const again: Json = await client.callTool(watering);
    expect(again.structuredContent.event).toEqual(logged.structuredContent.event);
    expect(again._meta['acequia/replayed']).toBe(true);
    const chart: Json = await client.callTool({
      name: 'chart_moisture',
      arguments: { module: 'North 1' },
    });
    expect(chart.content.map(({ type }: Json) => type)).toEqual(['text', 'image']);
    const refused: Json = await client.callTool({
      name: 'log_watering',
      arguments: { ...WATERING, module: 'Moon' },
    });
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'acequia/error': { hint: expect.any(String) } },
    });
    const { messages } = await client.getPrompt({ name: 'irrigation_review', arguments: {} });
    expect(messages.length).toBeGreaterThan(0);
    await expect(client.readResource({ uri: 'acequia://moon' })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe('standard input', () => {
  const identityIn = ({ result }: Json): Json => result._meta['io.modelcontextprotocol/serverInfo'];
  const begin = (id: number, method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });

  it('names its revisions, discovers with icons, and then serves a client that begins with initialize all the same', async () => {
    const raw = startRawServer(serverArguments(service().db, {}));
    // Neither can be named in an envelope before the connection has begun.
    for (const requested of ['2099-01-01', '2025-06-18']) {
      const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': requested };
      const { error } = await raw.answer(raw.send('server/discover', { _meta }));
      expect(error).toMatchObject({
        code: -32022,
        data: { supported: SPOKEN_REVISIONS, requested },
      });
    }
    const discovered = await raw.answer(raw.send('server/discover', { _meta: ENVELOPE }));
    expect(discovered.result).toMatchObject({
      supportedVersions: [REVISION],
      resultType: 'complete',
    });
    expect(identityIn(discovered).icons.map(({ mimeType }: Json) => mimeType)).toEqual([
      'image/svg+xml',
      'image/png',
    ]);
    const clientInfo = { name: 'x', version: '1' };
    const initialized = await raw.answer(
      raw.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    );
    expect(initialized.result.protocolVersion).toBe('2025-11-25');
    expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
  });

  it('answers what is in progress when the input ends, and survives damaged lines', async () => {
    const raw = startRawServer(serverArguments(await newBaseFarm(), {}));
    raw.write('{"jsonrpc":"2.0","id":1,\n');
    const call = begin(2, 'tools/call', {
      name: 'log_watering',
      arguments: WATERING,
      _meta: ENVELOPE,
    });
    raw.write(`${JSON.stringify(call)}\n${JSON.stringify({ ...call, id: 3, method: 'ping' })}\n`);
    raw.child.stdin.end();
    const exit = await raw.ended;
    expect(exit).toMatchObject({ code: 0 });
    const byId = new Map(raw.messages.map((message) => [message.id, message]));
    expect(byId.get(2).result.structuredContent.event.durationMin).toBe(45);
    // The icons come where the server is discovered.
    expect(identityIn(byId.get(2))).toEqual({
      name: 'acequia',
      title: 'Acequia',
      version: expect.any(String),
    });
    // The newer era has no ping.
    expect(byId.get(3).error.code).toBe(-32601);
  });
});

describe('HTTP', () => {
  it.each([
    ['a header that names another method', { 'mcp-method': 'tools/list' }, -32020],
    ['a header that names another tool', { 'mcp-name': 'undo' }, -32020],
    ['no header with the method', { 'mcp-method': undefined }, -32020],
    ['no header with the version', { 'mcp-protocol-version': undefined }, -32020],
  ])('refuses a call with %s, and writes nothing', async (_, changed, code) => {
    const before = await countWaterings(service().db);
    const sent = Object.entries({
      ...headers,
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': 'log_watering',
      ...changed,
    }).filter(([, value]) => value !== undefined) as [string, string][];
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'log_watering', arguments: WATERING, _meta: ENVELOPE },
    };
    const refused = await postMcp(mcpUrl(service().base), {
      headers: Object.fromEntries(sent),
      body,
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, code]);
    expect(await countWaterings(service().db)).toBe(before);
  });
});

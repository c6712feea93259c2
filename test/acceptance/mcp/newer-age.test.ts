import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { connectStdio, serverArguments } from '../mcp-session.ts';
import { BINARY, type Json } from '../program.ts';
import { startRawServer } from '../raw-server.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';
import { mcpUrl, postMcp } from './http/mcp-http-client.ts';

const REVISION = '2026-07-28';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};

const newClient = (): Client =>
  new Client({ name: 'newer', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });

async function connectNewerStdio(db: string): Promise<Client> {
  const client = newClient();
  const args = [BINARY, ...serverArguments(db, {})];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: getDefaultEnvironment(), stderr: 'ignore' }),
  );
  afterTest(() => client.close());
  return client;
}

async function serveWithKey(db: string): Promise<{ url: URL; headers: Record<string, string> }> {
  const { key } = await createTestKey(db, '--preset', 'everything');
  const { base } = await serveStoreForTest(db);
  return { url: mcpUrl(base), headers: { authorization: `Bearer ${key}` } };
}

async function connectNewerHttp(db: string): Promise<Client> {
  const { url, headers } = await serveWithKey(db);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  afterTest(() => client.close());
  return client;
}

describe.each([
  ['standard input', connectNewerStdio],
  ['HTTP', connectNewerHttp],
])('a client of the newer age over %s', (_, connect) => {
  it('finds the same tools, prompts and resources as one of the earlier age', async () => {
    const db = await newBaseFarm();
    const newer = await connect(db);
    const { client: earlier } = await connectStdio(db);
    const listed = async (client: typeof newer | typeof earlier) => ({
      tools: (await client.listTools()).tools,
      prompts: (await client.listPrompts()).prompts,
      resources: (await client.listResources()).resources,
      templates: (await client.listResourceTemplates()).resourceTemplates,
    });
    expect(await listed(newer)).toEqual(await listed(earlier));
  });

  it('may keep the lists for minutes, and reads what is measured anew', async () => {
    const client = await connect(await newBaseFarm());
    expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    const company = await client.readResource({ uri: 'acequia://company' });
    expect(company).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it('logs a watering once, gets pictures, resources and prompts, and errors with what to do', async () => {
    const client = await connect(await newBaseFarm());
    const logged: Json = await client.callTool({
      name: 'log_watering',
      arguments: { ...WATERING, idempotencyKey: 'a' },
    });
    const again: Json = await client.callTool({
      name: 'log_watering',
      arguments: { ...WATERING, idempotencyKey: 'a' },
    });
    expect(again.structuredContent.event).toEqual(logged.structuredContent.event);
    expect(again._meta['acequia/replayed']).toBe(true);
    const chart: Json = await client.callTool({ name: 'chart_moisture', arguments: { module: 'North 1' } });
    expect(chart.content.map(({ type }: Json) => type)).toEqual(['text', 'image']);
    const refused: Json = await client.callTool({ name: 'log_watering', arguments: { ...WATERING, module: 'Moon' } });
    expect(refused).toMatchObject({ isError: true, _meta: { 'acequia/error': { hint: expect.any(String) } } });
    const { messages } = await client.getPrompt({ name: 'irrigation_review', arguments: {} });
    expect(messages.length).toBeGreaterThan(0);
    await expect(client.readResource({ uri: 'acequia://moon' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('standard input', () => {
  const begin = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

  it('serves a client that discovers the server and then begins with initialize all the same', async () => {
    const raw = startRawServer(serverArguments(await newBaseFarm(), {}));
    const discovered = await raw.answer(raw.send('server/discover', { _meta: ENVELOPE }));
    expect(discovered.result).toMatchObject({ supportedVersions: [REVISION], resultType: 'complete' });
    const initialized = await raw.answer(
      raw.send('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
    );
    expect(initialized.result.protocolVersion).toBe('2025-11-25');
    expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
  });

  it('answers what is in progress when the input ends, and survives damaged lines', async () => {
    const raw = startRawServer(serverArguments(await newBaseFarm(), {}));
    raw.write('{"jsonrpc":"2.0","id":1,\n');
    const call = begin(2, 'tools/call', { name: 'log_watering', arguments: WATERING, _meta: ENVELOPE });
    raw.write(`${JSON.stringify(call)}\n${JSON.stringify({ ...call, id: 3, method: 'ping' })}\n`);
    raw.child.stdin.end();
    const exit = await raw.ended;
    expect(exit).toMatchObject({ code: 0 });
    const byId = new Map(raw.messages().map((message) => [message.id, message]));
    expect(byId.get(2).result.structuredContent.event.durationMin).toBe(45);
    // The newer age has no ping.
    expect(byId.get(3).error.code).toBe(-32601);
  });

  it('refuses a revision that it does not know, and names those that it does', async () => {
    const raw = startRawServer(serverArguments(await newBaseFarm(), {}));
    // Neither can be named in an envelope before the connection has begun.
    for (const requested of ['2099-01-01', '2025-06-18']) {
      const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': requested };
      const { error } = await raw.answer(raw.send('server/discover', { _meta }));
      expect(error).toMatchObject({ code: -32022, data: { supported: [REVISION], requested } });
    }
  });
});

describe('HTTP', () => {
  it.each([
    ['a header that names another method', { 'mcp-method': 'tools/list' }, -32020],
    ['a header that names another tool', { 'mcp-name': 'undo' }, -32020],
    ['no header with the method', { 'mcp-method': undefined }, -32020],
    ['no header with the version', { 'mcp-protocol-version': undefined }, -32020],
  ])('refuses a call with %s, and writes nothing', async (_, changed, code) => {
    const { url, headers } = await serveWithKey(await newBaseFarm());
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
    const refused = await postMcp(url, { headers: Object.fromEntries(sent), body });
    expect([refused.status, refused.body.error.code]).toEqual([400, code]);
    const right = {
      ...headers,
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': 'list_waterings',
    };
    const list = { ...body, params: { name: 'list_waterings', arguments: {}, _meta: ENVELOPE } };
    const { body: listed } = await postMcp(url, { headers: right, body: list });
    expect(listed.result.structuredContent.data).toEqual([]);
  });
});

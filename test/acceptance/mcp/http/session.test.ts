import { describe, expect, it } from 'vitest';
import { operations } from '../../../../tools/index.ts';
import { newBaseFarm } from '../../../base-farm.ts';
import { bodyOf, connectStdio, firstText, type McpSession, refusalOf } from '../../mcp-session.ts';
import { CLOCK, type Json, runProgram } from '../../program.ts';
import { countWaterings } from '../../rest/raw-requests.ts';
import {
  createTestKey,
  type RestService,
  serveStoreForTest,
  sharedRestService,
  startRestService,
} from '../../rest-service.ts';
import { connectOverHttp, mcpUrl, postMcp, rpcRequest } from './mcp-http-client.ts';

const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };

interface HttpMcpService {
  readonly served: RestService;
  readonly key: string;
  readonly posted: McpSession;
}

const shared = sharedRestService('--lang', 'en');

const startHttpMcpService = async (...options: string[]): Promise<HttpMcpService> =>
  connectTo(options.length === 0 ? shared() : await startRestService('--lang', 'en', ...options));

async function connectTo(served: RestService): Promise<HttpMcpService> {
  const key = await served.newKey();
  return { served, key, posted: await connectOverHttp(mcpUrl(served.base), { 'x-api-key': key }) };
}

const names = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('a client of MCP over HTTP', () => {
  it('is told of tools, prompts, resources and completion, and neither of subscriptions nor of a session', async () => {
    const { posted, served } = await startHttpMcpService();
    const { logging: _, ...capabilities } = posted.client.getServerCapabilities()!;
    expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    expect(posted.client.getInstructions()).toContain('Never guess a probe');
    expect(posted.client.transport?.sessionId).toBeUndefined();
    const uri = 'acequia://alerts/firing';
    const { body } = await postMcp(mcpUrl(served.base), {
      headers: { 'x-api-key': await served.newKey() },
      body: rpcRequest('resources/subscribe', { uri }),
    });
    expect(body.error.code).toBe(-32601);
  });

  it('is listed exactly what the same key is listed on standard input and output', async () => {
    const { served, posted } = await startHttpMcpService();
    const near = await connectStdio(served.db, { lang: 'en' });
    expect(await posted.client.listTools()).toEqual(await near.client.listTools());
    expect(await posted.client.listPrompts()).toEqual(await near.client.listPrompts());
    expect(await posted.client.listResources()).toEqual(await near.client.listResources());
    expect(await posted.client.listResourceTemplates()).toEqual(await near.client.listResourceTemplates());
  });

  it('is not listed what the scopes of its key never allow, and is told why when it calls it', async () => {
    const served = shared();
    const key = await served.newKey('--scopes', 'readings:read');
    const posted = await connectOverHttp(mcpUrl(served.base), { authorization: `Bearer ${key}` });
    const allowed = operations.filter(({ scope }) => scope === 'readings:read').map(({ name }) => name);
    expect(await names(posted)).toEqual(allowed.sort());
    const { resources } = await posted.client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain('acequia://company');
    expect(refusalOf(await posted.call('log_watering', WATERING))).toMatchObject({ code: 'insufficient_scope' });
    await expect(posted.client.readResource({ uri: 'acequia://company' })).rejects.toThrow('insufficient_scope');
  });

  it('writes with the source mcp, whatever surface its key was made for', async () => {
    const { posted } = await startHttpMcpService();
    const answer = await posted.call('log_watering', WATERING);
    expect(bodyOf(answer).event).toMatchObject({ source: 'mcp', waterMm: 2.4 });
    expect(firstText(answer)).toContain('North 1');
  });

  it('has a write under an idempotency key done once', async () => {
    const { posted, served } = await connectTo(await startRestService());
    const first = await posted.call('log_watering', { ...WATERING, idempotencyKey: 'this morning' });
    const again = await posted.call('log_watering', { ...WATERING, idempotencyKey: 'this morning' });
    expect(bodyOf(again)).toEqual(bodyOf(first));
    expect(again._meta).toEqual({ 'acequia/replayed': true });
    expect(await countWaterings(served.db)).toBe(1);
  });

  it('reads resources, fills prompts and has names completed', async () => {
    const { posted } = await startHttpMcpService();
    const { client } = posted;
    const { contents } = await client.readResource({ uri: 'acequia://modules/North%201/irrigation' });
    expect(JSON.parse((contents[0] as { text: string }).text).installation.flowMmPerH).toBe(3.2);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    const [{ name = '' } = {}] = prompts;
    expect((await client.getPrompt({ name })).messages).toHaveLength(1);
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'module', value: 'nor' } });
    expect(completion.values).toEqual(['North 1', 'North 2']);
  });

  it('has a name that can mean several things refused, since nobody can be asked', async () => {
    const { posted } = await startHttpMcpService();
    expect(refusalOf(await posted.call('log_watering', { ...WATERING, module: 'North' }))).toMatchObject({
      code: 'AMBIGUOUS_NAME',
      field: 'module',
    });
  });

  it('is sent pictures', async () => {
    const { posted } = await startHttpMcpService();
    const [, picture] = (await posted.call('chart_moisture', { module: 'North 1' })).content as Json[];
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
  });

  it('whose key is revoked has no further answer', async () => {
    const served = shared();
    const { id, key } = await createTestKey(served.db);
    const posted = await connectOverHttp(mcpUrl(served.base), { 'x-api-key': key });
    bodyOf(await posted.call('get_company'));
    await runProgram('keys', 'revoke', String(id), '--db', served.db);
    await expect(posted.call('get_company')).rejects.toThrow('No valid API key was given');
  });
});

describe('acequia serve', () => {
  it('with --read-only offers and does over MCP nothing that writes, and leaves REST to its keys', async () => {
    const { served, key, posted } = await startHttpMcpService('--read-only');
    const reads = operations.filter(({ effect }) => effect === 'read').map(({ name }) => name);
    expect(await names(posted)).toEqual(reads.sort());
    expect(refusalOf(await posted.call('log_watering', WATERING)).message).toContain('--read-only');
    const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
    expect((await served.request('POST', '/modules/1/irrigation/events', { key, body })).status).toBe(201);
  });

  it('with --toolsets offers over MCP those alone', async () => {
    const { posted } = await startHttpMcpService('--toolsets', 'soil');
    const soil = operations.filter(({ toolset }) => toolset === 'soil').map(({ name }) => name);
    expect(await names(posted)).toEqual(soil.sort());
    expect(posted.client.getInstructions()).toContain('Only these toolsets are available: soil.');
  });

  it('logs a message under the id that its answer has, without the key', async () => {
    const served = await serveStoreForTest(await newBaseFarm(), '--clock', CLOCK, '--log-level', 'info');
    const key = await served.newKey();
    const answer = await postMcp(mcpUrl(served.base), { headers: { 'x-api-key': key }, body: rpcRequest('ping') });
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await expect.poll(served.log).toContain(answer.headers['x-request-id']);
    expect(served.log()).not.toContain(key);
  });
});

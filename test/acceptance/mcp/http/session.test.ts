import { describe, expect, it } from 'vitest';
import { operations } from '../../../../tools/index.ts';
import { connectStdio, type McpSession, refusalOf } from '../../mcp-session.ts';
import { type RestService, sharedRestService, startRestService } from '../../rest-service.ts';
import { connectOverHttp, mcpUrl, postMcp, rpcRequest } from './mcp-http-client.ts';

const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };

interface HttpMcpService {
  readonly served: RestService;
  readonly key: string;
  readonly posted: McpSession;
}

const shared = sharedRestService('--lang', 'en');

async function startHttpMcpService(...options: string[]): Promise<HttpMcpService> {
  const served = options.length === 0 ? shared() : await startRestService('--lang', 'en', ...options);
  const key = await served.newKey();
  return { served, key, posted: await connectOverHttp(mcpUrl(served.base), { 'x-api-key': key }) };
}

const names = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('a client of MCP over HTTP', () => {
  it('learns the capabilities, which include neither subscriptions nor a session', async () => {
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

  it('has the same lists as over stdio', async () => {
    const { served, posted } = await startHttpMcpService();
    const near = await connectStdio(served.db, { lang: 'en' });
    expect(await posted.client.listTools()).toEqual(await near.client.listTools());
    expect(await posted.client.listPrompts()).toEqual(await near.client.listPrompts());
    expect(await posted.client.listResources()).toEqual(await near.client.listResources());
    expect(await posted.client.listResourceTemplates()).toEqual(await near.client.listResourceTemplates());
  });

  it('has only what the scopes of its key allow', async () => {
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

  it('reads resources, fills prompts and completes names', async () => {
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

  it('has an ambiguous name refused, because there are no forms', async () => {
    const { posted } = await startHttpMcpService();
    expect(refusalOf(await posted.call('log_watering', { ...WATERING, module: 'North' }))).toMatchObject({
      code: 'AMBIGUOUS_NAME',
      field: 'module',
    });
  });
});

describe('acequia serve', () => {
  it('with --read-only has no writes over MCP, but over REST', async () => {
    const { served, key, posted } = await startHttpMcpService('--read-only');
    const reads = operations.filter(({ effect }) => effect === 'read').map(({ name }) => name);
    expect(await names(posted)).toEqual(reads.sort());
    expect(refusalOf(await posted.call('log_watering', WATERING)).message).toContain('--read-only');
    const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
    expect((await served.request('POST', '/modules/1/irrigation/events', { key, body })).status).toBe(201);
  });

  it('with --toolsets has only those over MCP', async () => {
    const { posted } = await startHttpMcpService('--toolsets', 'soil');
    const soil = operations.filter(({ toolset }) => toolset === 'soil').map(({ name }) => name);
    expect(await names(posted)).toEqual(soil.sort());
    expect(posted.client.getInstructions()).toContain('Only these toolsets are available: soil.');
  });
});

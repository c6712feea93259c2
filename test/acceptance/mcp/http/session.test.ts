import { describe, expect, it } from 'vitest';
import { tools } from '../../../../tools/index.ts';
import { type McpSession, refusalOf } from '../../mcp-session.ts';
import { type RestService, sharedRestService, startRestService } from '../../rest-service.ts';
import { connectOverHttp, mcpUrl, postMcp, rpcRequest } from './mcp-http-client.ts';

const WATERING = {
  module: 'North 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 45,
};

interface HttpMcpService {
  readonly service: RestService;
  readonly key: string;
  readonly httpSession: McpSession;
}

const shared = sharedRestService();

async function startHttpMcpService(...options: string[]): Promise<HttpMcpService> {
  const service = options.length === 0 ? shared() : await startRestService(...options);
  const key = await service.newKey();
  return {
    service,
    key,
    httpSession: await connectOverHttp(mcpUrl(service.base), { 'x-api-key': key }),
  };
}

const names = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

describe('a client of MCP over HTTP', () => {
  it('gets capabilities without subscriptions, and a session that says that it shows forms', async () => {
    const { httpSession, service } = await startHttpMcpService();
    const { logging: _, ...capabilities } = httpSession.client.getServerCapabilities()!;
    expect(capabilities).toEqual({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    });
    expect(httpSession.client.getInstructions()).toContain('Never guess a probe');
    expect(httpSession.client.transport?.sessionId).toMatch(/^forms-/);
    const uri = 'acequia://alerts/firing';
    const { body } = await postMcp(mcpUrl(service.base), {
      headers: { 'x-api-key': await service.newKey() },
      body: rpcRequest('resources/subscribe', { uri }),
    });
    expect(body.error.code).toBe(-32601);
  });

  it('has only what the scopes of its key allow', async () => {
    const service = shared();
    const key = await service.newKey('--scopes', 'readings:read');
    const httpSession = await connectOverHttp(mcpUrl(service.base), {
      authorization: `Bearer ${key}`,
    });
    const allowed = tools.filter(({ scope }) => scope === 'readings:read').map(({ name }) => name);
    expect(await names(httpSession)).toEqual(allowed.sort());
    const { resources } = await httpSession.client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain('acequia://company');
    expect(refusalOf(await httpSession.call('log_watering', WATERING))).toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(httpSession.client.readResource({ uri: 'acequia://company' })).rejects.toThrow(
      'insufficient_scope',
    );
  });

  it('reads resources, fills prompts and completes names', async () => {
    const { httpSession } = await startHttpMcpService();
    const { client } = httpSession;
    const { contents } = await client.readResource({
      uri: 'acequia://modules/North%201/irrigation',
    });
    expect(JSON.parse((contents[0] as { text: string }).text).installation.flowMmPerH).toBe(3.2);
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    const [{ name = '' } = {}] = prompts;
    expect((await client.getPrompt({ name })).messages).toHaveLength(1);
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await client.complete({
      ref,
      argument: { name: 'module', value: 'nor' },
    });
    expect(completion.values).toEqual(['North 1', 'North 2']);
  });

  it('has an ambiguous name refused, because it cannot elicit', async () => {
    const { httpSession } = await startHttpMcpService();
    expect(
      refusalOf(await httpSession.call('log_watering', { ...WATERING, module: 'North' })),
    ).toMatchObject({
      code: 'AMBIGUOUS_NAME',
      field: 'module',
    });
  });
});

it('acequia serve with --read-only and --toolsets offers less over MCP, but all over REST', async () => {
  const { service, key, httpSession } = await startHttpMcpService(
    '--read-only',
    '--toolsets',
    'irrigation,soil',
  );
  const isOffered = ({ effect, toolset }: (typeof tools)[number]) =>
    effect === 'read' && ['irrigation', 'soil'].includes(toolset);
  expect(await names(httpSession)).toEqual(
    tools
      .filter(isOffered)
      .map(({ name }) => name)
      .sort(),
  );
  expect(refusalOf(await httpSession.call('log_watering', WATERING)).hint).toContain('--read-only');
  expect(httpSession.client.getInstructions()).toContain(
    'Only these toolsets are available: irrigation, soil.',
  );
  const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
  expect(
    (await service.request('POST', '/modules/1/irrigation/events', { key, body })).status,
  ).toBe(201);
});

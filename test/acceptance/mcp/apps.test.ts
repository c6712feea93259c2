import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { appTools, tools } from '../../../tools/index.ts';
import { afterFile } from '../../cleanup.ts';
import { isDeepRun } from '../../property-runs.ts';
import { firstText } from '../mcp-session.ts';
import { CLOCK, type Json, REPOSITORY } from '../program.ts';
import { type RestService, serveStoreForFile, serveStoreForTest } from '../rest-service.ts';
import {
  connectAppHttp,
  connectAppStdio,
  ERAS,
  type Era,
  farmWithReadingsForFile,
  RENDERS_APPS,
} from './app-clients.ts';
import { INITIALIZE_REQUEST, mcpUrl, postMcp, rpcRequest } from './http/mcp-http-client.ts';

const dist = (name: string): Promise<string> => readFile(join(REPOSITORY, 'dist', name), 'utf8');
const catalog: Json = JSON.parse(await dist('catalog.json'));
const page: Json = JSON.parse(await dist('page.json'));
const PAGE_URI = `ui://acequia/page@${page.hash}`;

let service: RestService;
beforeAll(async () => {
  service = await serveStoreForFile(await farmWithReadingsForFile(), '--clock', CLOCK);
});

const TRANSPORTS = ['standard input', 'HTTP'] as const;
type TransportName = (typeof TRANSPORTS)[number];

const clients = new Map<string, Promise<Client>>();

async function newClient(
  transport: TransportName,
  era: Era,
  rendersApps: boolean,
): Promise<Client> {
  const options = { era, rendersApps };
  const client = await (transport === 'HTTP'
    ? connectAppHttp(service, options)
    : connectAppStdio(service.db, options));
  afterFile(() => client.close());
  return client;
}

/** The same client for all tests of the file. */
function connect(transport: TransportName, era: Era, rendersApps = true): Promise<Client> {
  const name = `${transport}, ${era}, ${rendersApps}`;
  const client = clients.get(name) ?? newClient(transport, era, rendersApps);
  clients.set(name, client);
  return client;
}

const call = async (
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Json> => client.callTool({ name, arguments: args });

const names = (each: readonly { readonly name: string }[]): string[] =>
  each.map(({ name }) => name);

const COMBINATIONS: readonly (readonly [TransportName, Era])[] = isDeepRun
  ? TRANSPORTS.flatMap((transport) => ERAS.map((era) => [transport, era] as const))
  : [
      ['standard input', 'earlier'],
      ['HTTP', 'newer'],
    ];

describe.each(COMBINATIONS)('over %s, in the %s era,', (transport, era) => {
  it('a client that renders apps finds the tools that open the page, and its page', async () => {
    const client = await connect(transport, era);
    const { tools: listed } = await client.listTools();
    expect(names(listed)).toEqual([...names(tools), ...names(appTools)]);
    for (const name of ['show_farm', 'show_moisture'])
      expect(listed.find((each) => each.name === name)?._meta).toMatchObject({
        ui: { resourceUri: PAGE_URI },
        'ui/resourceUri': PAGE_URI,
      });
    const { resources } = await client.listResources();
    expect(resources.at(-1)).toMatchObject({
      uri: PAGE_URI,
      mimeType: 'text/html;profile=mcp-app',
    });
    const { contents } = await client.readResource({ uri: PAGE_URI });
    expect(contents).toEqual([
      {
        uri: PAGE_URI,
        mimeType: 'text/html;profile=mcp-app',
        text: await dist('chat-page.html'),
        _meta: {
          ui: {
            csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
            prefersBorder: true,
          },
        },
      },
    ]);
  });

  it('show_farm and show_moisture say all that the page shows', async () => {
    const client = await connect(transport, era);
    const farm = await call(client, 'show_farm');
    expect(firstText(farm)).toBe(firstText(await call(client, 'farm_overview')));
    const shown = await call(client, 'show_moisture', { module: 'North 1' });
    const state = firstText(await call(client, 'get_agronomic_state', { module: 'North 1' }));
    const series = firstText(await call(client, 'get_moisture_series', { module: 'North 1' }));
    expect(firstText(shown)).toBe(`${state} ${series}`);
    expect(shown.structuredContent).toMatchObject({
      moduleId: 1,
      end: expect.any(String),
      unit: '%',
    });
    expect(shown.structuredContent.summary).toBe(firstText(shown));
    expect(JSON.parse(shown.content.at(-1).text)).toEqual(shown.structuredContent);
  });
});

describe.each(COMBINATIONS)('any other client over %s, in the %s era,', (transport, era) => {
  it('has the lists that it had before, and has show_farm in words', async () => {
    const client = await connect(transport, era, false);
    expect((await client.listTools()).tools).toEqual(catalog.tools);
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
    expect(names(catalog.tools).filter((name) => name.startsWith('show_'))).toEqual([]);
    expect(firstText(await call(client, 'show_farm'))).toBe(
      firstText(await call(client, 'farm_overview')),
    );
  });
});

it('show_moisture takes a period, and tells what it cannot show', async () => {
  const client = await connect('HTTP', 'newer');
  const past = await call(client, 'show_moisture', {
    module: 'North 1',
    start: '2026-06-28',
    end: '2026-06-29',
  });
  expect(past.structuredContent.start.slice(0, 10)).toBe('2026-06-27');
  const silent = await call(client, 'show_moisture', { module: 'South 1' });
  expect(firstText(silent)).toBe(
    firstText(await call(client, 'get_moisture_series', { module: 'South 1' })),
  );
  const unknown = await call(client, 'show_moisture', { module: 'Moon' });
  expect(unknown).toMatchObject({
    isError: true,
    _meta: { 'acequia/error': { code: 'not_found' } },
  });
});

it('a page that a conversation names from an earlier version is the present one, another address is refused', async () => {
  const client = await connect('standard input', 'earlier');
  const older = 'ui://acequia/page@0123456789abcdef';
  const { contents } = await client.readResource({ uri: older });
  expect(contents).toMatchObject([{ uri: older, text: await dist('chat-page.html') }]);
  for (const uri of ['ui://acequia/', 'ui://acequia/page@../catalog.json', 'ui://other/page@0123'])
    await expect(client.readResource({ uri })).rejects.toThrow(PAGE_URI);
});

describe('the session id of the earlier era over HTTP', () => {
  const initialize = (capabilities: object) => ({
    ...INITIALIZE_REQUEST,
    params: { ...(INITIALIZE_REQUEST.params as object), capabilities },
  });

  async function post(body: unknown, headers: Record<string, string> = {}, base = service.base) {
    return postMcp(mcpUrl(base), {
      body,
      headers: { 'x-api-key': await service.newKey(), ...headers },
    });
  }

  const listedNames = ({ body }: Json): string[] => names(body.result.tools);

  it('is given to clients that render apps, and says so to any process', async () => {
    expect((await post(initialize({}))).headers).not.toHaveProperty('mcp-session-id');
    const { headers } = await post(initialize(RENDERS_APPS));
    const id = headers['mcp-session-id'] as string;
    expect(id).toMatch(/^[\x21-\x7e]+$/);
    const other = await serveStoreForTest(service.db, '--clock', CLOCK);
    for (const base of [service.base, other.base]) {
      const listed = await post(rpcRequest('tools/list'), { 'mcp-session-id': id }, base);
      expect(listedNames(listed)).toContain('show_farm');
    }
    expect(listedNames(await post(rpcRequest('tools/list')))).not.toContain('show_farm');
  });

  it('differs each time, and needs no key that another was given', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await post(initialize(RENDERS_APPS))).headers['mcp-session-id']),
    );
    expect(new Set(ids).size).toBe(2);
    // It opens nothing: the key alone does.
    const refused = await postMcp(mcpUrl(service.base), {
      body: rpcRequest('tools/list'),
      headers: { 'mcp-session-id': ids[0] as string },
    });
    expect(refused.status).toBe(401);
  });

  it.each(['', 'x', 'apps-', 'apps-1', `apps-${'0'.repeat(36)}`, 'a b'])(
    'that nobody was given (%j) gets 404, so that the client begins anew',
    async (id) => {
      const answer = await post(rpcRequest('tools/list', {}, 'a'), { 'mcp-session-id': id });
      expect([answer.status, answer.body.id]).toEqual([404, 'a']);
      expect(answer.body.error).toMatchObject({
        code: -32001,
        message: expect.stringContaining('initialize'),
      });
      expect((await post(initialize({}), { 'mcp-session-id': id })).status).toBe(200);
    },
  );
});

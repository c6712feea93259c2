import { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { Taker } from '../../src/domain/shares/shares.ts';
import { createApp } from '../../src/http/app.ts';
import { httpLimits } from '../../src/http/http-limits.ts';
import { McpOverHttp } from '../../src/mcp/http/http-handler.ts';
import { NOOP_OBSERVER } from '../../src/observe/observer.ts';
import { NO_TOOL_FILTER } from '../../src/operation/tool-filter.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import { companyByName } from '../../src/store/company/companies.ts';
import type { Store, TransactionOptions } from '../../src/store/store-interface.ts';
import { operationsByName } from '../../tools/index.ts';
import { it, type TestFarm } from '../farm.ts';
import { FIRING, listenRequest } from '../mcp/listen-request.ts';

/** A store that also collects whose turn each transaction uses. */
function collecting(store: Store) {
  const takers: (Taker | undefined)[] = [];
  const collect = (options: TransactionOptions = {}): TransactionOptions => {
    takers.push(options.taker);
    return options;
  };
  const collectingStore: Store = {
    ...store,
    read: (id, body, options) => store.read(id, body, collect(options)),
    write: (id, body, options) => store.write(id, body, collect(options)),
    writeUnscoped: (id, body, options) => store.writeUnscoped(id, body, collect(options)),
    readAll: (body, options) => store.readAll(body, collect(options)),
    writeUnlocked: (body, options) => store.writeUnlocked(body, collect(options)),
    scopeToCompany: (all, id) => store.scopeToCompany(all, id),
    onCompanyChange: (listener) => store.onCompanyChange(listener),
  };
  return { store: collectingStore, takers };
}

const ALLOWED_HOSTS = { listenHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] };

function serviceOn(farm: TestFarm) {
  const { store, takers } = collecting(farm.store);
  const shared = {
    store,
    clock: () => farm.now,
    report: async () => 'ref-1',
    observer: NOOP_OBSERVER,
  } as const;
  const catalog = {
    version: '1',
    icons: [],
    instructions: '',
    tools: [],
    appTools: [],
    pageHash: '',
    operations: {},
    prompts: [],
    skills: [],
    resourceTemplates: [],
    resources: [{ uri: FIRING, name: 'a', operation: 'list_alerts', isSubscribable: true }],
  } as const;
  const mcp = new McpOverHttp({ ...shared, catalog, toolFilter: NO_TOOL_FILTER });
  const app = createApp({
    ...shared,
    operations: operationsByName,
    limits: httpLimits((setting) => setting.default),
    openApiDocument: '{}',
    mcp: { handler: mcp, allowedHosts: ALLOWED_HOSTS, card: { publicUrl: () => null } as never },
  });

  /** Whose turns the transactions of a request use. */
  const takersOf = async (request: SentRequest): Promise<(Taker | undefined)[]> => {
    const { path, method = 'GET', body = '', headers } = request;
    const sent = { host: '127.0.0.1:80', 'content-length': String(body.length), ...headers };
    const incoming = Object.assign(Readable.from([Buffer.from(body)]), {
      url: path,
      method,
      complete: true,
      headers: sent,
      socket: { remoteAddress: '192.0.2.1' },
      headersDistinct: Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [name, [value]]),
      ),
    });
    takers.length = 0;
    const leaving = new AbortController();
    const init = { method, headers: sent, signal: leaving.signal };
    const answer = await app.request(path, init, { incoming });
    expect([path, answer.status < 300 || (await answer.text())]).toEqual([path, true]);
    leaving.abort();
    return [...takers];
  };

  return { takersOf, close: () => mcp.close() };
}

interface SentRequest {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function newKey({ store, now }: TestFarm) {
  const company = (await store.readAll((all) => companyByName(all, 'Mas Rouge')))!;
  const options = { company, preset: 'everything', surface: 'api', expiresAt: null } as const;
  return { companyId: company.id, ...(await createKey(store, options, now)) };
}

const json = { 'content-type': 'application/json' };

const PAYLOAD = '{"device":"a","time":"2026-06-30T06:00:00Z","moisture":20}';

const toolCall = (name: string, args: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

it('uses the turns of the caller for every transaction of a request', async ({ farm }) => {
  const { companyId, key } = await newKey(farm);
  const { takersOf, close } = serviceOn(farm);
  const mcp = { ...json, accept: 'application/json, text/event-stream' };
  const listen = listenRequest(FIRING);
  const watering = { startedAt: '2026-06-30T06:00:00Z', inputMode: 'duration', durationMin: 10 };
  const requests: Record<string, SentRequest> = {
    'a read': { path: '/v1/modules', headers: {} },
    'a write': {
      path: `/v1/modules/${farm.idOf('North 1')}/irrigation/events`,
      method: 'POST',
      headers: json,
      body: JSON.stringify(watering),
    },
    'a batch': { path: '/v1/ingest', method: 'POST', headers: json, body: '{"readings":[]}' },
    'a payload': {
      path: '/v1/ingest/generic/json',
      method: 'POST',
      headers: json,
      body: PAYLOAD,
    },
    'a call of a tool': {
      path: '/mcp',
      method: 'POST',
      headers: mcp,
      body: toolCall('list_alerts', {}),
    },
    'a stream of changes': {
      path: '/mcp',
      method: 'POST',
      headers: listen.headers,
      body: listen.body,
    },
  };

  try {
    const first = await takersOf({ path: '/v1/company', headers: { 'x-api-key': key } });
    // The key is not known to be valid until the first transaction has found it.
    expect(first.map((taker) => taker?.company)).toEqual(['address 192.0.2.1']);

    for (const [what, request] of Object.entries(requests)) {
      const takers = await takersOf({
        ...request,
        headers: { ...request.headers, 'x-api-key': key },
      });
      const companies = new Set(takers.map((taker) => taker?.company));
      expect([what, companies]).toEqual([what, new Set([companyId])]);
    }
  } finally {
    await close();
  }
});

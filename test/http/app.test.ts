import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import { say } from '../../src/domain/text/say.ts';
import { createApp } from '../../src/http/app.ts';
import { httpLimits } from '../../src/http/http-limits.ts';
import { storeForClients } from '../../src/http/store-for-clients.ts';
import type { CallEnd, ObservedCall } from '../../src/observe/listener.ts';
import { createObserver, type Observer } from '../../src/observe/observer.ts';
import type { Call } from '../../src/operation/call.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { plainError, storeUnavailableError } from '../../src/schema/error.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import { companyByName } from '../../src/store/company/companies.ts';
import type { Store } from '../../src/store/store.ts';
import { operationsByName } from '../../tools/index.ts';
import { type TestFarm, withFarm } from '../farm.ts';

function appOn(
  farm: TestFarm,
  {
    store = farm.store,
    operations = operationsByName,
    document = '{}',
    onReadings,
    observer,
    clock = () => farm.now,
  }: Partial<Parts> = {},
) {
  const reported: unknown[] = [];
  const app = createApp({
    store,
    operations,
    clock,
    lang: 'en',
    limits: httpLimits((setting) => setting.default),
    openApiDocument: document,
    onReadings,
    observer,
    report: async (error) => `ref-${reported.push(error)}`,
  });
  const request = (path: string, init: RequestInit = {}, env: object = { incoming: ANY_REQUEST }) =>
    app.request(path, init, env);
  return { app: { request }, reported };
}

const ANY_REQUEST = { headers: {}, socket: {} };

async function newKey({ store, now }: TestFarm): Promise<string> {
  const company = (await store.readAll((all) => companyByName(all, 'Mas Rouge')))!;
  return (
    await createKey(store, { company, preset: 'everything', surface: 'api', expiresAt: null }, now)
  ).key;
}

interface Parts {
  readonly store: Store;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly document: string;
  readonly onReadings: () => void;
  readonly observer: Observer;
  readonly clock: () => number;
}

it('is not ready while the store does not answer, and gives the reference in the log', () =>
  withFarm(async (farm) => {
    const failing = {
      ...farm.store,
      checkWritable: () => Promise.reject(new Error('disk on fire in /var/farm.db')),
    };
    const { app, reported } = appOn(farm, { store: failing });
    const answer = await app.request('/ready');
    const text = await answer.text();
    expect([answer.status, reported.length]).toEqual([503, 1]);
    expect(JSON.parse(text)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining('ref-1'),
    });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(text).not.toContain('/var');
    expect((await app.request('/health')).status).toBe(200);
  }));

it('is not ready with the error of the store, which was logged there', () =>
  withFarm(async (farm) => {
    const error = storeUnavailableError(
      say`The store cannot be used at present (reference ref-7).`,
      say`Try again.`,
    );
    const { app, reported } = appOn(farm, {
      store: { ...farm.store, checkWritable: () => Promise.reject(error) },
    });
    const answer = await app.request('/ready');
    expect([answer.status, reported]).toEqual([503, []]);
    expect(await answer.json()).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      detail: error.message,
      hint: error.hint,
    });
  }));

it('checks the store once for all requests of five seconds, and says why it is not ready', () =>
  withFarm(async (farm) => {
    let checks = 0;
    const checkWritable = async () => {
      checks++;
      throw storeUnavailableError(say`No space in /var.`, say`Free some.`, {
        reason: 'its disk is full',
      });
    };
    const store = storeForClients({ ...farm.store, checkWritable }, async () => 'ref-7');
    const { app } = appOn(farm, { store });

    const now = performance.now.bind(performance);
    const answers = [];
    try {
      for (const laterMs of [0, 4_900, 5_000, 9_000]) {
        vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
        const both = await Promise.all([app.request('/ready'), app.request('/ready')]);
        for (const answer of both) answers.push([answer.status, (await answer.json()).detail]);
      }
    } finally {
      vi.restoreAllMocks();
    }
    const detail =
      'The store of this service is not available at present: its disk is full (reference ref-7).';
    expect([answers, checks]).toEqual([Array.from({ length: 8 }, () => [503, detail]), 2]);
  }));

it('sends the seconds after which an error may be gone as Retry-After', () =>
  withFarm(async (farm) => {
    const error = plainError({
      code: 'BUSY',
      status: 503,
      message: 'No.',
      hint: 'Later.',
      retryAfterS: 7,
    });
    const refusing = { ...operationsByName.get('get_company')!, run: () => Promise.reject(error) };
    const { app } = appOn(farm, {
      operations: new Map([...operationsByName, ['get_company', refusing]]),
    });
    const incoming = {
      url: '/v1/company',
      method: 'GET',
      headers: { 'x-api-key': await newKey(farm) },
      socket: {},
    };

    const answer = await app.request('/v1/company', {}, { incoming });

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await answer.json()).toMatchObject({ code: 'BUSY', hint: 'Later.' });
    expect((await app.request('/v1/nothing')).headers.get('retry-after')).toBeNull();
  }));

it('lets clients cache openapi.json, and nothing else', () =>
  withFarm(async (farm) => {
    const { app } = appOn(farm);
    expect((await app.request('/health')).headers.get('cache-control')).toBe('no-store');
    const document = await app.request('/v1/openapi.json');
    expect(document.headers.get('cache-control')).toBe('no-cache');
    const headers = { 'if-none-match': document.headers.get('etag')! };
    const second = await app.request('/v1/openapi.json', { headers });
    expect(second.status).toBe(304);
    expect(second.headers.get('x-content-type-options')).toBe('nosniff');
    expect(second.headers.get('content-type')).toBeNull();
  }));

it('sends type and length of a response to HEAD', () =>
  withFarm(async (farm) => {
    const { app } = appOn(farm);
    const answer = await app.request('/health', { method: 'HEAD' });
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-length')).toBe(String('{"status":"ok"}'.length));
  }));

it('shows nothing of an internal error but its reference in the log', () =>
  withFarm(async (farm) => {
    const failing = {
      ...operationsByName.get('get_company')!,
      run: () => Promise.reject(new Error('a secret inside')),
    };
    const { app, reported } = appOn(farm, {
      operations: new Map([...operationsByName, ['get_company', failing]]),
    });
    const headers = { 'x-api-key': await newKey(farm) };
    const incoming = { url: '/v1/company', method: 'GET', headers, socket: {} };
    const answer = await app.request('/v1/company', {}, { incoming });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      code: 'INTERNAL',
      status: 500,
      detail: expect.stringContaining('ref-1'),
    });
    expect(text).not.toContain('secret');
    expect(reported).toEqual([new Error('a secret inside')]);
  }));

it('processes two reads of a key at a time, while those of another key continue', () =>
  withFarm(async (farm) => {
    const ends: (() => void)[] = [];
    const run = () => new Promise<never>((resolve) => ends.push(() => resolve({} as never)));
    const slow = { ...operationsByName.get('get_company')!, run };
    const { app } = appOn(farm, {
      operations: new Map([...operationsByName, ['get_company', slow]]),
    });
    const ask = (key: string) => {
      const incoming = {
        url: '/v1/company',
        method: 'GET',
        headers: { 'x-api-key': key },
        socket: {},
      };
      return app.request('/v1/company', {}, { incoming });
    };
    const [busy, other] = [await newKey(farm), await newKey(farm)];
    const answers = [busy, busy, busy, other].map(ask);
    await expect.poll(() => ends.length).toBe(3);
    for (const end of ends.splice(0)) end();
    await expect.poll(() => ends.length).toBe(1);
    ends[0]!();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }));

it('reports how long a request waited behind others of its key', () =>
  withFarm(async (farm) => {
    const ends: (() => void)[] = [];
    const run = () => new Promise<never>((resolve) => ends.push(() => resolve({} as never)));
    const slow = { ...operationsByName.get('get_company')!, run };
    const times: Pick<CallEnd, 'ms' | 'waitedMs'>[] = [];
    const observer = createObserver([
      { onCallEnd: (_, { ms, waitedMs }) => void times.push({ ms, waitedMs }) },
    ]);
    const { app } = appOn(farm, {
      operations: new Map([...operationsByName, ['get_company', slow]]),
      observer,
    });
    const key = await newKey(farm);
    const incoming = {
      url: '/v1/company',
      method: 'GET',
      headers: { 'x-api-key': key },
      socket: {},
    };
    const answers = Array.from({ length: 3 }, () => app.request('/v1/company', {}, { incoming }));
    await expect.poll(() => ends.length).toBe(2);
    await pause(60);

    for (const end of ends.splice(0)) end();
    await expect.poll(() => ends.length).toBe(1);
    ends[0]!();
    await Promise.all(answers);

    const [first, second, third] = times;
    // A timer may fire a little early.
    for (const { ms, waitedMs } of [first!, second!]) expect(ms - waitedMs).toBeGreaterThan(50);
    expect(third!.waitedMs).toBeGreaterThan(50);
  }));

it('ends a read whose client has gone, also one that is not long', () =>
  withFarm(async (farm) => {
    const client = new AbortController();
    let queries = 0;
    const run = async ({ db, yieldOrCancel }: Call): Promise<never> => {
      for (;;) {
        await db.selectFrom('modules').select('id').execute();
        if (++queries === 10) client.abort();
        await yieldOrCancel();
      }
    };
    const endless = { ...operationsByName.get('get_company')!, run } as AnyOperation;
    const codes: (string | null)[] = [];
    const { app } = appOn(farm, {
      operations: new Map([...operationsByName, ['get_company', endless]]),
      observer: createObserver([{ onCallEnd: (_, { code }) => void codes.push(code) }]),
    });
    const headers = { 'x-api-key': await newKey(farm) };
    const incoming = { url: '/v1/company', method: 'GET', headers, socket: {} };
    await app.request('/v1/company', { signal: client.signal }, { incoming });
    expect([queries, codes]).toEqual([10, ['cancelled']]);
  }));

it('names what held the event loop without the key in its path', () =>
  withFarm(async (farm) => {
    const stretches: (readonly ObservedCall[])[] = [];
    const observer = createObserver([{ onLongStretch: (calls) => void stretches.push(calls) }]);
    const key = await newKey(farm);
    const slowClock = (): number => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      return farm.now;
    };
    const { app } = appOn(farm, { observer, clock: slowClock });
    const incoming = { url: `/v1/ingest/${key}`, method: 'POST', headers: {}, socket: {} };
    await app.request(incoming.url, { method: 'POST' }, { incoming });
    expect(stretches[0]).toMatchObject([{ operation: 'ingest', route: '/v1/ingest/{map}' }]);
    expect(JSON.stringify(stretches)).not.toContain(key);
  }));

it('reports readings of a replayed batch too: the process that stored it may have ended before alerts were evaluated', () =>
  withFarm(async (farm) => {
    let count = 0;
    const { app } = appOn(farm, { onReadings: () => void count++ });
    const body = Buffer.from(JSON.stringify({ readings: [] }));
    const headers = {
      'x-api-key': await newKey(farm),
      'idempotency-key': 'one',
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const headersDistinct = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    const request = {
      url: '/v1/ingest',
      method: 'POST',
      socket: {},
      complete: true,
      headers,
      headersDistinct,
    };
    const send = () => {
      const incoming = Object.assign(Readable.from([body]), request);
      return app.request('/v1/ingest', { method: 'POST' }, { incoming });
    };
    expect((await send()).status).toBe(200);
    expect(count).toBe(1);
    const second = await send();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(count).toBe(2);
  }));

it('compresses long texts for clients that accept it', () =>
  withFarm(async (farm) => {
    const { app } = appOn(farm, { document: JSON.stringify({ soil: 'clay loam '.repeat(500) }) });
    const fetchDocument = async (accepted?: string) =>
      app.request(
        '/v1/openapi.json',
        accepted === undefined ? {} : { headers: { 'accept-encoding': accepted } },
      );
    const plain = Buffer.from(await (await fetchDocument()).arrayBuffer());
    const answer = await fetchDocument('br;q=1.0, gzip;q=0.8');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(gunzipSync(bytes).equals(plain)).toBe(true);
    for (const refused of ['gzip;q=0', 'gzip; q=0.0, br', 'identity', ''])
      expect([refused, (await fetchDocument(refused)).headers.get('content-encoding')]).toEqual([
        refused,
        null,
      ]);
    const short = await app.request('/health', { headers: { 'accept-encoding': 'gzip' } });
    expect(short.headers.get('content-encoding')).toBeNull();
  }));

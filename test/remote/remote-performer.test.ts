import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyOperation, composedOperation } from '../../src/operation/operation.ts';
import type { Performer } from '../../src/operation/performer.ts';
import { readToolArguments } from '../../src/operation/tool-arguments.ts';
import { REMOTE_LIMITS } from '../../src/remote/limits.ts';
import { type RemoteOptions, remotePerformer } from '../../src/remote/remote-performer.ts';
import { AcequiaError } from '../../src/schema/error.ts';
import { moduleRef } from '../../src/schema/field.ts';
import { operations, operationsByName } from '../../tools/index.ts';
import getModule from '../../tools/monitoring/get-module.ts';
import listModules from '../../tools/monitoring/list-modules.ts';
import {
  jsonReaction,
  resetConnection,
  STUB_COMPANY,
  STUB_LOGGED,
  STUB_MODULES,
  STUB_PARCELS,
  type StubService,
  startStubService,
  textReaction,
} from './stub-service.ts';

const MORNING = Date.parse('2026-07-01T10:00:00Z');
const DAY_MS = 24 * 3_600_000;
const POST_EVENT = 'POST /v1/modules/1/irrigation/events';
const EVENTS = '/v1/modules/1/irrigation/events';

let stub: StubService;
let now: number;
const open: Performer[] = [];
let performer: Performer;

beforeEach(async () => {
  stub = await startStubService();
  now = MORNING;
  performer = against(stub.url);
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await stub.close();
});

const options = (url = stub.url): RemoteOptions => ({
  url,
  key: 'acequia_k',
  clock: () => now,
  lang: 'en',
});

function against(url: string, more: Partial<RemoteOptions> = {}) {
  const made = remotePerformer({ ...options(url), ...more });
  open.push(made);
  return made;
}

function perform(operation: AnyOperation, rawArguments: Record<string, unknown> = {}, idempotencyKey?: string) {
  const readArguments = (context: Parameters<typeof readToolArguments>[2]) =>
    readToolArguments(operation, rawArguments, context);
  return performer.perform(operation, { rawArguments, idempotencyKey, readArguments });
}

const call = (name: string, given?: Record<string, unknown>, idempotencyKey?: string) =>
  perform(operationsByName.get(name)!, given, idempotencyKey);

const watering = (given: Record<string, unknown> = {}) => ({
  module: 'north 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 40,
  ...given,
});

const sentEvents = () => stub.requestsTo(EVENTS).map(({ body }) => JSON.parse(body));

async function refusal(asked: Promise<unknown>): Promise<AcequiaError> {
  const error = await asked.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AcequiaError)) throw error;
  return error;
}

/** An operation of a document, with its query. */
const query = (...names: string[]) => ({ parameters: names.map((name) => ({ name, in: 'query' })) });

describe('a call', () => {
  it('travels with names as ids and words as instants, every argument in its place', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    await call('log_watering', watering({ note: 'by hand' }));
    // 6:00 in Europe/Paris is 4:00 UTC in July.
    expect(sentEvents()).toEqual([
      { startedAt: '2026-07-01T04:00:00.000Z', inputMode: 'duration', durationMin: 40, note: 'by hand' },
    ]);
  });

  it('is answered with the body and a sentence in the words of the company', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    const { body, summary, isReplay } = await call('log_watering', watering());
    expect(body).toEqual(STUB_LOGGED);
    expect(summary).toContain('North 1, today 06:00 to 06:40 (Europe/Paris)');
    expect(isReplay).toBe(false);
  });

  it('takes its query from the arguments of a read, and its defaults from the tool', async () => {
    stub.on('GET /v1/irrigation/events', jsonReaction({ data: [], next_cursor: null }));
    await call('list_waterings', { module: 'North 2', status: 'done', from: '2026-06-01' });
    const { searchParams } = new URL(stub.requestsTo('/v1/irrigation/events')[0]!.path, stub.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      moduleId: '2',
      status: 'done',
      from: '2026-05-31T22:00:00.000Z',
      limit: '10',
    });
  });

  it('reaches a base address with a slash at its end, and one without /v1', async () => {
    performer = against(`${stub.url}/`);
    expect((await call('get_company')).body).toEqual(STUB_COMPANY);
    stub.on('GET /company', jsonReaction({ ...STUB_COMPANY, name: 'Elsewhere' }));
    performer = against(new URL(stub.url).origin);
    expect((await call('get_company')).body).toMatchObject({ name: 'Elsewhere' });
  });

  it('asks for labels in the language of this side', async () => {
    stub.on('GET /v1/reference/soil-horizons', jsonReaction({ data: [] }));
    performer = against(stub.url, { lang: 'fr' });
    await call('list_soil_horizons');
    await call('list_soil_horizons', { lang: 'en' });
    expect(stub.requestsTo('/v1/reference/soil-horizons').map(({ path }) => path.split('?')[1])).toEqual([
      'lang=fr',
      'lang=en',
    ]);
  });

  it('says that an answer is a stored one when the service does', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201, { 'idempotent-replayed': 'true' }));
    expect((await call('log_watering', watering(), 'k')).isReplay).toBe(true);
    expect(stub.requestsTo(EVENTS)[0]!.headers['idempotency-key']).toBe('k');
  });

  it('is refused here where the entry alone is wrong, before the service is asked for it', async () => {
    expect(await refusal(call('log_watering', watering({ durationMin: 0 })))).toMatchObject({
      code: 'INVALID_DURATION',
    });
    expect(stub.requestsTo(EVENTS)).toEqual([]);
  });
});

describe('a key of any text', () => {
  it('travels as it is where a header takes it, and else as what is the same for the same text', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    for (const key of ['entry 7', 'entrée 7', 'entrée 7', 'entrée 8', ' entry 7', 'line\nend'])
      await call('log_watering', watering(), key);
    const sent = stub.requestsTo(EVENTS).map(({ headers }) => headers['idempotency-key']);
    expect(sent[0]).toBe('entry 7');
    expect(sent[1]).toBe(sent[2]);
    expect(new Set(sent).size).toBe(5);
  });

  it('that no service can have given is refused before anything is sent', async () => {
    performer = against(stub.url, { key: 'acequia_a\nb' });
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'unauthenticated', status: 401 });
    expect(stub.requests).toEqual([]);
  });
});

describe('names', () => {
  it('are fetched once for calls that follow each other, all pages of them', async () => {
    const [first, second] = STUB_MODULES.data;
    stub.on(
      'GET /v1/modules',
      jsonReaction({ data: [first], next_cursor: 'more' }),
      jsonReaction({ data: [second], next_cursor: null }),
    );
    stub.on('POST /v1/modules/2/irrigation/events', jsonReaction(STUB_LOGGED, 201));
    await call('log_watering', watering({ module: 'North 2' }));
    await call('log_watering', watering({ module: 'North 2' }));
    const asked = stub.requestsTo('/v1/modules').map(({ path }) => new URL(path, stub.url).searchParams.get('cursor'));
    expect(asked).toEqual([null, 'more']);
  });

  it('that came up since are looked up anew', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    await call('log_watering', watering());
    stub.on('GET /v1/modules', jsonReaction({ data: [...STUB_MODULES.data, { id: 3, name: 'East 1' }] }));
    stub.on('POST /v1/modules/3/irrigation/events', jsonReaction(STUB_LOGGED, 201));
    await call('log_watering', watering({ module: 'East 1' }));
    expect(stub.requestsTo('/v1/modules/3/irrigation/events')).toHaveLength(1);
  });

  it('that nothing has are refused with the nearest', async () => {
    const error = await refusal(call('log_watering', watering({ module: 'West 9' })));
    expect(error.code).toBe('MODULE_NOT_OWNED');
    expect(error.hint).toContain('North 1');
  });

  it('of a list that is served in smaller pages are found', async () => {
    stub.on('GET /v1/openapi.json', jsonReaction({ paths: { '/modules': { get: query('limit') } } }));
    stub.on('GET /v1/modules', (response, seen) =>
      (seen.path.includes('limit=') ? jsonReaction({ code: 'invalid_limit' }, 400) : jsonReaction(STUB_MODULES))(
        response,
        seen,
      ),
    );
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    expect((await call('log_watering', watering())).body).toEqual(STUB_LOGGED);
    expect(stub.requestsTo('/v1/modules').map(({ path }) => path.includes('limit='))).toEqual([true, false]);
  });

  it('that a short call waits for in vain still come for a longer one that joined it', async () => {
    stub.on(
      'GET /v1/modules',
      (response, seen) => void setTimeout(() => jsonReaction(STUB_MODULES)(response, seen), 3_400),
    );
    stub.on('GET /v1/irrigation/events', jsonReaction({ data: [STUB_LOGGED.event], next_cursor: null }));
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    // The answer is there, and its sentence waits 3 s for a name.
    const short = call('list_waterings');
    while (stub.requestsTo('/v1/modules').length === 0) await pause(5);
    const long = call('log_watering', watering());
    expect((await short).summary).toContain('module 1');
    expect((await long).summary).toContain('North 1');
    expect(stub.requestsTo('/v1/modules')).toHaveLength(1);
  }, 10_000);

  it('of a list whose pages go round do not keep a call', async () => {
    stub.on('GET /v1/modules', jsonReaction({ ...STUB_MODULES, next_cursor: 'again' }));
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    expect((await call('log_watering', watering())).body).toEqual(STUB_LOGGED);
  });

  it('that the key may not read leave ids to be used', async () => {
    for (const list of ['modules', 'parcels'])
      stub.on(`GET /v1/${list}`, jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403));
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    expect((await call('log_watering', watering({ module: '#1' }))).summary).toContain('module 1');
    expect((await call('log_watering', watering({ module: '1' }))).body).toEqual(STUB_LOGGED);
    const error = await refusal(call('log_watering', watering()));
    expect(error).toMatchObject({ code: 'insufficient_scope', status: 403, field: 'module' });
    expect(error.hint).toContain('#12');
  });

  it('that cannot be had do not lose an answer', async () => {
    stub.on('GET /v1/modules', textReaction('', 500));
    stub.on('GET /v1/parcels/1/soil-profile', jsonReaction({ data: [] }));
    stub.on('GET /v1/parcels', jsonReaction(STUB_PARCELS), textReaction('', 500));
    expect((await call('get_soil_profile', { parcel: 'North block' })).body).toEqual({ data: [] });
  });
});

describe('the zone', () => {
  beforeEach(() => {
    stub.on('GET /v1/company', jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403));
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
  });

  it('is not needed for a time with its offset, and the summary then speaks UTC', async () => {
    const { summary } = await call('log_watering', watering({ startedAt: '2026-07-01T06:00:00+02:00' }));
    expect(sentEvents()[0].startedAt).toBe('2026-07-01T04:00:00.000Z');
    expect(summary).toContain('04:00 to 04:40 (UTC)');
  });

  it('is not needed for a time that has passed since', async () => {
    await call('log_watering', watering({ startedAt: '20 minutes ago' }));
    expect(sentEvents()[0].startedAt).toBe('2026-07-01T09:40:00.000Z');
  });

  it('is missed for a local time, which is refused', async () => {
    const error = await refusal(call('log_watering', watering()));
    expect(error).toMatchObject({ code: 'insufficient_scope', status: 403 });
    expect(error.hint).toContain('offset');
    expect(sentEvents()).toEqual([]);
  });
});

describe('words under an idempotencyKey', () => {
  const yesterday = watering({ startedAt: 'yesterday 6:30' });

  it('mean on the next day what they meant when the answer got lost', async () => {
    stub.on(POST_EVENT, resetConnection, resetConnection, resetConnection, jsonReaction(STUB_LOGGED, 201));
    await refusal(call('log_watering', yesterday, 'k'));
    now += 20 * 3_600_000;
    await call('log_watering', yesterday, 'k');
    const starts = sentEvents().map(({ startedAt }) => startedAt);
    expect(starts).toHaveLength(4);
    expect(new Set(starts)).toEqual(new Set(['2026-06-30T04:30:00.000Z']));
  });

  it('mean on the next day what they meant when a try was lost and the next one refused', async () => {
    const lapsed = jsonReaction({ code: 'unauthenticated', detail: 'No.', hint: 'Give a key.' }, 401);
    stub.on(POST_EVENT, resetConnection, lapsed, lapsed, jsonReaction(STUB_LOGGED, 201));
    await refusal(call('log_watering', yesterday, 'k'));
    await refusal(call('log_watering', yesterday, 'k'));
    now += 20 * 3_600_000;
    await call('log_watering', yesterday, 'k');
    expect(sentEvents().map(({ startedAt }) => startedAt)).toEqual(Array(4).fill('2026-06-30T04:30:00.000Z'));
  });

  it('mean something new after 24 hours, under another key, and after a refusal', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    await call('log_watering', yesterday, 'k');
    now += DAY_MS;
    await call('log_watering', yesterday, 'k');
    now += DAY_MS;
    stub.on(POST_EVENT, jsonReaction({ code: 'INVALID_DEPTH' }, 400), jsonReaction(STUB_LOGGED, 201));
    await refusal(call('log_watering', yesterday, 'other'));
    now += 15 * 3_600_000;
    await call('log_watering', yesterday, 'other');
    expect(sentEvents().map(({ startedAt }) => startedAt.slice(0, 10))).toEqual([
      '2026-06-30',
      '2026-07-01',
      '2026-07-02',
      '2026-07-03',
    ]);
  });
});

describe('an answer of a service of another age', () => {
  const series = {
    module_id: 1,
    type: 'humidity',
    unit: '%',
    start: '2026-06-24T10:00:00.000Z',
    end: '2026-07-01T10:00:00.000Z',
    interval_seconds: null,
    data: [{ time: '2026-07-01T09:00:00.000Z', value_vwc: 24.5 }],
  };

  it('with fields that are not known here is answered without them', async () => {
    stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, mood: 'good' }));
    expect((await call('get_company')).body).toEqual(STUB_COMPANY);
  });

  it('without nullable fields is answered with null for them', async () => {
    stub.on('GET /v1/company', jsonReaction({ id: 1, name: 'Mas Rouge', timezone: 'Europe/Paris' }));
    expect((await call('get_company')).body).toMatchObject({ legalName: null, city: null });
  });

  it('that knows the specification alone is answered as it is', async () => {
    stub.on('GET /v1/modules/1/measurements/weighted', jsonReaction(series));
    const { body, summary } = await call('get_moisture_series', { module: '1' });
    expect(body).toMatchObject(series);
    expect(summary).toContain('freshness');
  });

  it('with a code that is not known here is answered as it is', async () => {
    const event = { ...STUB_LOGGED.event, source: 'satellite' };
    stub.on(POST_EVENT, jsonReaction({ ...STUB_LOGGED, event }, 201));
    const { body, summary } = await call('log_watering', watering());
    expect(body).toEqual({ ...STUB_LOGGED, event });
    expect(summary).toContain('event.source');
  });

  it('that no sentence can be drawn from is answered as it is', async () => {
    // A watering by its depth has one, says the interface; this one has none.
    const event = { ...STUB_LOGGED.event, inputMode: 'depth_mm', inputDepthMm: null };
    stub.on(POST_EVENT, jsonReaction({ ...STUB_LOGGED, event }, 201));
    const { body, summary } = await call('log_watering', watering());
    expect(body).toEqual({ ...STUB_LOGGED, event });
    expect(summary).toContain('read the answer itself');
  });

  it('with a date that does not exist is refused', async () => {
    stub.on(
      POST_EVENT,
      jsonReaction({ ...STUB_LOGGED, event: { ...STUB_LOGGED.event, startedAt: '2026-13-45T99:00:00Z' } }, 201),
    );
    expect(await refusal(call('log_watering', watering()))).toMatchObject({ code: 'REMOTE_INVALID' });
  });

  it('that is empty after a write that was done is no failure', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    stub.on(`DELETE /v1/annotations/${id}`, (response) => response.writeHead(204).end());
    expect((await call('delete_annotation', { annotationId: id })).summary).toContain('success');
  });

  it('that is empty is null where the body may be', async () => {
    stub.on('GET /v1/modules/1/health', textReaction('', 200, 'application/json'));
    expect((await call('get_module_health', { module: '1' })).body).toBeNull();
  });
});

describe('what is offered', () => {
  const document = (...endpoints: [method: string, path: string][]) =>
    jsonReaction({
      openapi: '3.1.0',
      paths: Object.fromEntries(endpoints.map(([method, path]) => [path, { [method]: {} }])),
    });

  it('is what the document of the service names, whatever it calls its path parameters', async () => {
    stub.on(
      'GET /v1/openapi.json',
      document(['get', '/company'], ['post', '/modules/{id}/irrigation/events'], ['get', '/elsewhere']),
    );
    expect(await performer.allowedOperations(operations)).toEqual(new Set(['get_company', 'log_watering']));
  });

  it('is read from paths that repeat the base address too', async () => {
    stub.on('GET /v1/openapi.json', document(['get', '/v1/company']));
    expect(await performer.allowedOperations(operations)).toEqual(new Set(['get_company']));
  });

  it.each([
    ['has none', textReaction('', 404)],
    ['has another thing there', textReaction('<html>')],
    ['has JSON of another kind there', jsonReaction([])],
  ])('is what the specification documents where the service %s', async (_, reaction) => {
    stub.on('GET /v1/openapi.json', reaction);
    const offered = await performer.allowedOperations(operations);
    for (const name of ['list_modules', 'log_watering', 'get_company', 'set_soil_profile', 'list_annotations'])
      expect(offered).toContain(name);
    for (const name of ['list_waterings', 'recompute_doses', 'get_agronomic_state', 'list_users'])
      expect(offered).not.toContain(name);
  });

  it.each([
    ['could not be reached', resetConnection],
    ['had a page of another kind', textReaction('<html>Sign in</html>')],
    ['had none', textReaction('', 404)],
  ])('is asked once where the service has answered, again after a while where it %s', async (_, before) => {
    performer = against(stub.url, { bounds: { ...REMOTE_LIMITS, documentRetryMs: 150 } });
    stub.on('GET /v1/openapi.json', before, document(['get', '/company']));
    expect(await performer.allowedOperations(operations)).toContain('list_parcels');
    expect(await performer.allowedOperations(operations)).toContain('list_parcels');
    expect(stub.requestsTo('/v1/openapi.json')).toHaveLength(1);
    await pause(200);
    expect(await performer.allowedOperations(operations)).toEqual(new Set(['get_company']));
    await pause(200);
    await performer.allowedOperations(operations);
    expect(stub.requestsTo('/v1/openapi.json')).toHaveLength(2);
  });
});

describe('a company without a time zone', () => {
  it('hears so with each time that is said', async () => {
    stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
    expect((await call('log_watering', watering())).summary).not.toContain('time zone');
    await performer.close();
    performer = against(stub.url);
    stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, timezone: null }));
    expect((await call('log_watering', watering())).summary).toContain('The company has declared no time zone');
  });
});

describe('the notes of a service', () => {
  const told = (header: string) => jsonReaction(STUB_LOGGED, 201, { 'acequia-remarks': header });
  const said = async (header: string) => {
    stub.on(POST_EVENT, told(header));
    return call('log_watering', watering());
  };

  it('is worded here where the service sends facts', async () => {
    const facts = [{ kind: 'duplicate_logged', id: 9, duplicateId: 7 }];
    const answer = await said(encodeURIComponent(JSON.stringify(facts)));
    expect(answer.summary).toContain('watering 7 of the same probe starts at the same minute');
    expect(stub.requestsTo(EVENTS)[0]!.headers['acequia-note-facts']).toBe('1');
  });

  it('is repeated as it is where the service sends sentences', async () => {
    const texts = ['One stands there already – « midi ».', 'It was kept.'];
    const answer = await said(encodeURIComponent(JSON.stringify(texts)));
    expect(answer.notes).toEqual(texts);
    for (const each of texts) expect(answer.summary).toContain(each);
    expect(stub.requestsTo(EVENTS)[0]!.headers['acequia-remarks']).toBe('en');
    expect(stub.requestsTo('/v1/company')[0]!.headers['acequia-remarks']).toBeUndefined();
  });

  it.each(['%E0%A4%A', 'no JSON', '{"a":1}', '[1,null]', '%22text%22'])('is nothing where it is %s', async (header) => {
    expect((await said(header)).notes).toEqual([]);
  });
});

describe('an operation that is put together from others', () => {
  const pair = composedOperation({
    name: 'look_twice',
    title: 'Look twice',
    description: 'Looks at a probe and at the list of probes, and answers with the figures of both as one text.',
    toolset: 'advice',
    endpoint: { method: 'GET', path: '/modules/{moduleId}/twice', status: 200 },
    scope: 'readings:read',
    effect: 'read',
    performs: { getModule, listModules },
    input: z.strictObject({ moduleId: moduleRef() }),
    output: z.strictObject({ text: z.string() }),
    run: async (call, { moduleId }, { getModule, listModules }) => {
      const { name } = await getModule({ moduleId });
      const { data } = await listModules({});
      call.note({ kind: 'total', count: data.length });
      return { text: `${name}, one of ${data.length}` };
    },
    summary: ({ text }) => `${text}.`,
  });
  const all = [...operations, pair];

  beforeEach(() => {
    stub.on('GET /v1/modules/1', jsonReaction(STUB_MODULES.data[0]));
  });

  it('runs here over those where the service does not have it, and is offered', async () => {
    expect(await performer.allowedOperations(all)).toContain('look_twice');
    const { body, summary } = await perform(pair, { module: 'North 1' });
    const text = `North 1, one of ${STUB_MODULES.data.length}`;
    expect(body).toEqual({ text });
    expect(summary).toBe(`${text}. ${STUB_MODULES.data.length} in all.`);
    expect(stub.requestsTo('/v1/modules/1/twice')).toEqual([]);
  });

  it('is asked of a service that names it', async () => {
    stub.on('GET /v1/openapi.json', jsonReaction({ paths: { '/modules/{id}/twice': { get: {} } } }));
    stub.on('GET /v1/modules/1/twice', jsonReaction({ text: 'from there' }));
    expect((await perform(pair, { module: '1' })).body).toEqual({ text: 'from there' });
  });

  it('is not offered where the service lacks one of those', async () => {
    stub.on('GET /v1/openapi.json', jsonReaction({ paths: { '/company': { get: {} } } }));
    expect(await performer.allowedOperations(all)).toEqual(new Set(['get_company']));
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/v3';
import { name, say } from '../../src/domain/text/say.ts';
import { readText } from '../../src/language/text/rendered-text.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import { operations } from '../../tools/index.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { EVENTS, POST_EVENT, RemoteTools, refusalOf, watering } from './remote-tools.ts';
import {
  jsonReaction,
  resetConnection,
  STUB_COMPANY,
  STUB_LOGGED,
  STUB_MODULES,
  STUB_PARCELS,
  textReaction,
} from './stub-service.ts';

afterEach(() => vi.useRealTimers());

const remote = new RemoteTools({});

const sentEvents = () => remote.stub.requestsTo(EVENTS).map(({ body }) => JSON.parse(body));

describe('a call', () => {
  it('is sent with ids for names and instants for times in words', async () => {
    await remote.call('log_watering', watering({ note: 'by hand' }));
    // 6:00 in Europe/Paris is 4:00 UTC in July.
    expect(sentEvents()).toEqual([
      {
        startedAt: '2026-07-01T04:00:00.000Z',
        inputMode: 'duration',
        durationMin: 40,
        note: 'by hand',
      },
    ]);
  });

  it('returns the body and a summary with the names and zone of the company', async () => {
    const { body, summary, isReplay } = await remote.call('log_watering', watering());
    expect(body).toEqual(STUB_LOGGED);
    expect(summary).toContain('North 1, today 06:00 to 06:40 (Europe/Paris)');
    expect(isReplay).toBe(false);
  });

  it('sends the arguments of a read and the defaults of the tool in the query', async () => {
    remote.stub.on('GET /v1/irrigation/events', jsonReaction({ data: [], next_cursor: null }));
    await remote.call('list_waterings', { module: 'North 2', status: 'done', from: '2026-06-01' });
    const { searchParams } = new URL(
      remote.stub.requestsTo('/v1/irrigation/events')[0]!.path,
      remote.stub.url,
    );
    expect(Object.fromEntries(searchParams)).toEqual({
      moduleId: '2',
      status: 'done',
      from: '2026-05-31T22:00:00.000Z',
      limit: '10',
      order: 'past_first',
      rain: 'totals',
    });
  });

  it('works with a base address with a slash at its end, or without /v1', async () => {
    remote.connect({ url: `${remote.stub.url}/` });
    expect((await remote.call('get_company')).body).toEqual(STUB_COMPANY);
    remote.stub.on('GET /company', jsonReaction({ ...STUB_COMPANY, name: 'Elsewhere' }));
    remote.connect({ url: new URL(remote.stub.url).origin });
    expect((await remote.call('get_company')).body).toMatchObject({ name: 'Elsewhere' });
  });

  it('requests labels in the language of the summaries', async () => {
    remote.stub.on('GET /v1/reference/soil-horizons', jsonReaction({ data: [] }));
    remote.connect({ lang: 'fr' });
    await remote.call('list_soil_horizons');
    await remote.call('list_soil_horizons', { lang: 'en' });
    expect(
      remote.stub.requestsTo('/v1/reference/soil-horizons').map(({ path }) => path.split('?')[1]),
    ).toEqual(['lang=fr', 'lang=en']);
  });

  it('is marked as a replay if the service says so', async () => {
    remote.stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201, { 'idempotent-replayed': 'true' }));
    expect((await remote.call('log_watering', watering(), 'k')).isReplay).toBe(true);
    expect(remote.stub.requestsTo(EVENTS)[0]!.headers['idempotency-key']).toBe('k');
  });

  const replayOf = (answeredAt: string) =>
    jsonReaction(STUB_LOGGED, 201, {
      'idempotent-replayed': 'true',
      'idempotent-answered-at': answeredAt,
    });

  it('says when it was made, if it is a replay and the service says when', async () => {
    remote.stub.on(POST_EVENT, replayOf('2026-07-01T07:00:00.000Z'));
    const { replayText } = await remote.call('log_watering', watering(), 'k');
    expect(readText(replayText!.summary)).toMatch(
      /^Already logged today 09:00, for today 06:00 to /,
    );
  });

  it.each([
    ['is none', '2026-07-01T10:00:01.000Z', false],
    ['is one if it is of an earlier call', '2026-07-01T07:00:00.000Z', true],
  ])('to a request that this call itself has repeated %s', async (_, answeredAt, isReplay) => {
    remote.stub.on(POST_EVENT, resetConnection, replayOf(answeredAt));
    expect((await remote.call('log_watering', watering(), 'k')).isReplay).toBe(isReplay);
  });

  it('with an invalid entry is refused without a request', async () => {
    expect(
      await refusalOf(remote.call('log_watering', watering({ durationMin: 0 }))),
    ).toMatchObject({
      code: 'INVALID_DURATION',
    });
    expect(remote.stub.requestsTo(EVENTS)).toEqual([]);
  });
});

describe('a key', () => {
  it('for idempotency is sent unchanged if a header can carry it, else as its hash', async () => {
    for (const key of ['entry 7', 'entrée 7', 'entrée 7', 'entrée 8', ' entry 7', 'line\nend'])
      await remote.call('log_watering', watering(), key);
    const sent = remote.stub.requestsTo(EVENTS).map(({ headers }) => headers['idempotency-key']);
    expect(sent[0]).toBe('entry 7');
    expect(sent[1]).toBe(sent[2]);
    expect(new Set(sent).size).toBe(5);
  });

  it('for the service that no header can carry is refused before anything is sent', async () => {
    remote.connect({ key: 'acequia_a\nb' });
    expect(await refusalOf(remote.call('get_company'))).toMatchObject({
      code: 'unauthenticated',
      status: 401,
    });
    expect(remote.stub.requests).toEqual([]);
  });
});

describe('names', () => {
  it('are fetched once for several calls, from all pages', async () => {
    const [first, second] = STUB_MODULES.data;
    remote.stub.on(
      'GET /v1/modules',
      jsonReaction({ data: [first], next_cursor: 'more' }),
      jsonReaction({ data: [second], next_cursor: null }),
    );
    remote.stub.on('POST /v1/modules/2/irrigation/events', jsonReaction(STUB_LOGGED, 201));
    await remote.call('log_watering', watering({ module: 'North 2' }));
    await remote.call('log_watering', watering({ module: 'North 2' }));
    const cursors = remote.stub
      .requestsTo('/v1/modules')
      .map(({ path }) => new URL(path, remote.stub.url).searchParams.get('cursor'));
    expect(cursors).toEqual([null, 'more']);
  });

  it('that are new are found by fetching the list again', async () => {
    await remote.call('log_watering', watering());
    remote.stub.on(
      'GET /v1/modules',
      jsonReaction({
        data: [...STUB_MODULES.data, { ...STUB_MODULES.data[0], id: 3, name: 'East 1' }],
        next_cursor: null,
      }),
    );
    remote.stub.on('POST /v1/modules/3/irrigation/events', jsonReaction(STUB_LOGGED, 201));
    await remote.call('log_watering', watering({ module: 'East 1' }));
    expect(remote.stub.requestsTo('/v1/modules/3/irrigation/events')).toHaveLength(1);
  });

  it('that are unknown are refused with the nearest one', async () => {
    const error = await refusalOf(remote.call('log_watering', watering({ module: 'West 9' })));
    expect(error.code).toBe('MODULE_NOT_OWNED');
    expect(error.message).toContain('"North 1"');
  });

  it('that come too late for the summary of one call still serve another call', async () => {
    let answerList = (): void => undefined;
    const isRequested = new Promise<void>((resolve) => {
      remote.stub.on('GET /v1/modules', (response, seen) => {
        answerList = () => jsonReaction(STUB_MODULES)(response, seen);
        resolve();
      });
    });
    remote.stub.on(
      'GET /v1/irrigation/events',
      jsonReaction({ data: [STUB_LOGGED.event], next_cursor: null }),
    );
    const list = remote.call('list_waterings');
    await isRequested;
    const log = remote.call('log_watering', watering());
    // It waited 3 s for the names.
    expect((await list).summary).toContain('module 1');
    answerList();
    expect((await log).summary).toContain('North 1');
    expect(remote.stub.requestsTo('/v1/modules')).toHaveLength(1);
  });

  it('of a list whose cursors form a cycle do not block a call', async () => {
    remote.stub.on('GET /v1/modules', jsonReaction({ ...STUB_MODULES, next_cursor: 'again' }));
    expect((await remote.call('log_watering', watering())).body).toEqual(STUB_LOGGED);
  });

  it('that the key may not read leave ids usable', async () => {
    for (const list of ['modules', 'parcels'])
      remote.stub.on(
        `GET /v1/${list}`,
        jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403),
      );
    expect((await remote.call('log_watering', watering({ module: '#1' }))).summary).toContain(
      'module 1',
    );
    expect((await remote.call('log_watering', watering({ module: '1' }))).body).toEqual(
      STUB_LOGGED,
    );
    const error = await refusalOf(remote.call('log_watering', watering()));
    expect(error).toMatchObject({ code: 'insufficient_scope', status: 403, field: 'module' });
    expect(error.hint).toContain('#12');
  });

  it('that cannot be read do not lose an answer', async () => {
    remote.stub.on('GET /v1/modules', textReaction('', 500));
    remote.stub.on('GET /v1/parcels/1/soil-profile', jsonReaction({ data: [] }));
    remote.stub.on('GET /v1/parcels', jsonReaction(STUB_PARCELS), textReaction('', 500));
    expect((await remote.call('get_soil_profile', { parcel: 'North block' })).body).toEqual({
      data: [],
    });
  });
});

describe('the time zone, if the key may not read it,', () => {
  beforeEach(() => {
    remote.stub.on(
      'GET /v1/company',
      jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403),
    );
  });

  it('is not needed for a time with an offset, and the summary uses UTC', async () => {
    const { summary } = await remote.call(
      'log_watering',
      watering({ startedAt: '2026-07-01T06:00:00+02:00' }),
    );
    expect(sentEvents()[0].startedAt).toBe('2026-07-01T04:00:00.000Z');
    expect(summary).toContain('04:00 to 04:40 (UTC)');
  });

  it('is not needed for a time relative to now', async () => {
    await remote.call('log_watering', watering({ startedAt: '20 minutes ago' }));
    expect(sentEvents()[0].startedAt).toBe('2026-07-01T09:40:00.000Z');
  });

  it('is needed for a local time, which is refused', async () => {
    const error = await refusalOf(remote.call('log_watering', watering()));
    expect(error).toMatchObject({ code: 'insufficient_scope', status: 403 });
    expect(error.hint).toContain('offset');
    expect(sentEvents()).toEqual([]);
  });
});

it('reads the amounts of layers in the units of the company', async () => {
  remote.stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, units: 'us' }));
  const layers = [{ soilHorizonId: 6, depthTopCm: 'x', depthBottomCm: 30 }];
  const error = await refusalOf(remote.call('set_soil_profile', { parcel: 'North block', layers }));
  expect(error.message).toContain('a length in inches, feet or cm');
});

describe('times in words under an idempotencyKey', () => {
  const yesterday = watering({ startedAt: 'yesterday 6:30' });
  const justNow = watering({ startedAt: '20 minutes ago' });

  const invalidKey = jsonReaction(
    { code: 'unauthenticated', detail: 'No.', hint: 'Give a key.' },
    401,
  );

  it.each([
    ['the answer got lost', 1, [resetConnection, resetConnection, resetConnection]],
    [
      'the answer got lost and the next attempt was refused',
      2,
      [resetConnection, invalidKey, invalidKey],
    ],
  ])('keep their meaning for minutes if %s', async (_, failedCalls, reactions) => {
    remote.stub.on(POST_EVENT, ...reactions, jsonReaction(STUB_LOGGED, 201));
    for (let count = 0; count < failedCalls; count++)
      await refusalOf(remote.call('log_watering', justNow, 'k'));
    remote.now += 4 * MINUTE;
    await remote.call('log_watering', justNow, 'k');
    expect(sentEvents().map(({ startedAt }) => startedAt)).toEqual(
      Array(4).fill('2026-07-01T09:40:00.000Z'),
    );
  });

  it('are refused as the same words of another time', async () => {
    await remote.call('log_watering', justNow, 'k');
    remote.now += 3 * HOUR;
    const refused = {
      code: 'IDEMPOTENCY_KEY_REUSED',
      detail: 'Used for it, with other arguments.',
      texts: { message: { parts: ['Used for it, ', 'with other arguments', '.'] } },
    };
    remote.stub.on(POST_EVENT, jsonReaction(refused, 422));
    expect((await refusalOf(remote.call('log_watering', justNow, 'k'))).message).toBe(
      'Used for it, when the same words meant another time.',
    );
  });

  it('are sent as other arguments under the same key once they mean another time', async () => {
    for (const later of [0, 3 * HOUR]) {
      remote.now += later;
      await remote.call('log_watering', justNow, 'k');
    }
    const requests = remote.stub.requestsTo(EVENTS);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k']);
    expect(sentEvents().map(({ startedAt }) => startedAt)).toEqual([
      '2026-07-01T09:40:00.000Z',
      '2026-07-01T12:40:00.000Z',
    ]);
  });

  const reused = (answeredAt: string, headers = {}) =>
    jsonReaction({ code: 'IDEMPOTENCY_KEY_REUSED', detail: 'Already logged.' }, 422, {
      'idempotent-answered-at': answeredAt,
      ...headers,
    });
  const stored = jsonReaction(STUB_LOGGED, 201, { 'idempotent-replayed': 'true' });

  it.each([
    ['when they were answered', '2026-07-01T09:57:12.345Z', {}],
    [
      'when that process read them, by a clock that differs',
      '2026-07-01T10:02:00.000Z',
      { 'acequia-words-read-at': '2026-07-01T09:57:59.999Z' },
    ],
  ])('mean what they did to another process minutes before, %s', async (_, answeredAt, headers) => {
    remote.stub.on(POST_EVENT, reused(answeredAt, headers), stored);
    const { isReplay } = await remote.call('log_watering', justNow, 'k');
    expect(isReplay).toBe(true);
    expect(sentEvents().map(({ startedAt }) => startedAt)).toEqual([
      '2026-07-01T09:40:00.000Z',
      '2026-07-01T09:37:00.000Z',
    ]);
  });

  it.each([
    ['they meant another time', justNow, '2026-07-01T09:54:00.000Z'],
    ['they meant the same', yesterday, '2026-07-01T09:57:00.000Z'],
    ['no call is stored that long', justNow, '2026-06-01T10:00:00.000Z'],
  ])('are refused under a key of another process if %s', async (_, order, answeredAt) => {
    remote.stub.on(POST_EVENT, reused(answeredAt), stored);
    const error = await refusalOf(remote.call('log_watering', order, 'k'));
    expect(error).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 422 });
    expect(sentEvents()).toHaveLength(1);
  });

  it('are read again after 24 hours, under another key, and after a refusal', async () => {
    await remote.call('log_watering', yesterday, 'k');
    remote.now += DAY;
    await remote.call('log_watering', yesterday, 'k');
    remote.now += DAY;
    remote.stub.on(
      POST_EVENT,
      jsonReaction({ code: 'INVALID_DEPTH' }, 400),
      jsonReaction(STUB_LOGGED, 201),
    );
    await refusalOf(remote.call('log_watering', yesterday, 'other'));
    remote.now += 15 * HOUR;
    await remote.call('log_watering', yesterday, 'other');
    expect(sentEvents().map(({ startedAt }) => startedAt.slice(0, 10))).toEqual([
      '2026-06-30',
      '2026-07-01',
      '2026-07-02',
      '2026-07-03',
    ]);
  });
});

describe('an answer of a service', () => {
  const { isDetached: _, ...shortEvent } = STUB_LOGGED.event;
  const logAnsweredBy = (event: object) => {
    remote.stub.on(POST_EVENT, jsonReaction({ ...STUB_LOGGED, event }, 201));
    return remote.call('log_watering', watering());
  };

  it('with unknown fields is passed on without them', async () => {
    remote.stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, mood: 'good' }));
    expect((await remote.call('get_company')).body).toEqual(STUB_COMPANY);
  });

  it.each([
    ['an unknown code', { ...STUB_LOGGED.event, source: 'satellite' }, 'event.source'],
    ['a gap that the specification allows', shortEvent, 'event.isDetached'],
    [
      'a value that makes no summary',
      { ...STUB_LOGGED.event, inputMode: 'depth_mm', inputDepthMm: null },
      'read the structured result',
    ],
  ])('with %s is passed on, and the summary says so', async (_, event, text) => {
    const { body, summary } = await logAnsweredBy(event);
    expect(body).toEqual({ ...STUB_LOGGED, event });
    expect(summary).toContain(text);
  });

  it('with a date that does not exist is refused', async () => {
    const answered = logAnsweredBy({ ...STUB_LOGGED.event, startedAt: '2026-13-45T99:00:00Z' });
    expect(await refusalOf(answered)).toMatchObject({ code: 'REMOTE_INVALID' });
  });
});

describe('the tools that are offered', () => {
  const document = (...endpoints: [method: string, path: string][]) =>
    jsonReaction({
      openapi: '3.1.0',
      paths: Object.fromEntries(endpoints.map(([method, path]) => [path, { [method]: {} }])),
    });

  it('are those whose endpoints openapi.json names, whatever it calls path parameters', async () => {
    remote.stub.on(
      'GET /v1/openapi.json',
      document(
        ['get', '/company'],
        ['post', '/modules/{id}/irrigation/events'],
        ['get', '/elsewhere'],
      ),
    );
    expect(await remote.runner.allowedOperations(operations)).toEqual(
      new Set(['get_company', 'log_watering']),
    );
  });

  it.each([
    ['cannot be reached', resetConnection],
    ['is a web page', textReaction('<html>Sign in</html>')],
    ['is other JSON', jsonReaction([])],
    ['does not exist', textReaction('', 404)],
  ])(
    'are all of them for a minute if openapi.json %s, and then those it names',
    async (_, reaction) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      remote.stub.on('GET /v1/openapi.json', reaction, document(['get', '/company']));
      const offered = () => remote.runner.allowedOperations(operations);
      expect(await offered()).toBeNull();
      vi.advanceTimersByTime(MINUTE - 1);
      expect(await offered()).toBeNull();
      expect(remote.stub.requestsTo('/v1/openapi.json')).toHaveLength(1);
      vi.advanceTimersByTime(1);
      expect(await offered()).toEqual(new Set(['get_company']));
      vi.advanceTimersByTime(MINUTE);
      await offered();
      expect(remote.stub.requestsTo('/v1/openapi.json')).toHaveLength(2);
    },
  );
});

it('says in each summary with times that the company has no time zone', async () => {
  expect((await remote.call('log_watering', watering())).summary).not.toContain('time zone');
  remote.connect();
  remote.stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, timezone: null }));
  expect((await remote.call('log_watering', watering())).summary).toContain(
    'The company has no time zone',
  );
});

describe('notes of a service beside the body', () => {
  const logWithNotes = async (header: string) => {
    remote.stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201, { 'acequia-remarks': header }));
    return remote.call('log_watering', watering());
  };

  it('are worded locally if the service sends facts', async () => {
    const other = { id: 7, startedAt: Date.UTC(2026, 6, 1, 4), endedAt: null, status: 'done' };
    const facts = [
      { kind: 'overlapping_watering', id: 9, other, probe: 'North 1', others: 0, probes: 1 },
    ];
    const { summary, next } = await logWithNotes(encodeURIComponent(JSON.stringify(facts)));
    expect(summary).toContain('It overlaps another watering of North 1 (today 06:00, done)');
    expect(next).toContain('correct_watering(eventId: 9 or 7, status: skipped)');
    expect(remote.stub.requestsTo(EVENTS)[0]!.headers['acequia-note-facts']).toBe('1');
  });

  it('are requested with the operation alone, and no sentence of the service is repeated', async () => {
    const texts = ['There is one already – « midi ».', 'It was kept.'];
    const result = await logWithNotes(encodeURIComponent(JSON.stringify(texts)));
    expect(result.advisories).toEqual([]);
    for (const text of texts) expect(result.summary).not.toContain(text);
    expect(remote.stub.requestsTo(EVENTS)[0]!.headers['acequia-remarks']).toBe('en');
    expect(remote.stub.requestsTo('/v1/company')[0]!.headers['acequia-remarks']).toBeUndefined();
  });

  it.each(['%E0%A4%A', 'no JSON', '{"a":1}', '[1,null]', '%22text%22'])(
    'are empty with the header %s',
    async (header) => {
      expect((await logWithNotes(header)).advisories).toEqual([]);
    },
  );
});

describe('an operation that answers from facts', () => {
  const pair = factOperation({
    name: 'look_twice',
    title: 'Look twice',
    description:
      'Looks at a probe and at the list of probes, and answers with the figures of both as one text.',
    toolset: 'advice',
    endpoint: { method: 'GET', path: '/modules/{moduleId}/twice', status: 200 },
    scope: 'readings:read',
    effect: 'read',
    input: z.strictObject({ moduleId: moduleRef() }),
    output: z.strictObject({ text: z.string() }),
    facts: {
      reads: ['module', 'modules'],
      answer: async (call, { moduleId }, facts) => {
        const { name } = await facts.module(moduleId);
        const modules = await facts.modules();
        call.advise({ kind: 'total', count: modules.length });
        return { text: `${name}, one of ${modules.length}` };
      },
    },
    summary: ({ text }) => say`${name(text)}.`,
  });
  const all = [...operations, pair];

  beforeEach(() => {
    remote.stub.on('GET /v1/modules/1', jsonReaction(STUB_MODULES.data[0]));
  });

  it('runs here and is offered if the service has what its facts are made of', async () => {
    remote.stub.on(
      'GET /v1/openapi.json',
      jsonReaction({ paths: { '/modules': { get: {} }, '/modules/{id}': { get: {} } } }),
    );
    expect(await remote.runner.allowedOperations(all)).toContain('look_twice');
    const { body, summary } = await remote.run(pair, { module: 'North 1' });
    const text = `North 1, one of ${STUB_MODULES.data.length}`;
    expect(body).toEqual({ text });
    expect(summary).toBe(`"${text}". ${STUB_MODULES.data.length} in all.`);
    expect(remote.stub.requestsTo('/v1/modules/1/twice')).toEqual([]);
  });

  it.each([
    ['names it', jsonReaction({ paths: { '/modules/{id}/twice': { get: {} } } })],
    ['has no openapi.json', textReaction('', 404)],
  ])('is requested from a service that %s', async (_, document) => {
    remote.stub.on('GET /v1/openapi.json', document);
    remote.stub.on('GET /v1/modules/1/twice', jsonReaction({ text: 'from there' }));
    expect((await remote.run(pair, { module: '1' })).body).toEqual({ text: 'from there' });
  });

  it('is not offered if the service lacks some of it', async () => {
    remote.stub.on('GET /v1/openapi.json', jsonReaction({ paths: { '/company': { get: {} } } }));
    expect(await remote.runner.allowedOperations(all)).toEqual(new Set(['get_company']));
  });
});

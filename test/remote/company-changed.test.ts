import { expect, it } from 'vitest';
import { assertReadIn, READ_IN_HEADER } from '../../src/operation/rest-conventions.ts';
import { AcequiaError } from '../../src/schema/error.ts';
import { EVENTS, POST_EVENT, RemoteTools, refusalOf, watering } from './remote-tools.ts';
import { jsonReaction, STUB_COMPANY, STUB_LOGGED } from './stub-service.ts';

const remote = new RemoteTools({});
const PARIS = { zone: 'Europe/Paris', countryCode: 'FR', units: 'metric' } as const;
const LIMA = { zone: 'America/Lima', countryCode: 'FR', units: 'metric' } as const;
const LIST = '/v1/irrigation/events';

type Formats = Parameters<typeof assertReadIn>[1];

/** Reacts as a service does whose company has these formats. */
const inFormats =
  (formats: Formats, reaction: ReturnType<typeof jsonReaction>): typeof reaction =>
  (response, request) => {
    try {
      assertReadIn(request.headers, formats);
      return reaction(response, request);
    } catch (error) {
      if (!(error instanceof AcequiaError)) throw error;
      const { code, status, message, hint } = error;
      return jsonReaction({ code, detail: message, hint }, status)(response, request);
    }
  };

const moveCompanyTo = (formats: Formats): void => {
  const { zone: timezone, countryCode, units } = formats;
  const noRows = { data: [], next_cursor: null };
  remote.stub.on(
    'GET /v1/company',
    jsonReaction({ ...STUB_COMPANY, timezone, countryCode, units }),
  );
  remote.stub.on(POST_EVENT, inFormats(formats, jsonReaction(STUB_LOGGED, 201)));
  remote.stub.on(`GET ${LIST}`, inFormats(formats, jsonReaction(noRows)));
};

const methods = () =>
  remote.stub.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
const lastStart = () => JSON.parse(remote.stub.requestsTo(EVENTS).at(-1)!.body).startedAt;

it('reads a local time again once the service says that the zone is another one', async () => {
  moveCompanyTo(PARIS);
  await remote.call('log_watering', watering());
  expect(lastStart()).toBe('2026-07-01T04:00:00.000Z');

  moveCompanyTo(LIMA);
  const before = methods().length;
  const { summary } = await remote.call('log_watering', watering({ startedAt: 'yesterday 6:00' }));
  expect(lastStart()).toBe('2026-06-30T11:00:00.000Z');
  expect(summary).toContain('(America/Lima)');
  expect(methods().slice(before)).toEqual([POST_EVENT, 'GET /v1/company', POST_EVENT]);

  moveCompanyTo(PARIS);
  await remote.call('list_waterings', { module: 'North 1', from: '2026-06-01' });
  const { searchParams } = new URL(remote.stub.requestsTo(LIST).at(-1)!.path, remote.stub.url);
  expect(searchParams.get('from')).toBe('2026-05-31T22:00:00.000Z');
});

it('reads an amount again once the units are others, and asks then', async () => {
  moveCompanyTo(PARIS);
  const depth = { inputMode: 'depth_mm', durationMin: undefined, inputDepthMm: '2' };
  await remote.call('log_watering', watering(depth));
  moveCompanyTo({ ...PARIS, units: 'us' });
  const refusal = await refusalOf(remote.call('log_watering', watering(depth)));
  expect(refusal.message).toContain('ask whether "2 in" or "2 mm" is meant');
});

it('reads the words of a repeated call again, which nothing was written for', async () => {
  moveCompanyTo(PARIS);
  remote.stub.on(POST_EVENT, jsonReaction({ code: 'INTERNAL', detail: 'Out of order.' }, 500));
  await refusalOf(remote.call('log_watering', watering(), 'k'));
  moveCompanyTo(LIMA);
  await remote.call('log_watering', watering(), 'k');
  const sent = remote.stub.requestsTo(EVENTS).map(({ body }) => JSON.parse(body).startedAt);
  expect(sent.slice(-2)).toEqual(['2026-07-01T04:00:00.000Z', '2026-07-01T11:00:00.000Z']);
});

it('asks no more of a service that knows no such header', async () => {
  for (let call = 0; call < 2; call++) await remote.call('log_watering', watering());
  expect(methods().filter((each) => each === 'GET /v1/company')).toHaveLength(1);
  const [first, second] = remote.stub.requestsTo(EVENTS).map(({ headers }) => headers);
  const readIn = 'zone=Europe%2FParis&country=FR&units=metric';
  expect([first, second].map((headers) => headers?.[READ_IN_HEADER])).toEqual([readIn, readIn]);
});

it('gives up if the formats are others each time', async () => {
  remote.stub.on(POST_EVENT, inFormats(LIMA, jsonReaction(STUB_LOGGED, 201)));
  expect(await refusalOf(remote.call('log_watering', watering()))).toMatchObject({
    code: 'COMPANY_CHANGED',
    message: expect.stringContaining('America/Lima'),
  });
  expect(remote.stub.requestsTo(EVENTS)).toHaveLength(2);
});

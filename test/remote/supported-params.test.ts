import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Performer } from '../../src/operation/performer.ts';
import { readToolArguments } from '../../src/operation/tool-arguments.ts';
import { remotePerformer } from '../../src/remote/remote-performer.ts';
import { operationsByName } from '../../tools/index.ts';
import { jsonReaction, STUB_MODULES, type StubService, startStubService } from './stub-service.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const WEIGHTED = '/v1/modules/1/measurements/weighted';

let stub: StubService;
let performer: Performer;

beforeEach(async () => {
  stub = await startStubService();
  performer = remotePerformer({
    url: stub.url,
    key: null,
    clock: () => NOW,
    lang: 'fr',
  });
});
afterEach(async () => {
  await performer.close();
  await stub.close();
});

function call(name: string, rawArguments: Record<string, unknown> = {}) {
  const operation = operationsByName.get(name)!;
  return performer.perform(operation, {
    rawArguments,
    readArguments: (context) => readToolArguments(operation, rawArguments, context),
  });
}

/** The query of the last request for a path. */
const queryOf = (path: string) =>
  Object.fromEntries(new URL(stub.requestsTo(path).at(-1)!.path, stub.url).searchParams);

const series = (points: number) => ({
  module_id: 1,
  type: 'humidity',
  unit: '%',
  start: '2026-06-24T10:00:00.000Z',
  end: '2026-07-01T10:00:00.000Z',
  interval_seconds: 900,
  data: Array.from({ length: points }, (_, index) => ({
    time: new Date(Date.parse('2026-06-24T10:00:00Z') + index * 900_000).toISOString(),
    value_vwc: 24,
  })),
});

describe('a service that knows the specification alone', () => {
  it('is sent the query parameters that it names', async () => {
    stub.on('GET /v1/gateways', jsonReaction({ data: [], next_cursor: null }));
    await call('list_parcels');
    expect(queryOf('/v1/parcels')).toEqual({ limit: '10' });
    await call('list_gateways', { search: '35' });
    expect(queryOf('/v1/gateways')).toEqual({ limit: '10', lang: 'fr', search: '35' });
    await call('list_modules');
    expect(queryOf('/v1/modules')).toEqual({});
  });

  it('is not asked a narrower question than it understands', async () => {
    await expect(call('list_modules', { search: 'north' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'search',
    });
    await expect(call('list_modules', { parcel: '#1' })).rejects.toMatchObject({ field: 'parcel' });
    await expect(call('get_moisture_series', { module: '#1', depths: true })).rejects.toMatchObject({
      field: 'depths',
    });
    expect(stub.requestsTo(WEIGHTED)).toEqual([]);
  });

  it('gives its pages on its own cursor, which is sent back', async () => {
    stub.on(
      'GET /v1/modules',
      jsonReaction({ ...STUB_MODULES, next_cursor: 'more' }),
      jsonReaction({ data: [], next_cursor: null }),
    );
    stub.on('GET /v1/modules/1/health', jsonReaction(null));
    await call('get_module_health', { module: 'North 1' });
    expect(stub.requestsTo('/v1/modules').map(({ path }) => path)).toEqual(['/v1/modules', '/v1/modules?cursor=more']);
  });

  it('is asked for a week in so many points as a tool holds', async () => {
    stub.on(`GET ${WEIGHTED}`, jsonReaction(series(28)));
    await call('get_moisture_series', { module: '#1' });
    // A week touches 57 buckets of 3 h and 29 of 6 h: 48 are the most.
    expect(queryOf(WEIGHTED)).toEqual({
      start: '2026-06-24T10:00:00.000Z',
      end: '2026-07-01T10:00:00.000Z',
      interval: String(6 * 3600),
    });
  });

  it('is asked for the period and interval that were given', async () => {
    stub.on(`GET ${WEIGHTED}`, jsonReaction(series(2)));
    const given = { start: '2026-06-30T00:00:00Z', end: '2026-06-30T01:00:00Z' };
    await call('get_moisture_series', { module: '#1', ...given, interval: 60 });
    expect(queryOf(WEIGHTED)).toMatchObject({ start: '2026-06-30T00:00:00.000Z', interval: '60' });
    await call('get_moisture_series', { module: '#1', ...given });
    expect(queryOf(WEIGHTED)).toMatchObject({ end: '2026-06-30T01:00:00.000Z', interval: '900' });
  });
});

describe('a series of more points than a tool holds', () => {
  it('is refused with the interval to use', async () => {
    stub.on(`GET ${WEIGHTED}`, jsonReaction(series(501)));
    // A week touches 673 buckets of 15 min and 337 of 30 min: 500 are the most.
    await expect(call('get_moisture_series', { module: '#1', interval: 900 })).rejects.toMatchObject({
      code: 'invalid_parameter',
      status: 400,
      message: 'An interval of 900 s gives more than 500 points there.',
      hint: expect.stringContaining('interval 1800'),
      field: 'interval',
    });
  });

  it('is answered up to those', async () => {
    stub.on(`GET ${WEIGHTED}`, jsonReaction(series(500)));
    const { body } = await call('get_moisture_series', { module: '#1', interval: 900 });
    expect((body as { data: unknown[] }).data).toHaveLength(500);
  });
});

describe('a service whose document names parameters', () => {
  const document = (...names: string[]) =>
    jsonReaction({ paths: { '/parcels': { get: { parameters: names.map((name) => ({ name, in: 'query' })) } } } });

  it('is sent these and those of the specification', async () => {
    stub.on('GET /v1/openapi.json', document('detail'));
    await call('list_parcels');
    expect(queryOf('/v1/parcels')).toEqual({ limit: '10', detail: 'concise' });
  });

  it('is sent all where its document tells of none', async () => {
    stub.on('GET /v1/openapi.json', jsonReaction({ paths: { '/irrigation/events': { get: {} } } }));
    stub.on('GET /v1/irrigation/events', jsonReaction({ data: [], next_cursor: null }));
    await call('list_waterings', { status: 'done' });
    expect(queryOf('/v1/irrigation/events')).toEqual({ limit: '10', status: 'done' });
  });
});

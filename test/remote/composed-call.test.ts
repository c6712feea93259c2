import { afterEach, beforeEach, expect, it } from 'vitest';
import { argumentLocation } from '../../src/operation/operation.ts';
import type { Performer } from '../../src/operation/performer.ts';
import { readToolArguments } from '../../src/operation/tool-arguments.ts';
import { remotePerformer } from '../../src/remote/remote-performer.ts';
import { operations, operationsByName } from '../../tools/index.ts';
import { jsonReaction, type StubService, startStubService } from './stub-service.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');

let stub: StubService;
let performer: Performer;

beforeEach(async () => {
  stub = await startStubService();
  performer = remotePerformer({
    url: stub.url,
    key: 'acequia_k',
    clock: () => NOW,
    lang: 'en',
  });
});
afterEach(async () => {
  await performer.close();
  await stub.close();
});

/** A document that names the endpoints of some operations, with what they take. */
const naming = (...names: string[]) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { endpoint, input } of operations.filter(({ name }) => names.includes(name))) {
    const parameters = Object.keys(input.shape).map((name) => ({ name, in: argumentLocation(endpoint, name) }));
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: { parameters } };
  }
  return jsonReaction({ openapi: '3.1.0', servers: [{ url: '/v1' }], paths });
};

const draw = () => {
  const operation = operationsByName.get('chart_moisture')!;
  const rawArguments = { module: 'North 1' };
  return performer.perform(operation, {
    rawArguments,
    readArguments: (context) => readToolArguments(operation, rawArguments, context),
  });
};

const PARTS = ['get_moisture_series', 'get_agronomic_state', 'list_alerts', 'list_waterings'];

const SERIES = {
  module_id: 1,
  type: 'humidity',
  unit: '%',
  start: '2026-06-24T10:00:00.000Z',
  end: '2026-07-01T10:00:00.000Z',
  interval_seconds: null,
  data: [{ time: '2026-07-01T09:00:00.000Z', value_vwc: 24.5 }],
};

it('a picture is offered where its parts are, whether the service draws or not', async () => {
  stub.on('GET /v1/openapi.json', naming(...PARTS));
  expect(await performer.allowedOperations(operations)).toEqual(new Set([...PARTS, 'chart_moisture']));
});

it('a picture is not offered of a service that draws and lacks a part of it', async () => {
  stub.on('GET /v1/openapi.json', naming('chart_moisture', ...PARTS.slice(1)));
  expect(await performer.allowedOperations(operations)).toEqual(new Set(PARTS.slice(1)));
});

it('what is put together from something put together is offered where the single operations are', async () => {
  const single = operations.filter(({ toolset }) => toolset !== 'advice').map(({ name }) => name);
  stub.on('GET /v1/openapi.json', naming(...single));
  expect(await performer.allowedOperations(operations)).toEqual(new Set(operations.map(({ name }) => name)));
  stub.on('GET /v1/openapi.json', naming(...single.filter((name) => name !== 'get_agronomic_state')));
  await performer.close();
  performer = remotePerformer({ url: stub.url, key: 'k', clock: () => NOW, lang: 'en' });
  const offered = await performer.allowedOperations(operations);
  expect(offered).not.toContain('advise_watering');
  expect(offered).not.toContain('morning_brief');
  expect(offered).toContain('review_waterings');
});

it('a picture that a service of another age leaves too little for is refused, with what is missing', async () => {
  stub.on('GET /v1/openapi.json', naming(...PARTS));
  stub.on('GET /v1/modules/1/measurements/weighted', jsonReaction(SERIES));
  stub.on('GET /v1/modules/1/agronomic-state', jsonReaction({ moduleId: 1, state: 'comfort', basis: {} }));
  for (const list of ['alerts', 'irrigation/events'])
    stub.on(`GET /v1/${list}`, jsonReaction({ data: [], next_cursor: null }));
  await expect(draw()).rejects.toMatchObject({
    code: 'REMOTE_INVALID',
    status: 502,
    message: expect.stringContaining('get_moisture_series: freshness'),
    hint: expect.stringContaining('get_moisture_series'),
  });
});

it('a part that is refused refuses the whole', async () => {
  stub.on('GET /v1/openapi.json', naming(...PARTS));
  stub.on('GET /v1/modules/1/measurements/weighted', jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403));
  await expect(draw()).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
});

import { expect, it } from 'vitest';
import { argumentLocation } from '../../src/operation/operation-fields.ts';
import { operations } from '../../tools/index.ts';
import { RemoteTools } from './remote-tools.ts';
import { jsonReaction } from './stub-service.ts';

const remote = new RemoteTools({});

const documentOf = (...names: string[]) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const { endpoint, input } of operations.filter(({ name }) => names.includes(name))) {
    const parameters = Object.keys(input.shape).map((name) => ({
      name,
      in: argumentLocation(endpoint, name),
    }));
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: { parameters },
    };
  }
  return jsonReaction({ openapi: '3.1.0', servers: [{ url: '/v1' }], paths });
};

const draw = () => remote.call('chart_moisture', { module: 'North 1' });

const PARTS = [
  'get_moisture_series',
  'get_module',
  'list_modules',
  'get_agronomic_state',
  'list_alerts',
  'list_waterings',
];

it('offers chart_moisture if the service has the operations it needs, with or without chart_moisture itself', async () => {
  remote.stub.on('GET /v1/openapi.json', documentOf(...PARTS));
  const offered = await remote.runner.allowedOperations(operations);
  expect(offered).toEqual(new Set([...PARTS, 'chart_moisture']));
});

it('does not offer chart_moisture if the service lacks an operation it needs, even if it has chart_moisture itself', async () => {
  remote.stub.on('GET /v1/openapi.json', documentOf('chart_moisture', ...PARTS.slice(1)));
  expect(await remote.runner.allowedOperations(operations)).toEqual(new Set(PARTS.slice(1)));
});

it('offers nested composed operations if the service has the basic ones', async () => {
  const single = operations.filter(({ toolset }) => toolset !== 'advice').map(({ name }) => name);
  remote.stub.on('GET /v1/openapi.json', documentOf(...single));
  expect(await remote.runner.allowedOperations(operations)).toEqual(
    new Set(operations.map(({ name }) => name)),
  );
  remote.stub.on(
    'GET /v1/openapi.json',
    documentOf(...single.filter((name) => name !== 'get_irrigation_setup')),
  );
  remote.connect();
  const offered = await remote.runner.allowedOperations(operations);
  expect(offered).not.toContain('advise_watering');
  expect(offered).not.toContain('morning_brief');
  expect(offered).toContain('chart_moisture');
});

it('refuses a composed operation with the refusal of its part', async () => {
  remote.stub.on('GET /v1/openapi.json', documentOf(...PARTS));
  remote.stub.on(
    'GET /v1/modules/1/measurements/weighted',
    jsonReaction({ code: 'insufficient_scope', detail: 'No.' }, 403),
  );
  await expect(draw()).rejects.toMatchObject({ code: 'insufficient_scope', status: 403 });
});

import { expect, it } from 'vitest';
import { parseEndpoints } from '../../src/remote/service/supported-operations.ts';
import { EVENTS, RemoteTools } from './remote-tools.ts';
import { jsonReaction, STUB_MODULES } from './stub-service.ts';

const remote = new RemoteTools({ lang: 'fr' });

const document = (path: string, ...names: string[]) =>
  jsonReaction({
    paths: { [path]: { get: { parameters: names.map((name) => ({ name, in: 'query' })) } } },
  });

const queryOf = (path: string) =>
  Object.fromEntries(
    new URL(remote.stub.requestsTo(path).at(-1)!.path, remote.stub.url).searchParams,
  );

it('sends every parameter to a service without openapi.json', async () => {
  await remote.call('list_parcels');
  expect(queryOf('/v1/parcels')).toEqual({ limit: '10', detail: 'concise' });
});

it('sends the parameters that openapi.json names, and leaves out what only makes an answer shorter', async () => {
  remote.stub.on('GET /v1/openapi.json', document('/parcels', 'detail'));
  await remote.call('list_parcels');
  expect(queryOf('/v1/parcels')).toEqual({ detail: 'concise' });
});

it('refuses an argument without which the answer would mean something else', async () => {
  remote.stub.on('GET /v1/openapi.json', document('/modules', 'lang'));
  await expect(remote.call('list_modules', { search: 'north' })).rejects.toMatchObject({
    code: 'invalid_parameter',
    field: 'search',
    hint: 'Leave search out and filter the full answer.',
  });
  await expect(remote.call('list_modules', { parcel: '#1' })).rejects.toMatchObject({
    field: 'parcel',
  });
  expect(remote.stub.requestsTo('/v1/modules')).toEqual([]);
});

it('sends arguments of a body whatever openapi.json names', async () => {
  remote.stub.on('GET /v1/openapi.json', document('/company'));
  await remote
    .call('log_watering', { module: '#1', startedAt: 'now', inputMode: 'duration', durationMin: 4 })
    .catch(() => 0);
  expect(JSON.parse(remote.stub.requestsTo(EVENTS)[0]!.body)).toMatchObject({ durationMin: 4 });
});

it('sends a cursor back even if openapi.json does not name it', async () => {
  remote.stub.on('GET /v1/openapi.json', document('/modules'));
  remote.stub.on(
    'GET /v1/modules',
    jsonReaction({ ...STUB_MODULES, next_cursor: 'more' }),
    jsonReaction({ data: [], next_cursor: null }),
  );
  remote.stub.on('GET /v1/modules/1/health', jsonReaction(null));
  await remote.call('get_module_health', { module: 'North 1' });
  expect(remote.stub.requestsTo('/v1/modules').map(({ path }) => path)).toEqual([
    '/v1/modules',
    '/v1/modules?cursor=more',
  ]);
});

const keysOf = (document: object, basePath = '/v1') => [
  ...parseEndpoints(document, basePath)!.keys(),
];

it('reads paths as paths below the base address, or as those of the host', () => {
  const paths = { '/company': { get: {} }, '/api/v1/modules/{id}': { get: {} } };
  expect(keysOf({ paths }, '/api/v1')).toEqual(['GET /company', 'GET /modules/{}']);
  expect(keysOf({ paths: { '/company': { get: {} } } }, '')).toEqual(['GET /company']);
});

it('reads methods alone and skips malformed parts', () => {
  const paths = {
    '/company': { summary: 'x', parameters: 1, get: {}, put: 'no', head: {} },
    '/odd': null,
  };
  expect(keysOf({ paths, components: [] })).toEqual(['GET /company']);
});

it('reads the query parameters of an operation, of its path, and those that are references', () => {
  const endpoints = parseEndpoints(
    {
      components: { parameters: { Lang: { name: 'lang', in: 'query' } } },
      paths: {
        '/modules': {
          parameters: [{ $ref: '#/components/parameters/Lang' }, { $ref: '#/nowhere' }],
          get: {
            parameters: [
              { name: 'limit', in: 'query' },
              { name: 'x-y', in: 'header' },
            ],
          },
        },
        '/parcels': { get: {} },
      },
    },
    '/v1',
  )!;
  expect(endpoints.get('GET /modules')).toEqual(new Set(['lang', 'limit']));
  expect(endpoints.get('GET /parcels')).toEqual(new Set());
});

it.each(['text', [], null, undefined, { paths: [] }, {}])(
  'does not take %j for a document',
  (document) => {
    expect(parseEndpoints(document, '/v1')).toBeNull();
  },
);

it('refuses a watering of a parcel where the service logs those of probes alone, before it sends anything', async () => {
  const methods = { post: { parameters: [] } };
  remote.stub.on(
    'GET /v1/openapi.json',
    jsonReaction({ paths: { '/modules/{id}/irrigation/events': methods } }),
  );
  const watering = { parcel: '#1', startedAt: 'now', inputMode: 'duration', durationMin: 4 };
  await expect(remote.call('log_watering', watering)).rejects.toMatchObject({
    code: 'invalid_parameter',
    field: 'parcel',
    hint: expect.stringContaining('with module'),
  });
  expect(remote.stub.requestsTo('/v1/parcels/1/irrigation/events')).toEqual([]);
});

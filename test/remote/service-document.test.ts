import { expect, it } from 'vitest';
import { parseEndpoints } from '../../src/remote/supported-operations.ts';

const keysOf = (document: object, basePath = '/v1') => [...parseEndpoints(document, basePath)!.keys()];

it('reads paths as paths below the base address, or as those of the host', () => {
  const paths = { '/company': { get: {} }, '/api/v1/modules/{id}': { get: {} } };
  expect(keysOf({ paths }, '/api/v1')).toEqual(['GET /company', 'GET /modules/{}']);
  expect(keysOf({ paths: { '/company': { get: {} } } }, '')).toEqual(['GET /company']);
});

it('reads methods alone and skips malformed parts', () => {
  const paths = { '/company': { summary: 'x', parameters: 1, get: {}, put: 'no', head: {} }, '/odd': null };
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

it.each(['text', [], null, undefined, { paths: [] }, {}])('does not take %j for a document', (document) => {
  expect(parseEndpoints(document, '/v1')).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { parseServiceAddress } from '../../src/remote/connection.ts';
import { parseEndpoints } from '../../src/remote/service-document.ts';

const keysOf = (document: object, url = 'https://water.example.org/api/v1') => [
  ...(parseEndpoints(JSON.stringify(document), parseServiceAddress(url))?.keys() ?? []),
];
const at = (...paths: string[]) => ({ paths: Object.fromEntries(paths.map((path) => [path, { get: {} }])) });

describe('the paths of a document', () => {
  it.each([
    ['relative to the host', [{ url: '/api' }]],
    ['of another name of the host', [{ url: 'https://public.example.org/api/' }]],
    ['relative to the document', [{ url: '..' }]],
    ['with a variable', [{ url: '/{where}', variables: { where: { default: 'api' } } }]],
    ['the second of two', [{ url: '/elsewhere' }, { url: '/api' }]],
  ])('lie below a server %s', (_, servers) => {
    expect(keysOf({ servers, ...at('/v1/company', '/v2/company', '/company') })).toEqual(['GET /company']);
  });

  it('lie at the document where its server is there', () => {
    expect(keysOf({ servers: [{ url: './' }], ...at('/company') })).toEqual(['GET /company']);
  });

  it('are as they stand where it has no servers, or knows no server at the address it was asked at', () => {
    expect(keysOf(at('/company'))).toEqual(['GET /company']);
    expect(keysOf(at('/api/v1/company'))).toEqual(['GET /company']);
    expect(keysOf({ servers: [{ url: '/v1' }], ...at('/company') })).toEqual(['GET /company']);
    expect(keysOf({ servers: [{ url: 'http://[' }, 7], ...at('/company') })).toEqual(['GET /company']);
  });

  it('are found at an address without a path', () => {
    expect(keysOf({ servers: [{ url: '/' }], ...at('/company') }, 'https://water.example.org')).toEqual([
      'GET /company',
    ]);
  });
});

it('names methods alone, whatever else stands at a path', () => {
  expect(keysOf({ paths: { '/company': { summary: 'x', parameters: [], get: {}, head: {} }, '/odd': null } })).toEqual([
    'GET /company',
  ]);
});

it('tells the query parameters of an endpoint: its own, its path’s and those given by reference', () => {
  const document = {
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
  };
  const named = parseEndpoints(JSON.stringify(document), parseServiceAddress('https://water.example.org/v1'))!;
  expect(named.get('GET /modules')).toEqual(new Set(['lang', 'limit']));
  expect(named.get('GET /parcels')).toBeNull();
});

it.each(['<html>', '[]', 'null', '{"paths":[]}', '{}'])('is none where there stands %s', (text) => {
  expect(parseEndpoints(text, parseServiceAddress('https://water.example.org/v1'))).toBeNull();
});

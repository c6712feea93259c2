import { expect, it } from 'vitest';
import { metadata, OPENID, openTestIssuer, type Pages } from './issuer-pages.ts';

const RFC_8414 = '/.well-known/oauth-authorization-server/realms/farm';

it.each<[string, Pages]>([
  ['OpenID Connect', (place) => ({ [OPENID]: metadata(place) })],
  ['RFC 8414', (place) => ({ [RFC_8414]: metadata(place) })],
])('finds an issuer that publishes its metadata by %s', async (_, pages) => {
  const { log, sign, statusOf } = await openTestIssuer(pages);
  expect([await statusOf(await sign()), log]).toEqual([200, []]);
});

it('takes the name of the issuer from its metadata where only the last slash differs', async () => {
  const { url, sign, statusOf } = await openTestIssuer((place) => ({
    [OPENID]: metadata(place, { issuer: `${place.url}/` }),
  }));
  expect([await statusOf(await sign({ iss: `${url}/` })), await statusOf(await sign())]).toEqual([
    200, 401,
  ]);
});

it.each<[string, Pages, RegExp]>([
  ['is not there', () => ({}), /has no metadata: status 404 and 404/],
  [
    'names another issuer',
    (place) => ({ [OPENID]: metadata(place, { issuer: place.origin }) }),
    /names another issuer/,
  ],
  ['is not JSON', () => ({ [OPENID]: { body: '<html>' } }), /names another issuer/],
  [
    'has no keys',
    (place) => ({ [OPENID]: metadata(place, { jwks_uri: undefined }) }),
    /has no jwks_uri/,
  ],
  [
    'has its keys at http elsewhere',
    (place) => ({ [OPENID]: metadata(place, { jwks_uri: 'http://keys.example.org' }) }),
    /no https address as jwks_uri/,
  ],
  [
    'has userinfo at http elsewhere',
    (place) => ({ [OPENID]: metadata(place, { userinfo_endpoint: 'http://a.example.org' }) }),
    /no https address as userinfo_endpoint/,
  ],
  [
    'redirects',
    (place) => ({
      [OPENID]: { status: 302, location: `${place.origin}/m` },
      '/m': metadata(place),
    }),
    /has no metadata: status 302 and 404/,
  ],
  [
    'is endless',
    () => ({ [OPENID]: { body: `"${'x'.repeat(1_100_000)}"` } }),
    /more than 1048576 bytes/,
  ],
  [
    'has keys that are none',
    (place) => ({ [OPENID]: metadata(place), '/keys': { body: { keys: 'none' } } }),
    /no keys \(status 200\)/,
  ],
  [
    'has failing keys',
    (place) => ({ [OPENID]: metadata(place), '/keys': { status: 500 } }),
    /no keys \(status 500\)/,
  ],
])('accepts no token while the metadata %s, and logs why', async (_, pages, reason) => {
  const { log, sign, statusOf } = await openTestIssuer(pages);
  expect([await statusOf(await sign()), log]).toEqual([503, [expect.stringMatching(reason)]]);
});

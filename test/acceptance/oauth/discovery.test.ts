import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { newSigningKey } from './issuer.ts';
import { serveWithOAuth } from './oauth-service.ts';

interface Place {
  readonly origin: string;
  readonly issuer: string;
}
type Answer = { readonly status?: number; readonly location?: string; readonly body?: unknown };
type Pages = (place: Place) => Record<string, Answer>;

/** An issuer that is only its pages, at the path /realms/farm, whose key is at /keys. */
async function companyStatus(pages: Pages, options: { iss?: (place: Place) => string } = {}) {
  const key = await newSigningKey('key-1');
  const server = createServer((request, response) => {
    const answers: Record<string, Answer> = { '/keys': { body: { keys: [key.publicJwk] } }, ...pages(place) };
    const { status = 200, location, body } = answers[request.url!] ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place: Place = { origin, issuer: `${origin}/realms/farm` };
  const service = await serveWithOAuth({ url: place.issuer }, { after: afterTest });
  const token = await new SignJWT(service.claims({ iss: options.iss?.(place) ?? place.issuer }))
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'key-1' })
    .sign(key.privateKey);
  const { status } = await service.request('GET', '/company', { headers: { authorization: `Bearer ${token}` } });
  return { status, log: service.stderr() };
}

const OPENID = '/realms/farm/.well-known/openid-configuration';
const RFC_8414 = '/.well-known/oauth-authorization-server/realms/farm';
const metadata = ({ origin, issuer }: Place, other: object = {}): Answer => ({
  body: { issuer, jwks_uri: `${origin}/keys`, ...other },
});

it.each<[string, Pages]>([
  ['OpenID Connect', (place) => ({ [OPENID]: metadata(place) })],
  ['RFC 8414', (place) => ({ [RFC_8414]: metadata(place) })],
])('finds an issuer that publishes its metadata by %s', async (_, pages) => {
  expect(await companyStatus(pages)).toEqual({ status: 200, log: '' });
});

it('takes the name of the issuer from its metadata where only the last slash differs', async () => {
  const pages: Pages = (place) => ({ [OPENID]: metadata(place, { issuer: `${place.issuer}/` }) });
  expect(await companyStatus(pages, { iss: ({ issuer }) => `${issuer}/` })).toMatchObject({ status: 200 });
  expect(await companyStatus(pages)).toMatchObject({ status: 401 });
});

it.each<[string, Pages, RegExp]>([
  [
    'names another issuer',
    (place) => ({ [OPENID]: metadata(place, { issuer: place.origin }) }),
    /names another issuer/,
  ],
  ['is not JSON', () => ({ [OPENID]: { body: '<html>' } }), /names another issuer/],
  ['has no keys', (place) => ({ [OPENID]: metadata(place, { jwks_uri: undefined }) }), /has no jwks_uri/],
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
    (place) => ({ [OPENID]: { status: 302, location: `${place.origin}/m` }, '/m': metadata(place) }),
    /has no metadata: status 302 and 404/,
  ],
  ['is endless', () => ({ [OPENID]: { body: `"${'x'.repeat(1_100_000)}"` } }), /more than 1048576 bytes/],
  [
    'has keys that are none',
    (place) => ({ [OPENID]: metadata(place), '/keys': { body: { keys: 'none' } } }),
    /no keys \(status 200\)/,
  ],
  ['has failing keys', (place) => ({ [OPENID]: metadata(place), '/keys': { status: 500 } }), /no keys \(status 500\)/],
])('accepts no token while the metadata %s, and logs why', async (_, pages, reason) => {
  expect(await companyStatus(pages)).toEqual({ status: 503, log: expect.stringMatching(reason) });
});

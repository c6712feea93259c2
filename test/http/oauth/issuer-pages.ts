import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import { verifyAccessToken } from '../../../src/http/oauth/access-token.ts';
import { Issuer } from '../../../src/http/oauth/issuer.ts';
import { newSigningKey, type SigningKey } from '../../acceptance/oauth/signing-key.ts';
import { afterTest } from '../../cleanup.ts';

export const AUDIENCE = 'https://water.example.org/mcp';
/** The signal of a service that runs on. */
export const NEVER_CLOSED = new AbortController().signal;
export const OPENID = '/realms/farm/.well-known/openid-configuration';

export interface Page {
  readonly status?: number;
  readonly location?: string;
  readonly body?: unknown;
}

interface IssuerPlace {
  readonly origin: string;
  readonly url: string;
}

export type Pages = (place: IssuerPlace) => Record<string, Page>;

export const metadata = ({ origin, url }: IssuerPlace, other: object = {}): Page => ({
  body: { issuer: url, jwks_uri: `${origin}/keys`, ...other },
});

let madeKey: Promise<SigningKey> | undefined;

/** Making one takes longer than most tests here. */
export function signingKey(): Promise<SigningKey> {
  madeKey ??= newSigningKey('key-1');
  return madeKey;
}

/** An issuer that is only its pages, at the path /realms/farm, and has its key at /keys. */
export async function openTestIssuer(pages: Pages = (place) => ({ [OPENID]: metadata(place) })) {
  const { publicJwk, privateKey } = await signingKey();
  const published: Record<string, Page> = { '/keys': { body: { keys: [publicJwk] } } };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    const {
      status = 200,
      location,
      body,
    } = { ...pages(place), ...published }[request.url!] ?? { status: 404 };
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location ? { location } : {}),
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  afterTest(stop);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place: IssuerPlace = { origin, url: `${origin}/realms/farm` };
  Object.assign(published, pages(place));
  const log: string[] = [];
  const report = async (reason: string): Promise<void> => void log.push(reason);
  const issuer = new Issuer(new URL(place.url), report, NEVER_CLOSED);
  const now = Math.floor(Date.now() / 1000);
  return {
    ...place,
    issuer,
    log,
    report,
    requests,
    published,
    stop,
    sign: (claims: JWTPayload = {}, kid = 'key-1') =>
      new SignJWT({ iss: place.url, aud: AUDIENCE, sub: 'ana', exp: now + 300, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .sign(privateKey),
    /** The status of a request with this token: 200 where it is valid. */
    statusOf: (token: string): Promise<number> =>
      verifyAccessToken(token, { issuer, audience: AUDIENCE }).then(
        () => 200,
        (error) => error.status,
      ),
  };
}

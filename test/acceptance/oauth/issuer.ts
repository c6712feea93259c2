import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { KEY_PRESET_NAMES, presetScope } from '../../../src/service/keys/key-presets.ts';
import { afterFile } from '../../cleanup.ts';
import { newSigningKey, type SigningKey } from './signing-key.ts';

interface Person {
  readonly email: string;
  readonly isVerified: boolean;
}

/** The accounts by login. */
const PEOPLE: Readonly<Record<string, Person>> = {
  ana: { email: 'Ana@Example.org', isVerified: true },
  eve: { email: 'eve@example.org', isVerified: true },
};

export interface TestIssuer {
  readonly url: string;
  /** Signed by the present key, or by another one. */
  sign(claims: JWTPayload, header?: Record<string, unknown>, key?: SigningKey): Promise<string>;
  signingKey(): SigningKey;
  rotateKey(): Promise<void>;
  /**
   * Answers of the userinfo endpoint by access token, which the issuer itself only gives for opaque
   * tokens; or their status.
   */
  readonly userinfo: Map<string, object | number>;
  /** Paths of the requests since the start. */
  readonly requests: string[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

const PRESET_SCOPES = KEY_PRESET_NAMES.map(presetScope);

const configurationOf = ({ privateJwk }: SigningKey) => ({
  jwks: { keys: [privateJwk] },
  scopes: ['openid', 'offline_access', ...PRESET_SCOPES],
  cookies: { keys: ['only for tests'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  ttl: {
    AccessToken: 300,
    AuthorizationCode: 60,
    Grant: 300,
    IdToken: 300,
    Interaction: 300,
    Session: 300,
  },
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_: unknown, resource: string) => ({
        scope: PRESET_SCOPES.join(' '),
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  findAccount: (_: unknown, login: string) => ({
    accountId: login,
    claims: () => ({ sub: login }),
  }),
  extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => {
    const person = PEOPLE[accountId];
    return person && { email: person.email, email_verified: person.isVerified };
  },
});

/** A real issuer at a loopback address, for one file of tests. */
export async function startIssuer(): Promise<TestIssuer> {
  let server: Server | null = null;
  let port = 0;
  let key = await newSigningKey('key-1');
  let keyCount = 1;
  let handle: RequestListener = () => undefined;
  const userinfo = new Map<string, object | number>();
  const requests: string[] = [];

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url!, url());
    requests.push(pathname);
    const answer = userinfo.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (pathname !== '/me' || answer === undefined) handle(request, response);
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const url = (): string => `http://127.0.0.1:${port}`;
  const publish = (): void => {
    handle = new Provider(url(), configurationOf(key)).callback();
  };
  async function start(): Promise<void> {
    server = createServer(listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    publish();
  }
  async function stop(): Promise<void> {
    server?.close();
    server?.closeAllConnections();
    server = null;
  }
  await start();
  afterFile(stop);

  return {
    url: url(),
    userinfo,
    requests,
    start,
    stop,
    signingKey: () => key,
    async rotateKey() {
      keyCount += 1;
      key = await newSigningKey(`key-${keyCount}`);
      publish();
    },
    sign: (claims, header = {}, { privateKey, publicJwk } = key) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: publicJwk.kid!, ...header })
        .sign(privateKey),
  };
}

import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import {
  ISSUER_RETRY_AFTER_S,
  IssuerError,
  type IssuerResponse,
  isConfidential,
  issuerUnavailableError,
  type ReportIssuer,
  requestIssuer,
  toRecord,
  toUnavailableError,
} from './issuer-requests.ts';

const METADATA_MAX_AGE_MS = HOUR_MS;
const KEYS_MAX_AGE_MS = 10 * MINUTE_MS;
/**
 * A token with an unknown key id makes the service fetch the keys again, but not more often than
 * this.
 */
const KEYS_COOLDOWN_MS = 10 * SECOND_MS;
const FAILURE_COOLDOWN_MS = ISSUER_RETRY_AFTER_S * SECOND_MS;

interface IssuerMetadata {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  readonly userinfoEndpoint: URL | null;
  /** Those of openid and email that the issuer supports. */
  readonly loginScopes: readonly string[];
}

export interface Issuer {
  /** Throws 503 while the issuer cannot be used. */
  metadata(): Promise<IssuerMetadata>;
  /** Null if the metadata could not be read yet; the next attempt then runs in the background. */
  cachedMetadata(): Promise<IssuerMetadata | null>;
}

type Attempt = <T>(request: () => Promise<T>) => Promise<T>;

/** Begins to read the metadata of the issuer, and reads it again each hour. */
export function openIssuer(url: URL, report: ReportIssuer): Issuer {
  let cached: { readonly metadata: IssuerMetadata; readonly readAtMs: number } | null = null;
  let pending: Promise<IssuerMetadata> | null = null;
  let failedAtMs = Number.NEGATIVE_INFINITY;

  const attempt: Attempt = async (request) => {
    if (performance.now() - failedAtMs < FAILURE_COOLDOWN_MS) throw issuerUnavailableError();
    return request().catch(async (error) => {
      if (error instanceof IssuerError) failedAtMs = performance.now();
      throw await toUnavailableError(error, report);
    });
  };

  async function readMetadata(): Promise<IssuerMetadata> {
    const metadata = await discover(url, attempt);
    cached = { metadata, readAtMs: performance.now() };
    return metadata;
  }

  const refresh = (): Promise<IssuerMetadata> => {
    pending ??= attempt(readMetadata).finally(() => {
      pending = null;
    });
    return pending;
  };

  const started = refresh().catch(() => undefined);
  return {
    async cachedMetadata() {
      await started;
      if (!cached) refresh().catch(() => undefined);
      return cached?.metadata ?? null;
    },
    async metadata() {
      if (cached && performance.now() - cached.readAtMs < METADATA_MAX_AGE_MS)
        return cached.metadata;
      const old = cached?.metadata;
      return refresh().catch((error) => {
        if (old) return old;
        throw error;
      });
    },
  };
}

/** Source: OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3. */
function metadataUrls({ origin, pathname }: URL): URL[] {
  const path = pathname.replace(/\/$/, '');
  return [
    new URL(`${path}/.well-known/openid-configuration`, origin),
    new URL(`/.well-known/oauth-authorization-server${path}`, origin),
  ];
}

async function discover(url: URL, attempt: Attempt): Promise<IssuerMetadata> {
  const statuses: number[] = [];
  for (const each of metadataUrls(url)) {
    const { status, json } = await requestIssuer(each);
    if (status === 200) return parseMetadata(url, json, attempt);
    statuses.push(status);
  }
  throw new IssuerError(
    `${url.href} has no metadata: status ${statuses.join(' and ')}. Check --oauth-issuer.`,
  );
}

const withoutSlash = (text: string): string => text.replace(/\/$/, '');

function parseMetadata(url: URL, json: unknown, attempt: Attempt): IssuerMetadata {
  const {
    issuer,
    jwks_uri: jwksUri,
    userinfo_endpoint: userinfo,
    scopes_supported: scopes,
  } = toRecord(json);
  if (typeof issuer !== 'string' || withoutSlash(issuer) !== withoutSlash(url.href))
    throw new IssuerError(`The metadata of ${url.href} names another issuer.`);

  const keysUrl = toEndpoint(url, 'jwks_uri', jwksUri);
  if (keysUrl === null) throw new IssuerError(`The metadata of ${url.href} has no jwks_uri.`);

  const userinfoEndpoint = toEndpoint(url, 'userinfo_endpoint', userinfo);
  const supported = Array.isArray(scopes) ? scopes : ['openid', 'email'];
  return {
    issuer,
    keys: remoteKeys(keysUrl, attempt),
    userinfoEndpoint,
    loginScopes: userinfoEndpoint
      ? ['openid', 'email'].filter((scope) => supported.includes(scope))
      : [],
  };
}

function toEndpoint(issuer: URL, name: string, text: unknown): URL | null {
  if (text === undefined) return null;
  const endpoint = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (!endpoint || !isConfidential(endpoint))
    throw new IssuerError(`The metadata of ${issuer.href} has no https address as ${name}.`);
  return endpoint;
}

const remoteKeys = (url: URL, attempt: Attempt): JWTVerifyGetKey =>
  createRemoteJWKSet(url, {
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    [customFetch]: () =>
      attempt(async () => {
        const { status, json } = await requestIssuer(url);
        if (!isKeySet({ status, json }))
          throw new IssuerError(`GET ${url.href}: no keys (status ${status}).`);
        return Response.json(json);
      }),
  });

const isKeySet = ({ status, json }: IssuerResponse): boolean => {
  const { keys } = toRecord(json);
  return (
    status === 200 &&
    Array.isArray(keys) &&
    keys.every((key) => typeof key === 'object' && key !== null)
  );
};

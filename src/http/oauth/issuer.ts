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

/** With these, the userinfo endpoint gives the address of the person. */
const LOGIN_SCOPES = ['openid', 'email'];

interface IssuerMetadata {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
  readonly userinfoEndpoint: URL | null;
  /** The LOGIN_SCOPES that the issuer supports; none without a userinfo endpoint. */
  readonly loginScopes: readonly string[];
}

type Attempt = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * Reads the metadata of an issuer once it is created, and again each hour. `closing` ends every
 * request to the issuer.
 */
export class Issuer {
  readonly #url: URL;
  readonly #report: ReportIssuer;
  readonly #closing: AbortSignal;
  readonly #firstRead: Promise<unknown>;
  #cached: { readonly metadata: IssuerMetadata; readonly readAtMs: number } | null = null;
  #pending: Promise<IssuerMetadata> | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(url: URL, report: ReportIssuer, closing: AbortSignal) {
    this.#url = url;
    this.#report = report;
    this.#closing = closing;
    this.#firstRead = this.#refresh().catch(() => undefined);
  }

  /** Throws 503 while the issuer cannot be used, unless earlier metadata are known. */
  async metadata(): Promise<IssuerMetadata> {
    const cached = this.#cached;
    if (cached === null) return this.#refresh();
    if (performance.now() - cached.readAtMs < METADATA_MAX_AGE_MS) return cached.metadata;
    return this.#refresh().catch(() => cached.metadata);
  }

  /** Null if the metadata could not be read yet; the next attempt then runs in the background. */
  async cachedMetadata(): Promise<IssuerMetadata | null> {
    await this.#firstRead;
    if (this.#cached === null) this.#refresh().catch(() => undefined);
    return this.#cached?.metadata ?? null;
  }

  /** Calls at the same time share one attempt. */
  #refresh(): Promise<IssuerMetadata> {
    this.#pending ??= this.#attempt(() => this.#readMetadata()).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #readMetadata(): Promise<IssuerMetadata> {
    const metadata = await discover({
      url: this.#url,
      attempt: this.#attempt,
      closing: this.#closing,
    });
    this.#cached = { metadata, readAtMs: performance.now() };
    return metadata;
  }

  /** Sends no request for a while after one that failed. */
  readonly #attempt: Attempt = async (request) => {
    if (performance.now() - this.#failedAtMs < FAILURE_COOLDOWN_MS) throw issuerUnavailableError();

    try {
      return await request();
    } catch (error) {
      if (error instanceof IssuerError) this.#failedAtMs = performance.now();
      throw await toUnavailableError(error, this.#report);
    }
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

interface IssuerAccess {
  readonly url: URL;
  readonly attempt: Attempt;
  readonly closing: AbortSignal;
}

async function discover(access: IssuerAccess): Promise<IssuerMetadata> {
  const { url, closing } = access;
  const statuses: number[] = [];
  for (const metadataUrl of metadataUrls(url)) {
    const { status, json } = await requestIssuer(metadataUrl, closing);
    if (status === 200) return parseMetadata(json, access);
    statuses.push(status);
  }
  throw new IssuerError(
    `${url.href} has no metadata: status ${statuses.join(' and ')}. Check --oauth-issuer.`,
  );
}

const withoutSlash = (text: string): string => text.replace(/\/$/, '');

function parseMetadata(json: unknown, access: IssuerAccess): IssuerMetadata {
  const { url } = access;
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
  return {
    issuer,
    keys: remoteKeys(keysUrl, access),
    userinfoEndpoint,
    loginScopes: userinfoEndpoint === null ? [] : loginScopesIn(scopes),
  };
}

/** An issuer that lists no scopes is expected to have both. */
const loginScopesIn = (supported: unknown): readonly string[] =>
  Array.isArray(supported)
    ? LOGIN_SCOPES.filter((scope) => supported.includes(scope))
    : LOGIN_SCOPES;

function toEndpoint(issuer: URL, name: string, text: unknown): URL | null {
  if (text === undefined) return null;
  const endpoint = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (!endpoint || !isConfidential(endpoint))
    throw new IssuerError(`The metadata of ${issuer.href} has no https address as ${name}.`);
  return endpoint;
}

const remoteKeys = (url: URL, { attempt, closing }: IssuerAccess): JWTVerifyGetKey =>
  createRemoteJWKSet(url, {
    cooldownDuration: KEYS_COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    [customFetch]: () =>
      attempt(async () => {
        const { status, json } = await requestIssuer(url, closing);
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

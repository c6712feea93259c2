import type { IncomingMessage } from 'node:http';
import {
  type Identify,
  type Identity,
  InsufficientScopeError,
  takerOf,
} from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import { identifyByKey } from '../../service/keys/api-keys.ts';
import { COMPANY_HEADER } from '../../service/keys/token-caller.ts';
import type { HttpLimits } from '../http-limits.ts';
import type { OAuthResource } from '../oauth/oauth-resource.ts';
import type { PageAccess } from '../page/page-access.ts';
import type { ResponseHeaders } from '../reply.ts';
import { addressGroup, addressOf } from './addresses.ts';
import type { KnownCallers } from './known-callers.ts';
import { TokenBuckets } from './rate-limit.ts';
import { RecentIdentities } from './recent-identities.ts';
import { type RequestShares, sharesOf } from './request-shares.ts';

export interface AdmissionOptions {
  readonly clock: () => number;
  readonly limits: HttpLimits;
  readonly onKeyUse?: (keyId: number) => void;
  /** Null unless access tokens of an issuer are accepted. */
  readonly oauth?: OAuthResource | null | undefined;
  /** Undefined unless the live page is served, whose sessions are then accepted. */
  readonly pageAccess?: PageAccess | undefined;
}

interface AdmissionRequest {
  readonly incoming: IncomingMessage;
  /** MCP clients send a key as a bearer token; over REST it has a header of its own. */
  readonly acceptsBearerKeys: boolean;
  /** Also accepts sessions of people who signed in to the page; default: only keys and tokens. */
  readonly acceptsSessions?: boolean;
  /** Scope of the operation; unknown for MCP. */
  readonly scope?: Scope;
  /** A key that was sent in the path. */
  readonly key?: string | undefined;
}

export interface Admitted {
  readonly identify: Identify;
  /** The shares of the company as soon as the caller is known. */
  readonly shares: RequestShares;
  /** Who sent the key within the last seconds; null if it has to be identified. */
  readonly recentIdentity: () => Identity | null;
  /**
   * Adds a challenge to the headers if signing in again could grant the refused scope. Returns
   * whether it did.
   */
  readonly challengeScope: (refusal: unknown) => Promise<boolean>;
}

export type Admit = (request: AdmissionRequest, headers: ResponseHeaders) => Promise<Admitted>;

/** Shared by all requests. */
interface RateLimits {
  /** Per key family or member. */
  readonly callers: TokenBuckets;
  /** For requests whose caller is unknown or refused. */
  readonly addresses: TokenBuckets;
}

/**
 * One rate limit for REST and MCP: per key family or member, and per address for other requests.
 */
export function admission(options: AdmissionOptions, known: KnownCallers): Admit {
  const rateLimits: RateLimits = {
    callers: new TokenBuckets(options.limits),
    addresses: new TokenBuckets(options.limits),
  };
  const recent = new RecentIdentities();
  const state = { rateLimits, known, recent };
  return (request, headers) => new Admission(options, state, request, headers).admit();
}

/** Shared by all requests. */
interface AdmissionState {
  readonly rateLimits: RateLimits;
  readonly known: KnownCallers;
  readonly recent: RecentIdentities;
}

/** Admits one request. */
class Admission {
  readonly #options: AdmissionOptions;
  readonly #rateLimits: RateLimits;
  readonly #known: KnownCallers;
  readonly #recent: RecentIdentities;
  readonly #shares: RequestShares;
  readonly #request: AdmissionRequest;
  readonly #headers: ResponseHeaders;
  readonly #credentials: Credentials;
  /** Null unless the request comes from the page, with a session rather than a key or token. */
  readonly #page: PageAccess | null;
  // A call may identify its caller again in another transaction, and counts once.
  #isCounted = false;

  constructor(
    options: AdmissionOptions,
    { rateLimits, known, recent }: AdmissionState,
    request: AdmissionRequest,
    headers: ResponseHeaders,
  ) {
    this.#options = options;
    this.#rateLimits = rateLimits;
    this.#known = known;
    this.#recent = recent;
    this.#shares = sharesOf(request.incoming);
    this.#request = request;
    this.#headers = headers;
    this.#credentials = credentialsOf(request, options.oauth != null);
    const { acceptsSessions = false } = request;
    this.#page = acceptsSessions ? this.#pageOf(request.incoming) : null;
  }

  async admit(): Promise<Admitted> {
    const { oauth } = this.#options;
    const { token } = this.#credentials;
    if (this.#page) return this.#admitSession(this.#page);
    return oauth && token !== undefined ? this.#admitToken(oauth, token) : this.#admitKey();
  }

  #pageOf(incoming: IncomingMessage): PageAccess | null {
    const { key, token } = this.#credentials;
    const { pageAccess } = this.#options;
    if (key !== undefined || token !== undefined) return null;
    return pageAccess?.isPageRequest(incoming) ? pageAccess : null;
  }

  #admitSession(page: PageAccess): Admitted {
    const { incoming } = this.#request;
    return this.#admitted(page.sessionOf(incoming).identify);
  }

  #admitKey(): Admitted {
    const { clock, onKeyUse } = this.#options;
    const { key } = this.#credentials;
    const identify = identifyByKey(key, clock, onKeyUse);
    if (key === undefined) return this.#admitted(identify);
    return {
      ...this.#admitted(this.#recent.keeping(key, identify)),
      recentIdentity: () => this.#countedIdentity(key),
    };
  }

  async #admitToken(oauth: OAuthResource, token: string): Promise<Admitted> {
    const company = companyHeaderOf(this.#request.incoming);
    const { identify, stepUp } = await oauth.verify(token, company).catch(this.#countRefusal);
    return {
      ...this.#admitted(identify),
      challengeScope: async (refusal) => {
        if (stepUp === null || !(refusal instanceof InsufficientScopeError)) return false;
        this.#headers['WWW-Authenticate'] = await stepUp(refusal.neededScope);
        return true;
      },
    };
  }

  /** A credential is counted for its company, or for its address until it is known to be valid. */
  #admitted(identify: Identify): Admitted {
    const shares = this.#shares;
    shares.taker = this.#known.takerOf(this.#request.incoming);
    shares.admit();
    return {
      shares,
      identify: this.#counted(identify),
      recentIdentity: () => null,
      challengeScope: async () => false,
    };
  }

  #counted(identify: Identify): Identify {
    return async (all) => {
      const identity = await identify(all).catch(this.#countRefusal);
      this.#count(identity);
      return identity;
    };
  }

  #countedIdentity(key: string): Identity | null {
    const identity = this.#recent.find(key);
    if (identity !== null) this.#count(identity);
    return identity;
  }

  #count({ caller }: Identity): void {
    if (this.#isCounted) return;

    this.#isCounted = true;
    const taker = takerOf(caller);
    this.#known.remember(this.#request.incoming, taker);
    this.#shares.taker = taker;
    this.#rateLimits.callers.take(caller.id, this.#headers);
  }

  /**
   * Counts the request for its address, because its caller is unknown, and throws the refusal with
   * a challenge to sign in.
   */
  readonly #countRefusal = async (error: unknown): Promise<never> => {
    if (!(error instanceof AcequiaError)) throw error;
    if (error.status !== 401 && error.status !== 403) throw error;

    const address = addressGroup(addressOf(this.#request.incoming));
    this.#rateLimits.addresses.take(address, this.#headers);
    if (error.status === 403 || this.#page) throw error;

    const { oauth } = this.#options;
    const challenge = await this.#signInChallenge(error);
    if (challenge !== null) this.#headers['WWW-Authenticate'] = challenge;
    throw oauth && this.#credentials.token === undefined ? oauth.signInNeeded() : error;
  };

  async #signInChallenge(error: AcequiaError): Promise<string | null> {
    const { oauth } = this.#options;
    const { scope, acceptsBearerKeys } = this.#request;
    const { key, token } = this.#credentials;
    if (oauth) {
      const hasCredential = (key ?? token) !== undefined;
      return oauth.signInChallenge(error, { scope, hasCredential });
    }

    if (!acceptsBearerKeys) return null;
    return key === undefined
      ? 'Bearer realm="acequia"'
      : 'Bearer realm="acequia", error="invalid_token"';
  }
}

const companyHeaderOf = ({ headers }: IncomingMessage): string | undefined =>
  headers[COMPANY_HEADER.toLowerCase()]?.toString().trim() || undefined;

interface Credentials {
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

const KEY_PREFIX = 'acequia_';

/** In a bearer header, only the prefix of a key distinguishes it from a token. */
function credentialsOf(
  { incoming: { headers }, acceptsBearerKeys, key: pathKey }: AdmissionRequest,
  acceptsTokens: boolean,
): Credentials {
  if (pathKey !== undefined) return { key: pathKey };

  // A client with a setting for the key may send it empty.
  const key = headers['x-api-key']?.toString().trim();
  if (key) return { key };

  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined && acceptsTokens && !bearer.startsWith(KEY_PREFIX))
    return { token: bearer };

  return acceptsBearerKeys ? { key: bearer } : {};
}

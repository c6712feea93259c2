import type { IncomingMessage } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { type Identify, InsufficientScopeError } from '../operation/authorization.ts';
import { AcequiaError, tryAgainIn } from '../schema/error.ts';
import type { Scope } from '../schema/scope.ts';
import { identifyByKey } from '../service/keys/api-keys.ts';
import { COMPANY_HEADER } from '../service/keys/token-caller.ts';
import type { HttpLimits } from './limits.ts';
import type { OAuthResource } from './oauth/oauth-resource.ts';
import type { PageAccess } from './page/page-access.ts';
import type { ResponseHeaders } from './reply.ts';

const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

export interface TokenBuckets {
  take(name: string, headers: Record<string, string>): void;
}

/**
 * Each bucket fills at `rate` tokens per minute up to `burst`; a rate of 0 means no limit. `now` is
 * monotonic, in ms.
 */
export function tokenBuckets(
  rate: number,
  burst: number,
  now: () => number = () => performance.now(),
): TokenBuckets {
  const filled = new Map<string, Bucket>();
  const perMs = rate / MINUTE_MS;

  const tokensAt = ({ tokens, updatedAtMs }: Bucket, time: number): number =>
    Math.min(burst, tokens + (time - updatedAtMs) * perMs);

  function deleteFullBuckets(time: number): void {
    for (const [name, bucket] of filled) if (tokensAt(bucket, time) >= burst) filled.delete(name);
  }

  return {
    take(name, headers) {
      if (rate === 0) return;

      const time = now();
      const bucket = filled.get(name) ?? { tokens: burst, updatedAtMs: time };
      const tokens = tokensAt(bucket, time);
      const hasToken = tokens >= 1;
      const remaining = hasToken ? tokens - 1 : tokens;
      if (filled.size >= MAX_BUCKETS && !filled.has(name)) deleteFullBuckets(time);
      filled.set(name, { tokens: remaining, updatedAtMs: time });
      headers['RateLimit-Limit'] = String(burst);
      headers['RateLimit-Remaining'] = String(Math.floor(remaining));
      headers['RateLimit-Reset'] = String(toWholeSeconds((burst - remaining) / perMs));
      if (hasToken) return;

      const retryAfterS = toWholeSeconds((1 - remaining) / perMs);
      throw new AcequiaError({
        code: 'rate_limited',
        status: 429,
        message: `Rate limit of ${rate} requests per minute exceeded.`,
        hint: tryAgainIn(retryAfterS),
        retryAfterS,
      });
    },
  };
}

const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / SECOND_MS));

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
  /** Requests with the same queue key wait for each other. */
  readonly queueKey: string;
  /**
   * Adds a challenge to the headers if signing in again could grant the refused scope. Returns
   * whether it did.
   */
  readonly challengeScope: (refusal: unknown) => Promise<boolean>;
}

export type Admit = (request: AdmissionRequest, headers: ResponseHeaders) => Promise<Admitted>;

/**
 * One rate limit for REST and MCP: per key family or member, and per address for other requests.
 */
export function admission({ clock, limits, onKeyUse, oauth, pageAccess }: AdmissionOptions): Admit {
  const callerBuckets = tokenBuckets(limits.rate, limits.burst);
  const addressBuckets = tokenBuckets(limits.rate, limits.burst);

  return async (
    { incoming, acceptsBearerKeys, acceptsSessions = false, scope, key: pathKey },
    headers,
  ) => {
    const acceptsTokens = oauth != null;
    const { key, token } =
      pathKey === undefined
        ? credentialsOf(incoming, { acceptsBearerKeys, acceptsTokens })
        : { key: pathKey };
    const usesSession =
      acceptsSessions &&
      key === undefined &&
      token === undefined &&
      pageAccess?.isPageRequest(incoming) === true;

    const refuse = async (error: unknown): Promise<never> => {
      if (!(error instanceof AcequiaError)) throw error;
      if (error.status !== 401 && error.status !== 403) throw error;

      addressBuckets.take(addressOf(incoming), headers);
      if (error.status === 403 || usesSession) throw error;

      if (oauth)
        headers['WWW-Authenticate'] = await oauth.signInChallenge(error, {
          scope,
          hasCredential: (key ?? token) !== undefined,
        });
      else if (acceptsBearerKeys)
        headers['WWW-Authenticate'] =
          `Bearer realm="acequia"${key === undefined ? '' : ', error="invalid_token"'}`;

      throw oauth && token === undefined ? oauth.signInNeeded() : error;
    };

    // A call may identify its caller again in another transaction, and counts once.
    let isCounted = false;

    const withRateLimit =
      (identify: Identify): Identify =>
      async (all) => {
        const identity = await identify(all).catch(refuse);
        if (!isCounted) callerBuckets.take(identity.caller.id, headers);
        isCounted = true;
        return identity;
      };

    if (usesSession) {
      const { identify, secret } = pageAccess.sessionOf(incoming);
      return {
        identify: withRateLimit(identify),
        queueKey: secret ?? addressOf(incoming),
        challengeScope: async () => false,
      };
    }

    if (!oauth || token === undefined)
      return {
        identify: withRateLimit(identifyByKey(key, clock, onKeyUse)),
        queueKey: key ?? addressOf(incoming),
        challengeScope: async () => false,
      };

    const company = incoming.headers[COMPANY_HEADER.toLowerCase()]?.toString().trim() || undefined;
    const { identify, subject, stepUp } = await oauth.verify(token, company).catch(refuse);
    return {
      identify: withRateLimit(identify),
      queueKey: `subject:${subject}`,
      async challengeScope(refusal) {
        if (stepUp === null || !(refusal instanceof InsufficientScopeError)) return false;
        headers['WWW-Authenticate'] = await stepUp(refusal.neededScope);
        return true;
      },
    };
  };
}

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

interface Credentials {
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

/** A key is recognized by its prefix. */
function credentialsOf(
  { headers }: IncomingMessage,
  { acceptsBearerKeys, acceptsTokens }: { acceptsBearerKeys: boolean; acceptsTokens: boolean },
): Credentials {
  // A client with a setting for the key may send it empty.
  const key = headers['x-api-key']?.toString().trim();
  if (key) return { key };
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined && acceptsTokens && !bearer.startsWith('acequia_'))
    return { token: bearer };
  return acceptsBearerKeys ? { key: bearer } : {};
}

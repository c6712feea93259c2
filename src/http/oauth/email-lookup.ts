import { hash } from 'node:crypto';
import { MINUTE_MS } from '../../domain/periods.ts';
import { type AcequiaError, plainError } from '../../schema/error.ts';
import { InvalidTokenError, type VerifiedToken } from './access-token.ts';
import type { Issuer } from './issuer.ts';
import {
  IssuerError,
  type ReportIssuer,
  requestIssuer,
  toRecord,
  toUnavailableError,
} from './issuer-requests.ts';

const USERINFO_MAX_AGE_MS = MINUTE_MS;
const MAX_CACHED_USERINFO = 1_000;

const ADD_EMAIL_CLAIMS =
  'ask the administrator of the identity provider to put email and email_verified into its access tokens';

type Claims = Readonly<Record<string, unknown>>;

interface CachedClaims {
  readonly requestedAtMs: number;
  readonly claims: Promise<Claims>;
}

/** Reads the address of a person from the token, or else from the userinfo endpoint. */
export class EmailLookup {
  readonly #issuer: Issuer;
  readonly #report: ReportIssuer;
  readonly #closing: AbortSignal;
  /** By the hash of the token, the oldest first. */
  readonly #cached = new Map<string, CachedClaims>();

  constructor(issuer: Issuer, report: ReportIssuer, closing: AbortSignal) {
    this.#issuer = issuer;
    this.#report = report;
    this.#closing = closing;
  }

  /** Throws 403 without a verified address. */
  async verifiedEmailOf(token: string, payload: VerifiedToken): Promise<string> {
    if (payload.email && payload.email_verified !== undefined) return verifiedEmailIn(payload);

    const { userinfoEndpoint } = await this.#issuer.metadata();
    if (userinfoEndpoint === null) throw emailUnknownError();

    const claims = await this.#userinfoOf(token, userinfoEndpoint);
    // Source: OpenID Connect Core 1.0, section 5.3.4.
    if (claims.sub === undefined) throw emailUnknownError();
    if (claims.sub !== payload.sub) throw new InvalidTokenError('it belongs to another person');
    return verifiedEmailIn(claims);
  }

  #userinfoOf(token: string, endpoint: URL): Promise<Claims> {
    const key = hash('sha256', token, 'base64url');
    const entry = this.#cached.get(key);
    if (entry && performance.now() - entry.requestedAtMs < USERINFO_MAX_AGE_MS) return entry.claims;

    this.#cached.delete(key);
    this.#deleteOldestIfFull();
    const claims = requestUserinfo(endpoint, token, this.#closing).catch(async (error) => {
      this.#cached.delete(key);
      throw await toUnavailableError(error, this.#report);
    });

    this.#cached.set(key, { requestedAtMs: performance.now(), claims });
    return claims;
  }

  #deleteOldestIfFull(): void {
    const [oldest] = this.#cached.keys();
    if (oldest !== undefined && this.#cached.size >= MAX_CACHED_USERINFO)
      this.#cached.delete(oldest);
  }
}

async function requestUserinfo(
  endpoint: URL,
  token: string,
  closing: AbortSignal,
): Promise<Claims> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, json } = await requestIssuer(endpoint, closing, headers);
  if (status === 200) return toRecord(json);
  // Source: RFC 6750, section 3.1. A token without the scope openid gives no access to the address.
  if (status === 403) return {};
  if (status === 401)
    throw new InvalidTokenError(
      'it does not say email_verified, and the userinfo endpoint of the issuer refuses it',
      ADD_EMAIL_CLAIMS,
    );

  throw new IssuerError(`GET ${endpoint.origin}${endpoint.pathname}: status ${status}.`);
}

/** No address has control characters, and PostgreSQL refuses a query with one of them. */
const isEmailText = (email: unknown): email is string =>
  typeof email === 'string' && email !== '' && !/\p{Cc}/u.test(email);

function verifiedEmailIn({ email, email_verified: verified }: Claims): string {
  if (!isEmailText(email)) throw emailUnknownError();
  // OpenID Connect Core 1.0, section 5.1, asks for a boolean; the userinfo of AWS Cognito has a
  // text.
  if (verified !== true && verified !== 'true') throw emailUnverifiedError();
  return email;
}

const emailUnknownError = (): AcequiaError =>
  plainError({
    code: 'email_unknown',
    status: 403,
    message:
      'Neither the access token nor the identity provider says which e-mail address the person has.',
    hint: `Sign in with the scopes openid and email, or ${ADD_EMAIL_CLAIMS}.`,
  });

const emailUnverifiedError = (): AcequiaError =>
  plainError({
    code: 'email_unverified',
    status: 403,
    message: 'The identity provider has not verified the e-mail address of the person.',
    hint: 'Verify it there, then sign in again. An administrator of the identity provider can also mark it as verified (email_verified).',
  });

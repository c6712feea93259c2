import { hash } from 'node:crypto';
import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import { InvalidTokenError, type VerifiedToken } from './access-token.ts';
import type { Issuer } from './issuer.ts';
import { IssuerError, type ReportIssuer, requestIssuer, toRecord, unavailable } from './issuer-requests.ts';

const MAX_AGE_MS = MINUTE_MS;
const MAX_CACHED = 1_000;

const ISSUER_SAYS_EMAIL = 'have the issuer put email and email_verified into its access tokens';

type Claims = Readonly<Record<string, unknown>>;

interface CachedClaims {
  readonly requestedAtMs: number;
  readonly claims: Promise<Claims>;
}

/** From the token, or else from the userinfo endpoint of the issuer. Throws 403 without a verified address. */
export function verifiedEmails(issuer: Issuer, report: ReportIssuer) {
  const cached = new Map<string, CachedClaims>();

  function userinfoOf(token: string, endpoint: URL): Promise<Claims> {
    const key = hash('sha256', token, 'base64url');
    const earlier = cached.get(key);
    if (earlier && performance.now() - earlier.requestedAtMs < MAX_AGE_MS) return earlier.claims;
    cached.delete(key);
    const [oldest] = cached.keys();
    if (cached.size >= MAX_CACHED) cached.delete(oldest!);
    const claims = requestUserinfo(endpoint, token).catch(async (error) => {
      cached.delete(key);
      throw await unavailable(error, report);
    });
    cached.set(key, { requestedAtMs: performance.now(), claims });
    return claims;
  }

  return async (token: string, payload: VerifiedToken): Promise<string> => {
    if (payload.email && payload.email_verified !== undefined) return verifiedEmailIn(payload);
    const { userinfoEndpoint } = await issuer.metadata();
    if (userinfoEndpoint === null) throw emailUnknown();
    const claims = await userinfoOf(token, userinfoEndpoint);
    // Source: OpenID Connect Core 1.0, section 5.3.4.
    if (claims.sub !== undefined && claims.sub !== payload.sub) throw new InvalidTokenError('it is of another person');
    return verifiedEmailIn(claims.sub === undefined ? {} : claims);
  };
}

async function requestUserinfo(endpoint: URL, token: string): Promise<Claims> {
  const { status, json } = await requestIssuer(endpoint, { authorization: `Bearer ${token}` });
  if (status === 200) return toRecord(json);
  // Source: RFC 6750, section 3.1. A token without the scope openid says no address.
  if (status === 403) return {};
  if (status === 401)
    throw new InvalidTokenError(
      'it does not say email_verified, and the userinfo endpoint of the issuer refuses it',
      ISSUER_SAYS_EMAIL,
    );
  throw new IssuerError(`GET ${endpoint.origin}${endpoint.pathname}: status ${status}.`);
}

function verifiedEmailIn({ email, email_verified: isVerified }: Claims): string {
  if (typeof email !== 'string' || email === '') throw emailUnknown();
  if (isVerified !== true) throw emailUnverified();
  return email;
}

const emailUnknown = (): AcequiaError =>
  new AcequiaError({
    code: 'email_unknown',
    status: 403,
    message: 'Neither the access token nor the identity provider says which e-mail address the person has.',
    hint: `Sign in with the scopes openid and email, or ${ISSUER_SAYS_EMAIL}.`,
  });

const emailUnverified = (): AcequiaError =>
  new AcequiaError({
    code: 'email_unverified',
    status: 403,
    message: 'The identity provider has not verified the e-mail address of the person.',
    hint: 'Verify it there, then sign in again. An administrator of the identity provider can say that it is verified (email_verified).',
  });

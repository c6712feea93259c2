import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Issuer } from './issuer.ts';
import {
  IssuerError,
  type ReportIssuer,
  requestIssuer,
  toRecord,
  toUnavailableError,
} from './issuer-requests.ts';

/**
 * Only the issuer can make these signatures. With HS256, anybody who can verify a token could also
 * sign one.
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** RFC 9068 requires at+jwt; most issuers write JWT. */
const TYPES = ['at+jwt', 'jwt'];

export const CLOCK_TOLERANCE_SECONDS = 10;

export interface VerifiedToken extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

interface TokenRequirements {
  readonly issuer: Issuer;
  readonly audience: string;
}

/** Throws 401 for a token that is not valid, and 503 while the issuer cannot be used. */
export async function verifyAccessToken(
  token: string,
  { issuer, audience }: TokenRequirements,
): Promise<VerifiedToken> {
  if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token))
    throw new InvalidTokenError('it is not a signed JWT');

  const { issuer: issuerName, keys } = await issuer.metadata();
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: issuerName,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp', 'sub'],
  }).catch((error) => {
    if (error instanceof AcequiaError) throw error;
    throw new InvalidTokenError(reasonOf(error, audience));
  });

  // The issuer decides what it signs, so the header and each claim may have any JSON value.
  const { typ }: Readonly<Record<string, unknown>> = protectedHeader;
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!TYPES.includes(type)) throw new InvalidTokenError('it is not an access token');
  if (isIdToken(payload)) throw new InvalidTokenError('it is an ID token, not an access token');
  if (typeof payload.sub !== 'string' || payload.sub === '')
    throw new InvalidTokenError('it names no person');

  return payload as VerifiedToken;
}

/**
 * If the audience is the id of a client, ID tokens and access tokens have the same one. Authentik
 * copies the nonce into its access tokens, beside `azp`, which its ID tokens do not have. Source:
 * OpenID Connect Core 1.0, sections 2 and 3.3.2.11.
 */
const isIdToken = ({ nonce, azp, at_hash: tokenHash, c_hash: codeHash }: JWTPayload): boolean =>
  tokenHash !== undefined || codeHash !== undefined || (nonce !== undefined && azp === undefined);

export const expiredTokenError = (): AcequiaError => new InvalidTokenError('it has expired');

function reasonOf(error: unknown, audience: string): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === 'aud') return `it is not for this service, whose audience is ${audience}`;
    if (claim === 'iss') return 'it is from another issuer';
    if (claim === 'nbf' && reason === 'check_failed') return 'it is not valid yet';
    return 'it lacks a claim, or has one of a wrong form';
  }

  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'it is signed with an algorithm that is not accepted';
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'it is signed with a key that the issuer does not publish';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';

  return 'it cannot be read or verified';
}

/** `reason` goes into a header: printable ASCII without quotes. It repeats nothing of the token. */
export class InvalidTokenError extends AcequiaError {
  readonly reason: string;

  constructor(
    reason: string,
    nextStep = 'ask whoever runs the service to compare --oauth-issuer and --oauth-audience with the token',
  ) {
    super({
      code: 'unauthenticated',
      status: 401,
      message: `The access token is not valid: ${reason}.`,
      hint: `Sign in again. If that does not help, ${nextStep}.`,
    });
    this.reason = reason;
  }
}

const USERINFO_MAX_AGE_MS = MINUTE_MS;
const MAX_CACHED_USERINFO = 1_000;

const ADD_EMAIL_CLAIMS =
  'ask the administrator of the identity provider to put email and email_verified into its access tokens';

type Claims = Readonly<Record<string, unknown>>;

interface CachedClaims {
  readonly requestedAtMs: number;
  readonly claims: Promise<Claims>;
}

/**
 * The lookup reads the address from the token, or else from the userinfo endpoint. It throws 403
 * without a verified address.
 */
export function createEmailLookup(issuer: Issuer, report: ReportIssuer) {
  const cached = new Map<string, CachedClaims>();

  function userinfoOf(token: string, endpoint: URL): Promise<Claims> {
    const key = hash('sha256', token, 'base64url');
    const entry = cached.get(key);
    if (entry && performance.now() - entry.requestedAtMs < USERINFO_MAX_AGE_MS) return entry.claims;

    cached.delete(key);
    const [oldest] = cached.keys();
    if (cached.size >= MAX_CACHED_USERINFO) cached.delete(oldest!);
    const claims = requestUserinfo(endpoint, token).catch(async (error) => {
      cached.delete(key);
      throw await toUnavailableError(error, report);
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
    if (claims.sub !== undefined && claims.sub !== payload.sub)
      throw new InvalidTokenError('it belongs to another person');
    return verifiedEmailIn(claims.sub === undefined ? {} : claims);
  };
}

async function requestUserinfo(endpoint: URL, token: string): Promise<Claims> {
  const { status, json } = await requestIssuer(endpoint, { authorization: `Bearer ${token}` });
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
  if (!isEmailText(email)) throw emailUnknown();
  // OpenID Connect Core 1.0, section 5.1, asks for a boolean; the userinfo of AWS Cognito has a
  // text.
  if (verified !== true && verified !== 'true') throw emailUnverified();
  return email;
}

const emailUnknown = (): AcequiaError =>
  new AcequiaError({
    code: 'email_unknown',
    status: 403,
    message:
      'Neither the access token nor the identity provider says which e-mail address the person has.',
    hint: `Sign in with the scopes openid and email, or ${ADD_EMAIL_CLAIMS}.`,
  });

const emailUnverified = (): AcequiaError =>
  new AcequiaError({
    code: 'email_unverified',
    status: 403,
    message: 'The identity provider has not verified the e-mail address of the person.',
    hint: 'Verify it there, then sign in again. An administrator of the identity provider can also mark it as verified (email_verified).',
  });

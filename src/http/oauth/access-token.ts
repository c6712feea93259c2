import { errors, type JWTPayload, jwtVerify } from 'jose';
import { AcequiaError, plainProblem } from '../../schema/error.ts';
import type { Issuer } from './issuer.ts';

/**
 * Only the issuer can make these signatures. With HS256, anybody who can verify a token could also
 * sign one.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
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

/** Three parts in base64url; the last one, the signature, may be empty. */
const SIGNED_JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Throws 401 for a token that is not valid, and 503 while the issuer cannot be used. */
export async function verifyAccessToken(
  token: string,
  { issuer, audience }: TokenRequirements,
): Promise<VerifiedToken> {
  if (!SIGNED_JWT.test(token)) throw new InvalidTokenError('it is not a signed JWT');

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
    super(
      plainProblem({
        code: 'unauthenticated',
        status: 401,
        message: `The access token is not valid: ${reason}.`,
        hint: `Sign in again. If that does not help, ${nextStep}.`,
      }),
    );
    this.reason = reason;
  }
}

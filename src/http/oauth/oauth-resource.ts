import type { Credential, Identify } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import {
  grantedScopes,
  type KeyPreset,
  presetScope,
  presetWith,
} from '../../service/keys/key-presets.ts';
import { COMPANY_CLAIM, identifyByToken } from '../../service/keys/token-caller.ts';
import {
  CLOCK_TOLERANCE_SECONDS,
  createEmailLookup,
  expiredTokenError,
  InvalidTokenError,
  type VerifiedToken,
  verifyAccessToken,
} from './access-token.ts';
import { openIssuer } from './issuer.ts';
import type { ReportIssuer } from './issuer-requests.ts';

export interface OAuthOptions {
  readonly issuer: URL;
  /** Default: the address of /mcp. */
  readonly audience: string | null;
  /** Rights of a token that has no scope of Acequia. */
  readonly preset: KeyPreset | null;
  /** Available once the service listens. */
  readonly publicUrl: () => URL;
}

export type OAuthResource = ReturnType<typeof openOAuthResource>;

const METADATA_PATH = '/.well-known/oauth-protected-resource';

interface VerifiedCaller {
  readonly identify: Identify;
  readonly subject: string;
  /**
   * Makes the challenge to sign in for a scope, or for any. Null if signing in again grants nothing
   * more.
   */
  readonly stepUp: ((scope: Scope | null) => Promise<string>) | null;
}

/** The service as a resource server of an issuer. */
export function openOAuthResource(
  { issuer: url, audience, preset, publicUrl }: OAuthOptions,
  report: ReportIssuer,
) {
  const issuer = openIssuer(url, report);
  const verifiedEmail = createEmailLookup(issuer, report);
  const resource = (): string => new URL('/mcp', publicUrl()).href;
  const loginScopes = async () => (await issuer.cachedMetadata())?.loginScopes ?? [];
  /** Scopes to request at sign-in, for one operation or for an assistant. */
  const scopesFor = async (scope: Scope | null = null): Promise<string[]> => [
    ...(await loginScopes()),
    ...(preset === null ? [presetScope(presetWith(scope))] : []),
  ];

  const challenge = (parameters: Readonly<Record<string, string>>): string => {
    const metadata = new URL(`${METADATA_PATH}/mcp`, publicUrl()).href;
    const all = Object.entries({ realm: 'acequia', resource_metadata: metadata, ...parameters });
    return `Bearer ${all.flatMap(([name, value]) => (value === '' ? [] : [`${name}="${value}"`])).join(', ')}`;
  };

  /**
   * Includes the scopes of the token, because some clients request only the scopes of the
   * challenge.
   */
  const stepUp = async (tokenScopes: readonly string[], scope: Scope | null): Promise<string> => {
    const scopes = [
      ...(await loginScopes()),
      ...tokenScopes.filter(isScopeToken),
      presetScope(presetWith(scope)),
    ];
    return challenge({ error: 'insufficient_scope', scope: [...new Set(scopes)].join(' ') });
  };

  return {
    issuerUrl: url,

    /** Source: RFC 9728, section 2. */
    metadata: async () => ({
      resource: resource(),
      authorization_servers: [(await issuer.cachedMetadata())?.issuer ?? url.href],
      scopes_supported: await scopesFor(),
      bearer_methods_supported: ['header'],
      resource_name: 'Acequia',
    }),

    /**
     * Throws 401 for a token that is not valid, 403 without a verified e-mail address, 503 without
     * the issuer.
     */
    async verify(token: string, company: string | undefined): Promise<VerifiedCaller> {
      const payload = await verifyAccessToken(token, { issuer, audience: audience ?? resource() });
      const tokenScopes = scopesOf(payload);
      const isByPreset = preset !== null && grantedScopes(tokenScopes, null).length === 0;
      const credential: Credential = {
        name: 'access token',
        scopeHint: (scope) =>
          isByPreset
            ? `Signing in again does not help: --oauth-preset ${preset} decides what such a token may do. Ask whoever runs the service to change it.`
            : `Sign in again and allow ${presetScope(presetWith(scope))}.`,
      };

      const grant = {
        email: await verifiedEmail(token, payload),
        scopes: grantedScopes(tokenScopes, preset),
        credential,
        tokenCompany: companyOf(payload),
        requestCompany: company,
        expiresAt: (payload.exp + CLOCK_TOLERANCE_SECONDS) * 1000,
      };

      return {
        identify: identifyByToken(grant, expiredTokenError),
        subject: payload.sub,
        stepUp: isByPreset ? null : (scope) => stepUp(tokenScopes, scope),
      };
    },

    /** Source: RFC 6750, section 3. */
    async signInChallenge(
      error: AcequiaError,
      { scope, hasCredential }: { scope?: Scope; hasCredential: boolean },
    ): Promise<string> {
      return challenge({
        error: hasCredential ? 'invalid_token' : '',
        error_description: error instanceof InvalidTokenError ? error.reason : '',
        scope: (await scopesFor(scope)).join(' '),
      });
    },

    signInNeeded: (): AcequiaError =>
      new AcequiaError({
        code: 'unauthenticated',
        status: 401,
        message: 'No valid access token or API key was given.',
        hint: `Sign in at ${url.href} and send the access token as Authorization: Bearer; an assistant that has the address of /mcp does both by itself. Or send an API key in the header x-api-key: "acequia keys create --preset assistant" makes one.`,
      }),
  };
}

/** Source: RFC 6749, section 3.3. */
const isScopeToken = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);

/**
 * An id or a name; some issuers put it into an array. A claim of another form is refused: without
 * it the token would be good for all companies of the person.
 */
function companyOf(payload: VerifiedToken): string | undefined {
  const claim = payload[COMPANY_CLAIM];
  if (claim === undefined) return undefined;

  const [company, another] = [claim].flat();
  if (another === undefined && (typeof company === 'string' || typeof company === 'number'))
    return String(company);

  throw new InvalidTokenError(
    `its claim ${COMPANY_CLAIM} is neither an id nor a name`,
    `ask the administrator of the identity provider to put the id or name of one company into ${COMPANY_CLAIM}`,
  );
}

/** A text with spaces (RFC 9068) or an array; some issuers call the claim scp. */
function scopesOf({ scope, scp }: VerifiedToken): string[] {
  return [scope, scp].flat().flatMap((each) => (typeof each === 'string' ? each.split(' ') : []));
}

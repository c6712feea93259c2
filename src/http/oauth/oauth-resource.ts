import { say, verbatim } from '../../domain/text/say.ts';
import type { Credential, Identify } from '../../operation/authorization.ts';
import { type AcequiaError, plainError } from '../../schema/error.ts';
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
  expiredTokenError,
  InvalidTokenError,
  type VerifiedToken,
  verifyAccessToken,
} from './access-token.ts';
import { EmailLookup } from './email-lookup.ts';
import { Issuer } from './issuer.ts';
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

const METADATA_PATH = '/.well-known/oauth-protected-resource';

interface VerifiedCaller {
  readonly identify: Identify;
  /**
   * The value of WWW-Authenticate with which a client signs in again for a scope, or for any (null).
   * The function is null if signing in again would grant nothing more.
   */
  readonly stepUp: ((scope: Scope | null) => Promise<string>) | null;
}

/** The service as a resource server of an issuer. */
export class OAuthResource {
  readonly #options: OAuthOptions;
  readonly #issuer: Issuer;
  readonly #emails: EmailLookup;
  readonly #closing = new AbortController();

  constructor(options: OAuthOptions, report: ReportIssuer) {
    this.#options = options;
    const { signal } = this.#closing;
    this.#issuer = new Issuer(options.issuer, report, signal);
    this.#emails = new EmailLookup(this.#issuer, report, signal);
  }

  /** Ends requests to the issuer, which would keep the process alive until they time out. */
  close(): void {
    this.#closing.abort();
  }

  get issuerUrl(): URL {
    return this.#options.issuer;
  }

  /** Source: RFC 9728, section 2. */
  async metadata() {
    return {
      resource: this.#resource,
      authorization_servers: [(await this.#issuer.cachedMetadata())?.issuer ?? this.issuerUrl.href],
      scopes_supported: await this.#scopesFor(null),
      bearer_methods_supported: ['header'],
      resource_name: 'Acequia',
    };
  }

  /**
   * Throws 401 for a token that is not valid, 403 without a verified e-mail address, 503 without
   * the issuer.
   */
  async verify(token: string, company: string | undefined): Promise<VerifiedCaller> {
    const { preset, audience } = this.#options;
    const payload = await verifyAccessToken(token, {
      issuer: this.#issuer,
      audience: audience ?? this.#resource,
    });
    const tokenScopes = scopesOf(payload);
    // The preset decides only for a token without scopes of its own.
    const decidingPreset = grantedScopes(tokenScopes, null).length === 0 ? preset : null;

    const grant = {
      email: await this.#emails.verifiedEmailOf(token, payload),
      scopes: grantedScopes(tokenScopes, preset),
      credential: tokenCredential(decidingPreset),
      tokenCompany: companyOf(payload),
      requestCompany: company,
      expiresAt: (payload.exp + CLOCK_TOLERANCE_SECONDS) * 1000,
    };

    return {
      identify: identifyByToken(grant, expiredTokenError),
      stepUp: decidingPreset === null ? (scope) => this.#stepUp(tokenScopes, scope) : null,
    };
  }

  /** Source: RFC 6750, section 3. */
  async signInChallenge(
    error: AcequiaError,
    { scope, hasCredential }: { scope: Scope | undefined; hasCredential: boolean },
  ): Promise<string> {
    return this.#challenge({
      error: hasCredential ? 'invalid_token' : '',
      error_description: error instanceof InvalidTokenError ? error.reason : '',
      scope: (await this.#scopesFor(scope ?? null)).join(' '),
    });
  }

  signInNeeded(): AcequiaError {
    return plainError({
      code: 'unauthenticated',
      status: 401,
      message: 'No valid access token or API key was given.',
      hint: `Sign in at ${this.issuerUrl.href} and send the access token as Authorization: Bearer; an assistant that has the address of /mcp does both by itself. Or send an API key in the header x-api-key: "acequia keys create --preset assistant" makes one.`,
    });
  }

  get #resource(): string {
    return new URL('/mcp', this.#options.publicUrl()).href;
  }

  /** Includes the scopes of the token: some clients request only those of the challenge. */
  async #stepUp(tokenScopes: readonly string[], scope: Scope | null): Promise<string> {
    const scopes = [
      ...(await this.#loginScopes()),
      ...tokenScopes.filter(isScopeToken),
      presetScope(presetWith(scope)),
    ];
    return this.#challenge({ error: 'insufficient_scope', scope: [...new Set(scopes)].join(' ') });
  }

  /** Scopes to request at sign-in, for one operation or for an assistant. */
  async #scopesFor(scope: Scope | null): Promise<readonly string[]> {
    const loginScopes = await this.#loginScopes();
    if (this.#options.preset !== null) return loginScopes;
    return [...loginScopes, presetScope(presetWith(scope))];
  }

  async #loginScopes(): Promise<readonly string[]> {
    return (await this.#issuer.cachedMetadata())?.loginScopes ?? [];
  }

  /** Leaves out parameters that are empty. */
  #challenge(parameters: Readonly<Record<string, string>>): string {
    const metadata = new URL(`${METADATA_PATH}/mcp`, this.#options.publicUrl()).href;
    const all = { realm: 'acequia', resource_metadata: metadata, ...parameters };
    const parts = Object.entries(all)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${parts.join(', ')}`;
  }
}

/** `preset` is null for a token that has scopes of its own. */
const tokenCredential = (preset: KeyPreset | null): Credential => ({
  name: 'access token',
  scopeHint: (scope) =>
    preset === null
      ? say`Sign in again and allow ${verbatim(presetScope(presetWith(scope)))}.`
      : say`Signing in again does not help: --oauth-preset ${verbatim(preset)} decides what such a token may do. Ask whoever runs the service to change it.`,
});

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

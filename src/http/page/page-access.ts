import type { IncomingMessage } from 'node:http';
import type { Lang } from '../../domain/lang.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import type { Identify } from '../../operation/authorization.ts';
import { type AcequiaError, plainError } from '../../schema/error.ts';
import { identifyBySession } from '../../service/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import { type AllowedHosts, dnsRebindingGuard } from '../admission/dns-rebinding-guard.ts';
import type { HttpLimits } from '../http-limits.ts';

/**
 * Pages of other sites cannot send this header: browsers ask the service before they do (CORS), and
 * it never allows it.
 */
export const PAGE_HEADER = 'Acequia-Page';

interface PageAccessOptions {
  readonly allowedHosts: AllowedHosts;
  /** Null if the service was not told its public address. */
  readonly publicUrl: URL | null;
  readonly clock: () => number;
  readonly onSessionUse?: ((sessionId: number) => void) | undefined;
}

/** An empty secret with `maxAgeMs` 0 deletes the cookie. */
interface SessionCookie {
  readonly secret: string;
  readonly maxAgeMs: number;
}

export interface PageEnvironment {
  readonly store: Store;
  readonly clock: () => number;
  readonly limits: HttpLimits;
  readonly lang?: Lang | undefined;
}

export type PageAccess = ReturnType<typeof pageAccess>;

/** Decides which requests come from the live page, and for whom. */
export function pageAccess({ allowedHosts, publicUrl, clock, onSessionUse }: PageAccessOptions) {
  const allowedOrigins = publicUrl ? [publicUrl.origin] : [];
  const isAlwaysSecure = publicUrl?.protocol === 'https:';
  const guardOrigin = dnsRebindingGuard({ ...allowedHosts, allowedOrigins }, ORIGIN_HINT);

  /** Throws 403 for requests of other sites. */
  const guard = (incoming: IncomingMessage): void => {
    guardOrigin(incoming, {});
    const site = incoming.headers['sec-fetch-site'];
    if (isPageRequest(incoming) && site !== undefined && site !== 'same-origin')
      throw plainError({
        code: 'forbidden_origin',
        status: 403,
        message: 'The request comes from another site.',
        hint: ORIGIN_HINT,
      });
  };

  /** Asks the origin, because behind a proxy only the browser knows whether it speaks TLS. */
  const isSecure = ({ headers }: IncomingMessage): boolean =>
    isAlwaysSecure || /^https:/i.test(headers.origin ?? '');

  return {
    guard,
    isPageRequest,
    assertPageRequest(incoming: IncomingMessage): void {
      if (!isPageRequest(incoming)) throw pageHeaderNeededError();
    },
    /** The header Set-Cookie for a session. */
    sessionCookie: (incoming: IncomingMessage, session: SessionCookie): string =>
      sessionCookieHeader(incoming, session, isSecure(incoming)),
    sessionOf(incoming: IncomingMessage): {
      readonly identify: Identify;
      readonly secret: string | undefined;
    } {
      guard(incoming);
      const secret = sessionCookieOf(incoming, isAlwaysSecure);
      return { secret, identify: identifyBySession(secret, clock, onSessionUse) };
    },
  };
}

const isPageRequest = ({ headers }: IncomingMessage): boolean =>
  headers[PAGE_HEADER.toLowerCase()] === '1';

const ORIGIN_HINT =
  'Only the page of the service itself may send it. Behind a proxy, start the service with --public-url.';

const pageHeaderNeededError = (): AcequiaError =>
  plainError({
    code: 'forbidden_origin',
    status: 403,
    message: `The header ${PAGE_HEADER} is missing.`,
    hint: `Only the page of the service itself sends these requests: with ${PAGE_HEADER}: 1.`,
  });

/** Browsers accept this name only from a secure page, for its own host. */
const SECURE_COOKIE_NAME = '__Host-acequia';

/** Includes the port, because two services on one machine share their cookies. */
const plainCookieName = ({ socket }: IncomingMessage): string => `acequia_${socket.localPort}`;

/** Where every page is secure, a cookie that could have been set over plain HTTP is ignored. */
function sessionCookieOf(incoming: IncomingMessage, isAlwaysSecure: boolean): string | undefined {
  const cookies = new Map(
    (incoming.headers.cookie ?? '').split('; ').map((pair): [name: string, value: string] => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );

  return (
    cookies.get(SECURE_COOKIE_NAME) ??
    (isAlwaysSecure ? undefined : cookies.get(plainCookieName(incoming)))
  );
}

function sessionCookieHeader(
  incoming: IncomingMessage,
  { secret, maxAgeMs }: SessionCookie,
  isSecure: boolean,
): string {
  const cookie = `${isSecure ? SECURE_COOKIE_NAME : plainCookieName(incoming)}=${secret}`;
  const age = `Max-Age=${Math.floor(maxAgeMs / SECOND_MS)}`;

  const parts = [cookie, 'Path=/', age, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) parts.push('Secure');
  return parts.join('; ');
}

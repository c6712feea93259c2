import type { IncomingMessage } from 'node:http';
import { isLoopback, urlHost } from '../../domain/loopback.ts';
import { quote } from '../../domain/strings.ts';
import { type AcequiaError, plainError } from '../../schema/error.ts';
import type { ResponseHeaders } from '../reply.ts';

/** A name or an address, with or without a port: no path, no user and no spaces. */
const HOST = /^[\w.:[\]-]+$/;

/** The result has `host` with the port, and `hostname` without it. */
export function parseHost(text: string | undefined): { host: string; hostname: string } | null {
  if (text === undefined || !HOST.test(text) || !URL.canParse(`http://${text}`)) return null;
  const { host, hostname } = new URL(`http://${text}`);
  return { host, hostname };
}

export interface AllowedHosts {
  /** Address on which the service listens. */
  readonly listenHost: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** A rebound name passes the browser's same-origin check, but still appears in Host. */
export function dnsRebindingGuard(
  { listenHost, allowedHosts, allowedOrigins }: AllowedHosts,
  originHint = ORIGIN_HINT,
) {
  const names = [urlHost(listenHost).toLowerCase(), ...allowedHosts];

  return (incoming: IncomingMessage, headers: ResponseHeaders): void => {
    const requestHost = parseHost(incoming.headers.host);
    const allowedNames = [...names, urlHost(incoming.socket.localAddress ?? '')];
    const isAllowed =
      requestHost !== null &&
      // DNS cannot rebind a loopback name.
      (isLoopback(requestHost.hostname) ||
        allowedNames.includes(requestHost.hostname) ||
        allowedNames.includes(requestHost.host));
    if (!isAllowed) {
      const message = `Host ${quote(incoming.headers.host ?? '')} is not allowed.`;
      throw forbiddenError('host', message, HOST_HINT);
    }

    const { origin } = incoming.headers;
    if (origin === undefined) return;
    const originHost = parseHost(origin.replace(/^https?:\/\//, ''));
    if (originHost?.host === requestHost.host) return;

    if (!allowedOrigins.includes(origin))
      throw forbiddenError('origin', `Origin ${quote(origin)} is not allowed.`, originHint);

    addCorsHeaders(incoming, origin, headers);
  };
}

function addCorsHeaders(incoming: IncomingMessage, origin: string, headers: ResponseHeaders): void {
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = '*';
  headers.Vary = 'Origin';
  if (incoming.method !== 'OPTIONS') return;
  headers['Access-Control-Allow-Methods'] = 'POST';
  headers['Access-Control-Allow-Headers'] =
    incoming.headers['access-control-request-headers'] ?? '';
  headers['Access-Control-Max-Age'] = '600';
}

const HOST_HINT = 'The operator can add it with --allowed-hosts (or ACEQUIA_ALLOWED_HOSTS).';
const ORIGIN_HINT = 'The operator can add it with --allowed-origins (or ACEQUIA_ALLOWED_ORIGINS).';

const forbiddenError = (what: 'host' | 'origin', message: string, hint: string): AcequiaError =>
  plainError({ code: `forbidden_${what}`, status: 403, message, hint });

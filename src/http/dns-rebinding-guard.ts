import type { IncomingMessage } from 'node:http';
import { quote } from '../operation/name-resolution.ts';
import { AcequiaError } from '../schema/error.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** Name and port as a Host header gives them; null where it gives none. */
export function parseHost(text: string | undefined): { host: string; hostname: string } | null {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const { host, hostname } = new URL(`http://${text}`);
  return { host, hostname };
}

/** Under which names a server is asked, and by pages of which sites. */
export interface AllowedHosts {
  /** What it was told to listen on. */
  readonly host: string;
  /** Other names that lead to it, with or without a port. */
  readonly hosts: readonly string[];
  /** Sites whose pages may ask it: scheme, host and port. */
  readonly origins: readonly string[];
}

/** Names of a machine for itself, which no one else can give away. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses what a page of another site could have sent. Such a page can have its own name lead to this machine and then
 * count as being of the same site: its name stands in Host. Answers to a page of a site that is allowed may be read there.
 */
export function dnsRebindingGuard({ host, hosts, origins }: AllowedHosts) {
  const names = [...LOOPBACK_NAMES, hostLiteral(host).toLowerCase(), ...hosts];

  return (incoming: IncomingMessage, headers: ResponseHeaders): void => {
    const requestHost = parseHost(incoming.headers.host);
    const allowedNames = [...names, hostLiteral(incoming.socket.localAddress ?? '')];
    if (
      requestHost === null ||
      !(allowedNames.includes(requestHost.hostname) || allowedNames.includes(requestHost.host))
    )
      throw forbidden('host', `The Host ${quote(incoming.headers.host ?? '')} is no name of this service.`, HOST_HINT);
    const { origin } = incoming.headers;
    if (origin === undefined || parseHost(origin.replace(/^https?:\/\//, ''))?.host === requestHost.host) return;
    if (!origins.includes(origin))
      throw forbidden('origin', `Pages of ${quote(origin)} may not ask this service.`, ORIGIN_HINT);
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Expose-Headers'] = '*';
    headers.Vary = 'Origin';
    if (incoming.method !== 'OPTIONS') return;
    headers['Access-Control-Allow-Methods'] = 'POST';
    headers['Access-Control-Allow-Headers'] = incoming.headers['access-control-request-headers'] ?? '';
    headers['Access-Control-Max-Age'] = '600';
  };
}

const HOST_HINT = 'Whoever runs it can add the name with --allowed-hosts (or ACEQUIA_ALLOWED_HOSTS).';
const ORIGIN_HINT = 'Whoever runs it can add the site with --allowed-origins (or ACEQUIA_ALLOWED_ORIGINS).';

const forbidden = (what: 'host' | 'origin', message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: `forbidden_${what}`, status: 403, message, hint });

/** An address as it stands in a URL. */
function hostLiteral(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+[.])/, '');
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain;
}

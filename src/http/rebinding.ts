import type { IncomingMessage } from 'node:http';
import { quoted } from '../operation/names.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Headers } from './headers.ts';
import { hostOf } from './host-name.ts';

/** Under which names a server is asked, and by pages of which sites. */
export interface Named {
  /** What it was told to listen on. */
  readonly host: string;
  /** Other names that lead to it, with or without a port. */
  readonly hosts: readonly string[];
  /** Sites whose pages may ask it: scheme, host and port. */
  readonly origins: readonly string[];
}

/** Names of a machine for itself, which no one else can give away. */
const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses what a page of another site could have sent. Such a page can have its own name lead to this machine and then
 * count as being of the same site: its name stands in Host. Answers to a page of a site that is allowed may be read there.
 */
export function refusingStrangers({ host, hosts, origins }: Named) {
  const names = [...OWN_NAMES, bracketed(host).toLowerCase(), ...hosts];

  return (incoming: IncomingMessage, headers: Headers): void => {
    const asked = hostOf(incoming.headers.host);
    const named = [...names, bracketed(incoming.socket.localAddress ?? '')];
    if (asked === null || !(named.includes(asked.hostname) || named.includes(asked.host)))
      throw stranger('host', `The Host ${quoted(incoming.headers.host ?? '')} is no name of this service.`, HOST_HINT);
    const { origin } = incoming.headers;
    if (origin === undefined || hostOf(origin.replace(/^https?:\/\//, ''))?.host === asked.host) return;
    if (!origins.includes(origin))
      throw stranger('origin', `Pages of ${quoted(origin)} may not ask this service.`, ORIGIN_HINT);
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

const stranger = (what: 'host' | 'origin', message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: `forbidden_${what}`, status: 403, message, hint });

/** An address as it stands in a URL. */
function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+[.])/, '');
  return plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain;
}

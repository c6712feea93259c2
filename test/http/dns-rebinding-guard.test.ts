import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type AllowedHosts, dnsRebindingGuard } from '../../src/http/dns-rebinding-guard.ts';

interface RequestHeaders {
  readonly host?: string;
  readonly origin?: string;
  /** The address on this machine that the connection came to. */
  readonly localAddress?: string;
}

/** The code that a request is refused with; null where it is let pass. */
function refusal(
  named: Partial<AllowedHosts>,
  { localAddress = '127.0.0.1', ...headers }: RequestHeaders,
): string | null {
  const refuse = dnsRebindingGuard({ host: '127.0.0.1', hosts: [], origins: [], ...named });
  try {
    refuse({ method: 'POST', headers, socket: { localAddress } } as unknown as IncomingMessage, {});
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const all = { host: '0.0.0.0' };

describe('a request', () => {
  it.each<[string, Partial<AllowedHosts>, RequestHeaders]>([
    ['localhost', {}, { host: 'localhost:8383' }],
    ['an address of this machine alone', {}, { host: '[::1]' }],
    ['the name that is served', { host: 'Water.lan' }, { host: 'water.lan:8383', localAddress: '192.0.2.7' }],
    ['the address that is served', { host: '2001:DB8::1' }, { host: '[2001:db8::1]:8383' }],
    ['the address it came to', all, { host: '192.0.2.7:8383', localAddress: '192.0.2.7' }],
    [
      'the address it came to, of four numbers within six',
      all,
      { host: '192.0.2.7', localAddress: '::ffff:192.0.2.7' },
    ],
    ['the address it came to, of the newer kind', all, { host: '[2001:db8::7]', localAddress: '2001:db8::7' }],
    ['a name that was given', { hosts: ['water.example.org'] }, { host: 'water.example.org:8443' }],
    ['a name and port that were given', { hosts: ['water.example.org:8443'] }, { host: 'Water.Example.ORG:8443' }],
  ])('for %s is let pass', (_, named, asked) => {
    expect(refusal(named, asked)).toBeNull();
  });

  it.each<[string, Partial<AllowedHosts>, RequestHeaders]>([
    ['another name', {}, { host: 'evil.example' }],
    ['no name', {}, {}],
    ['another address of this machine', all, { host: '192.0.2.7', localAddress: '192.0.2.8' }],
    ['a name with another port than was given', { hosts: ['a.example:8443'] }, { host: 'a.example:8444' }],
    ['a name below one that was given', { hosts: ['a.example'] }, { host: 'b.a.example' }],
    ['a name behind another', {}, { host: 'evil.example@localhost' }],
    ['a name before a path', {}, { host: 'localhost/evil.example' }],
  ])('for %s is refused', (_, named, asked) => {
    expect(refusal(named, asked)).toBe('forbidden_host');
  });

  it.each<[string, Partial<AllowedHosts>, string, string | null]>([
    ['of the same site', {}, 'http://localhost:8383', null],
    ['of the same site behind a proxy that speaks TLS', {}, 'https://localhost:8383', null],
    ['of a site that was given', { origins: ['https://a.example'] }, 'https://a.example', null],
    ['of another scheme than was given', { origins: ['https://a.example'] }, 'http://a.example', 'forbidden_origin'],
    ['of another port', {}, 'http://localhost', 'forbidden_origin'],
    ['of a file or a frame', {}, 'null', 'forbidden_origin'],
    ['of an extension', {}, 'chrome-extension://localhost:8383', 'forbidden_origin'],
    ['that says nothing', {}, '', 'forbidden_origin'],
  ])('by a page %s is judged by it', (_, named, origin, code) => {
    expect(refusal(named, { host: 'localhost:8383', origin })).toBe(code);
  });
});

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  type AllowedHosts,
  dnsRebindingGuard,
} from '../../../src/http/admission/dns-rebinding-guard.ts';

interface RequestHeaders {
  readonly host?: string;
  readonly origin?: string;
  readonly localAddress?: string;
}

function refusal(
  allowed: Partial<AllowedHosts>,
  { localAddress = '127.0.0.1', ...headers }: RequestHeaders,
): string | null {
  const guard = dnsRebindingGuard({
    listenHost: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: [],
    ...allowed,
  });
  try {
    guard({ method: 'POST', headers, socket: { localAddress } } as unknown as IncomingMessage, {});
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const anyAddress = { listenHost: '0.0.0.0' };

describe('the DNS rebinding guard', () => {
  it.each<[string, Partial<AllowedHosts>, RequestHeaders]>([
    ['localhost', {}, { host: 'localhost:8383' }],
    ['a loopback address', {}, { host: '[::1]' }],
    [
      'the name it listens on',
      { listenHost: 'Water.lan' },
      { host: 'water.lan:8383', localAddress: '192.0.2.7' },
    ],
    ['the address it listens on', { listenHost: '2001:DB8::1' }, { host: '[2001:db8::1]:8383' }],
    [
      'the address of the connection',
      anyAddress,
      { host: '192.0.2.7:8383', localAddress: '192.0.2.7' },
    ],
    [
      'the address of the connection, IPv4 within IPv6',
      anyAddress,
      { host: '192.0.2.7', localAddress: '::ffff:192.0.2.7' },
    ],
    [
      'the address of the connection, IPv6',
      anyAddress,
      { host: '[2001:db8::7]', localAddress: '2001:db8::7' },
    ],
    [
      'an allowed name',
      { allowedHosts: ['water.example.org'] },
      { host: 'water.example.org:8443' },
    ],
    [
      'an allowed name and port',
      { allowedHosts: ['water.example.org:8443'] },
      { host: 'Water.Example.ORG:8443' },
    ],
  ])('allows %s', (_, allowed, request) => {
    expect(refusal(allowed, request)).toBeNull();
  });

  it.each<[string, Partial<AllowedHosts>, RequestHeaders]>([
    ['an unknown name', {}, { host: 'evil.example' }],
    ['a request without Host', {}, {}],
    [
      'another address of this machine',
      anyAddress,
      { host: '192.0.2.7', localAddress: '192.0.2.8' },
    ],
    [
      'an allowed name with another port',
      { allowedHosts: ['a.example:8443'] },
      { host: 'a.example:8444' },
    ],
    ['a subdomain of an allowed name', { allowedHosts: ['a.example'] }, { host: 'b.a.example' }],
    ['a name after user information', {}, { host: 'evil.example@localhost' }],
    ['a name with a path', {}, { host: 'localhost/evil.example' }],
  ])('refuses %s', (_, allowed, request) => {
    expect(refusal(allowed, request)).toBe('forbidden_host');
  });

  it.each<[string, Partial<AllowedHosts>, string, string | null]>([
    ['of the same site', {}, 'http://localhost:8383', null],
    ['of the same site behind a proxy that speaks TLS', {}, 'https://localhost:8383', null],
    ['of an allowed site', { allowedOrigins: ['https://a.example'] }, 'https://a.example', null],
    [
      'of an allowed site with another scheme',
      { allowedOrigins: ['https://a.example'] },
      'http://a.example',
      'forbidden_origin',
    ],
    ['of another port', {}, 'http://localhost', 'forbidden_origin'],
    ['of a file or a frame', {}, 'null', 'forbidden_origin'],
    ['of an extension', {}, 'chrome-extension://localhost:8383', 'forbidden_origin'],
    ['with an empty origin', {}, '', 'forbidden_origin'],
  ])('checks the origin of a page %s', (_, allowed, origin, code) => {
    expect(refusal(allowed, { host: 'localhost:8383', origin })).toBe(code);
  });
});

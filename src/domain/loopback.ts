/** Only programs on this computer reach such a host. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);

/**
 * An address as the host of a URL. A socket that accepts both families gives IPv4 addresses as
 * "::ffff:192.0.2.1".
 */
export function urlHost(address: string): string {
  const unmapped = address.replace(/^::ffff:(?=\d+[.])/, '');
  return unmapped.includes(':') && !unmapped.startsWith('[') ? `[${unmapped}]` : unmapped;
}

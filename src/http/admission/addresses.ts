import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Taker } from '../../domain/shares/shares.ts';

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The address whose connections count together: an IPv4 address, or the /64 of an IPv6 address,
 * which is what one subscriber is given.
 */
export function addressGroup(address: string): string {
  const plain = withoutMapping(address);
  if (isIP(plain) !== 6) return plain;

  const [head = '', tail] = plain.split('%')[0]?.toLowerCase().split('::') ?? [];
  const start = head === '' ? [] : head.split(':');
  const end = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : GROUPS - start.length - end.length;
  const groups = [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
  return `${groups.slice(0, NETWORK_GROUPS).map(withoutLeadingZeros).join(':')}::/64`;
}

/** Takes for callers that are not known yet. */
export const addressTaker = (address: string): Taker => ({
  company: `address ${addressGroup(address)}`,
  key: '',
});

const withoutMapping = (address: string): string => address.replace(MAPPED_IPV4, '');

const withoutLeadingZeros = (group: string): string => group.replace(/^0{1,3}(?=.)/, '');

/** Loopback, and the proxies that the operator names: many clients share these addresses. */
export class SharedAddresses {
  readonly #list = new BlockList();

  /** `proxies` are addresses or networks such as 10.0.0.0/8. */
  constructor(proxies: readonly string[]) {
    this.#list.addSubnet('127.0.0.0', 8, 'ipv4');
    this.#list.addAddress('::1', 'ipv6');
    for (const proxy of proxies) this.#add(proxy);
  }

  has(address: string): boolean {
    const plain = withoutMapping(address);
    const version = isIP(plain);
    return version !== 0 && this.#list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }

  #add(proxy: string): void {
    const [address = '', prefix] = proxy.split('/');
    const version = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) this.#list.addAddress(address, version);
    else this.#list.addSubnet(address, Number(prefix), version);
  }
}

const MAX_PREFIX = { 4: 32, 6: 128 } as const;

export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= MAX_PREFIX[version];
}

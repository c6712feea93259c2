import { describe, expect, it } from 'vitest';
import {
  addressGroup,
  isAddressOrNetwork,
  SharedAddresses,
} from '../../../src/http/admission/addresses.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:0db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('counts %s with %s', (address, group) => expect(addressGroup(address)).toBe(group));

describe('addresses that many clients share', () => {
  const shared = new SharedAddresses(['192.0.2.7', '10.0.0.0/8', '2001:db8::/32']);

  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    '192.0.2.7',
    '10.9.8.7',
    '2001:db8::7',
  ])('are loopback and the proxies that are named: %s', (address) =>
    expect(shared.has(address)).toBe(true),
  );

  it.each(['192.0.2.8', '11.0.0.1', '2001:db9::1', ''])('are no others: %s', (address) =>
    expect(shared.has(address)).toBe(false),
  );

  it.each(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'])('can be named: %s', (text) =>
    expect(isAddressOrNetwork(text)).toBe(true),
  );

  it.each(['10.0.0.0/33', '2001:db8::/129', 'proxy.example', '10.0.0.0/8/9', '10.0.0.0/', '/8'])(
    'cannot be named: %s',
    (text) => expect(isAddressOrNetwork(text)).toBe(false),
  );
});

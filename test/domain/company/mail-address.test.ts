import { describe, expect, it } from 'vitest';
import { addressFault, isSameAddress } from '../../../src/domain/company/mail-address.ts';
import { programText } from '../../../src/domain/text/program-text.ts';

describe('two addresses', () => {
  it.each([
    ['Ana@Farm.Example', 'ana@fARM.eXAMPLE'],
    ['  ana@farm.example\t', 'ana@farm.example'],
    ['ana@münchen.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@MÜNCHEN.example', 'ana@XN--MNCHEN-3YA.example'],
    ['ana@i❤.example', 'ana@xn--i-7iq.example'],
    ['josé@farm.example', 'JOSé@farm.example'],
  ])('are the same: %j and %j', (one, other) => {
    expect(isSameAddress(one, other)).toBe(true);
  });

  it.each([
    ['an accent', 'josé@farm.example', 'jose@farm.example'],
    ['an accent in another form', 'josé@farm.example', 'jose\u0301@farm.example'],
    ['the Kelvin sign', '\u212aarim@farm.example', 'karim@farm.example'],
    ['the Kelvin sign in the domain', 'ana@far\u212a.example', 'ana@fark.example'],
    ['a long s', 'be\u017f@farm.example', 'bes@farm.example'],
    ['a dotted I', '\u0130nci@farm.example', 'inci@farm.example'],
    ['another letter in capitals', 'É@farm.example', 'é@farm.example'],
    ['an invisible character', 'k\u200barim@farm.example', 'karim@farm.example'],
    ['an invisible end', 'karim@farm.example\ufeff', 'karim@farm.example'],
    ['an invisible character in the domain', 'ana@fa\u00adrm.ü', 'ana@farm.ü'],
    ['letters of full width', 'ａna@farm.example', 'ana@farm.example'],
    ['a blank', 'k arim@farm.example', 'karim@farm.example'],
    ['sharp s', 'ana@faß.example', 'ana@fass.example'],
    ['a path behind the domain', 'ana@ü.example/x', 'ana@ü.example'],
    ['a query behind the domain', 'ana@ü.example?x', 'ana@ü.example'],
    ['a code of a URL', 'ana@f%61rm.ü', 'ana@farm.ü'],
    ['another domain', 'ana@farm.example', 'ana@farm.example.org'],
    ['dots and tags', 'a.na+x@farm.example', 'ana@farm.example'],
  ])('that differ by %s are two', (_, one, other) => {
    expect(isSameAddress(one, other)).toBe(false);
    expect(isSameAddress(other, one)).toBe(false);
    expect(isSameAddress(one, one)).toBe(true);
  });
});

describe('an address', () => {
  it.each([
    ['jose\u0301@farm.example', 'has accents apart from their letters'],
    ['\u212aarim@farm.example', 'has accents apart from their letters'],
    ['k\u200barim@farm.example', 'contains the invisible character U+200B'],
    ['karim\u0007@farm.example', 'contains the invisible character U+0007'],
    ['karim@fa\u00adrm.example', 'contains the invisible character U+00AD'],
    ['ka\u2800rim@farm.example', 'contains the invisible character U+2800'],
    ['ka\u3164rim@farm.example', 'contains the invisible character U+3164'],
    ['ka\u{e0041}rim@farm.example', 'contains the invisible character U+E0041'],
    ['ka\ud800rim@farm.example', 'contains the invisible character U+D800'],
  ])('%j is refused', (address, fault) => {
    expect(programText(addressFault(address)!)).toBe(fault);
  });

  it.each(['ana+farm@example.org', 'josé@münchen.example', 'почта@почта.рф'])(
    '%s is accepted',
    (address) => {
      expect(addressFault(address)).toBeNull();
    },
  );
});

import { say, verbatim } from '../text/say.ts';
import type { Text } from '../text/text.ts';

// An address says who somebody is, so that it is never folded as names are: two addresses that look
// alike can be two persons.

/**
 * None of these shows in a text: control, format, private and unassigned characters,
 * ignorable ones, line ends, the blank Braille pattern, and what replaced an unreadable character.
 */
const UNSEEN = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800\ufffd]/u;

/** The fault in the characters of an address; null without one. */
export function addressFault(address: string): Text | null {
  const unseen = UNSEEN.exec(address)?.[0].codePointAt(0);
  if (unseen !== undefined)
    return say`contains the invisible character ${verbatim(codePointName(unseen))}`;
  return address === address.normalize('NFC') ? null : say`has accents apart from their letters`;
}

/** "U+200B" */
const codePointName = (codePoint: number): string =>
  `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/** toLowerCase would make other letters equal to these, such as the Kelvin sign to k. */
const lowerAToZ = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** `trim` also removes U+FEFF, which is no blank. */
const withoutOuterBlanks = (text: string): string => (text.includes('\ufeff') ? text : text.trim());

/** In a URL, the host ends before these, or is decoded. */
const URL_SYNTAX = /[\s#%/:<>?@[\\\]^|]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are ASCII too
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The domain in ASCII by IDNA, as the host of a URL is; with a fault, it is equal only to itself.
 */
function comparedDomain(domain: string): string {
  const url = `http://${domain}`;
  const isByIdna = !ASCII.test(domain) && !URL_SYNTAX.test(domain) && addressFault(domain) === null;
  return isByIdna && URL.canParse(url) ? new URL(url).hostname : lowerAToZ(domain);
}

/**
 * The part up to and with the "@", as it is compared: mail servers may tell cases apart, but none
 * gives addresses that differ only in that to two persons.
 */
export function comparedLocalPart(address: string): string {
  const text = withoutOuterBlanks(address);
  return lowerAToZ(text.slice(0, text.lastIndexOf('@') + 1));
}

/** Equal for two spellings of one address. */
export function addressKey(address: string): string {
  const localPart = comparedLocalPart(address);
  return localPart + comparedDomain(withoutOuterBlanks(address).slice(localPart.length));
}

export const isSameAddress = (one: string, other: string): boolean =>
  addressKey(one) === addressKey(other);

/** Whether a text has the address, and not a longer one that ends with it. */
export function hasAddress(text: string, address: string): boolean {
  const [searched, key] = [lowerAToZ(text), addressKey(address)];
  for (let at = searched.indexOf(key); at >= 0; at = searched.indexOf(key, at + 1))
    if (!isOfAddress(searched[at - 1]) && !isOfDomain(searched[at + key.length])) return true;
  return false;
}

const isOfDomain = (character: string | undefined): boolean =>
  character !== undefined && (character === '-' || isLetterOrDigit(character));

const isOfAddress = (character: string | undefined): boolean =>
  character !== undefined && ('.+_-'.includes(character) || isLetterOrDigit(character));

export const isLetterOrDigit = (character: string): boolean =>
  character.toUpperCase() !== character.toLowerCase() || (character >= '0' && character <= '9');

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { isIsoDate, parseOffsetInstant } from '../../domain/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { isAddressOrNetwork } from '../../http/admission/addresses.ts';
import { parseHost } from '../../http/admission/dns-rebinding-guard.ts';
import { isConfidential } from '../../http/oauth/issuer-requests.ts';
import { TOOLSET_NAMES, type ToolsetName } from '../../operation/operation-kind.ts';

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function parseDurationOption(text: string): number {
  const [, count, unit] = /^(\d+)\s*(m|min|h|d)$/.exec(text) ?? [];
  const unitMs = { m: MINUTE_MS, min: MINUTE_MS, h: HOUR_MS, d: DAY_MS }[unit ?? ''];
  if (unitMs === undefined || Number(count) === 0)
    throw new InvalidArgumentError('Give a span such as 30min, 1h or 1d.');
  return Number(count) * unitMs;
}

export function parseLineNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the number of a line of the file.');
}

/** A date alone is its midnight in the time zone of this computer: no company is known yet. */
export function parseInstantOption(text: string): number {
  const at = isIsoDate(text) ? Date.parse(`${text}T00:00`) : parseOffsetInstant(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'Give a date such as 2026-07-01, or an instant with its offset such as 2026-07-01T06:00:00Z.',
    );
  return at;
}

/**
 * A shell leaves the ~ of --db=~/farm.db as it is, and no shell reads a variable in the
 * configuration of an assistant.
 */
export const expandHome = (path: string): string => path.replace(/^~(?=$|[\\/])/, () => homedir());

export const parsePath = (path: string): string => resolve(expandHome(path));

/** Also true for a part of a URL that may hold a password, such as "ana:secret@db.example.org". */
export const isUrl = (text: string): boolean => /:\/\/|:[^/\\:]*@/.test(text);

/**
 * A URL stays as written: an unsupported one is refused later, where it is not repeated, as it may
 * hold a password.
 */
export const parseStoreOption = (text: string): string => (isUrl(text) ? text : parsePath(text));

/** Null for text that is no URL, or one with credentials, a query or a fragment. */
export function parseBareUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const { username, password, search, hash } = url;
  return [username, password, search, hash].every((part) => part === '') ? url : null;
}

/** An empty address, as in an empty environment variable, means no service. */
export function parseBaseAddress(text: string): string | null {
  if (text.trim() === '') return null;

  const url = parseBareUrl(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError(
      'Give the base address of the service, such as https://water.example.org/v1.',
    );

  return text.trim();
}

/** An empty list means all toolsets. */
export function parseToolsets(text: string): ToolsetName[] {
  const names = splitList(text.toLowerCase());
  if (!names.every((name) => name === 'all' || TOOLSET_NAMES.some((toolset) => toolset === name)))
    throw new InvalidArgumentError(
      `Give all, or some of ${TOOLSET_NAMES.join(', ')}, separated by commas.`,
    );
  return names.includes('all') ? [] : TOOLSET_NAMES.filter((name) => names.includes(name));
}

export const wholeNumberParser =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    return value;
  };

export const parseHosts = (text: string): string[] =>
  splitList(text).map((part) => {
    const host = parseHost(part)?.host;
    if (host === undefined)
      throw new InvalidArgumentError(
        'Give names such as water.example.org or 192.0.2.7:8383, separated by commas.',
      );
    return host;
  });

export const parseProxies = (text: string): string[] =>
  splitList(text).map((part) => {
    if (!isAddressOrNetwork(part))
      throw new InvalidArgumentError(
        'Give addresses or networks such as 192.0.2.7 or 10.0.0.0/8, separated by commas.',
      );
    return part;
  });

export const parseOrigins = (text: string): string[] =>
  splitList(text).map((part) => {
    const site = part.toLowerCase().replace(/\/$/, '');
    if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/]+$/.test(site))
      throw new InvalidArgumentError(
        'Give sites such as https://app.example.org, separated by commas.',
      );
    // Browsers leave out a default port.
    return /^https?:/.test(site) && URL.canParse(site) ? new URL(site).origin : site;
  });

const parseConfidentialUrl = (text: string): URL | null => {
  const url = parseBareUrl(text.trim());
  return url !== null && isConfidential(url) ? url : null;
};

export function parseIssuer(text: string): URL {
  const url = parseConfidentialUrl(text);
  if (url) return url;
  throw new InvalidArgumentError(
    'Give the https address that tokens name as iss, such as https://login.example.org/realms/farm.',
  );
}

export function parsePublicUrl(text: string): URL {
  const url = parseConfidentialUrl(text);
  if (url?.pathname === '/') return url;
  throw new InvalidArgumentError(
    'Give the https address without a path, such as https://water.example.org.',
  );
}

export function parseAudience(text: string): string {
  // Printable ASCII without quotes or backslashes: it is part of a header.
  if (/^[\x21\x23-\x5b\x5d-\x7e]{1,500}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Give it as tokens name it in aud, such as https://water.example.org/mcp.',
  );
}

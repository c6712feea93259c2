import { isIP } from 'node:net';
import { addressFault } from '../../domain/company/mail-address.ts';
import { entryOf } from '../../domain/items.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { plainInputError } from '../../schema/error.ts';
import type { Environment } from '../process/environment.ts';

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS by `startTls`. */
  readonly isSecure: boolean;
  readonly startTls: StartTls;
  readonly auth: { readonly user: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
  /** The domain of the sender, for the ids of messages. */
  readonly domain: string;
}

const START_TLS = ['offered', 'required', 'never'] as const;
/** `offered`: if the server supports it; `required`: fail without it; `never`: plain text. */
type StartTls = (typeof START_TLS)[number];

/** Submission ports. Source: RFC 6409 and RFC 8314. */
const PORTS: ReadonlyMap<string, number> = new Map([
  ['smtp:', 587],
  ['smtps:', 465],
]);
const ADDRESS = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;
const isAddress = (text: string): boolean => ADDRESS.test(text) && addressFault(text) === null;

export function readMailSettings(env: Environment): MailSettings | null {
  if (!env.ACEQUIA_SMTP_URL) return null;

  const url = parseSmtpUrl(env.ACEQUIA_SMTP_URL);
  const auth =
    url.username === ''
      ? null
      : { user: decodeCredential(url.username), password: decodeCredential(url.password) };
  // IPv6: a URL has brackets, a connection must not.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const from = parseSender(env.ACEQUIA_MAIL_FROM, auth?.user, host);

  return {
    host,
    port: url.port === '' ? entryOf(PORTS, url.protocol) : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    startTls: parseStartTls(url, auth !== null && !isLoopback(host)),
    auth,
    from,
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
  };
}

function malformed(what: string) {
  return plainInputError('invalid_parameter', `ACEQUIA_SMTP_URL ${what}.`, {
    hint: 'Write smtp://user:password@host:587, or smtps:// for TLS from the start; in user and password, @ is %40, / is %2F, : is %3A and % is %25.',
    field: 'ACEQUIA_SMTP_URL',
  });
}

function parseSmtpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !PORTS.has(url.protocol) || url.hostname === '')
    throw malformed('is not the URL of a mail server');
  if (url.pathname.replace('/', '') !== '' || url.hash !== '')
    throw malformed('has something behind its host');
  return url;
}

function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('has a user or password with a % that begins no code');
  }
}

/** A password is not sent unencrypted to another machine unless the URL says so. */
function parseStartTls(url: URL, sendsPassword: boolean): StartTls {
  const { startTls, ...others } = Object.fromEntries(url.searchParams);
  const mode = START_TLS.find((each) => each === startTls);
  if (Object.keys(others).length > 0 || (startTls !== undefined && !mode))
    throw malformed('has a setting behind its ? that is not startTls=offered, required or never');
  return mode ?? (sendsPassword ? 'required' : 'offered');
}

function parseSender(
  text: string | undefined,
  user: string | undefined,
  host: string,
): MailSettings['from'] {
  if (!text) {
    const address = user !== undefined && isAddress(user) ? user : `acequia@${domainOf(host)}`;
    return { name: 'Acequia', address };
  }

  // Name <address> or "Name" <address>; otherwise the text is the address alone.
  const [, words = '', quote, named] = /^"?([^"<>]*)("\s*)?<([^<>]*)>$/.exec(text.trim()) ?? [];
  const name = quote === undefined ? words.trimEnd() : words;
  const address = named ?? text.trim();
  // Control characters in a name would become lines of the header.
  if (!isAddress(address) || /\p{Cc}/u.test(text))
    throw plainInputError('invalid_parameter', 'ACEQUIA_MAIL_FROM is not an e-mail address.', {
      hint: 'Write Name <name@example.org>, or the address alone.',
      field: 'ACEQUIA_MAIL_FROM',
    });

  return { name, address };
}

function domainOf(host: string): string {
  const version = isIP(host);
  if (version === 0) return host;
  return version === 6 ? `[IPv6:${host}]` : `[${host}]`;
}

export interface ConnectionLimits {
  readonly connectionMs: number;
  readonly greetingMs: number;
  /** Without a byte of the server. */
  readonly silenceMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 20_000,
};

export const smtpConnectionOptions = (
  { host, port, isSecure, startTls }: MailSettings,
  { connectionMs, greetingMs, silenceMs }: ConnectionLimits = CONNECTION_LIMITS,
) => ({
  host,
  port,
  secure: isSecure,
  requireTLS: startTls === 'required',
  ignoreTLS: startTls === 'never',
  connectionTimeout: connectionMs,
  greetingTimeout: greetingMs,
  dnsTimeout: connectionMs,
  socketTimeout: silenceMs,
});

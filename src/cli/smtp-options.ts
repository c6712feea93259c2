import type { MailSettings } from './mail-settings.ts';

/** Time-outs within one conversation, in ms. */
const CONNECTION_MS = 10_000;
const GREETING_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/** How a connection to the mail server is made: the same by who sends and by who only looks. */
export const smtpConnectionOptions = ({ host, port, isSecure, startTls }: MailSettings) => ({
  host,
  port,
  secure: isSecure,
  requireTLS: startTls === 'required',
  ignoreTLS: startTls === 'never',
  connectionTimeout: CONNECTION_MS,
  greetingTimeout: GREETING_MS,
  dnsTimeout: CONNECTION_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
});

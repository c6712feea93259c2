import type { Logger } from 'pino';
import { StoreClosedError, StoreUnavailableError } from '../../schema/error.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogFields = Readonly<Record<string, unknown>>;

export function lazyLog(level: LogLevel) {
  let logger: Promise<Logger> | undefined;

  async function openLogger(): Promise<Logger> {
    const { default: pino } = await import('pino');
    const options = {
      level,
      base: { pid: process.pid },
      // An error is made loggable here; pino's own serializer would name its type "Object".
      serializers: { err: (error: LoggableError) => error },
    };
    return pino(options, pino.destination({ dest: 2, sync: true }));
  }

  const loadLogger = (): Promise<Logger> => {
    logger ??= openLogger();
    return logger;
  };

  const isLevelEnabled = (lineLevel: LogLevel): boolean =>
    level !== 'silent' && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lineLevel);
  const logAt =
    (lineLevel: 'warn' | 'info' | 'debug' | 'trace') =>
    async (fields: LogFields, text: string): Promise<void> => {
      if (isLevelEnabled(lineLevel)) (await loadLogger())[lineLevel](fields, text);
    };

  return {
    async unexpectedError(error: unknown, requestId?: string): Promise<string> {
      const { randomBytes } = await import('node:crypto');
      const reference = randomBytes(6).toString('hex');
      const fields = { reference, requestId, err: toLoggableError(error) };
      // The process stops, and what it had not begun is refused.
      if (error instanceof StoreClosedError) await logAt('info')(fields, 'refused at the end');
      else (await loadLogger()).error(fields, 'unexpected failure');
      return reference;
    },
    isLevelEnabled,
    warn: logAt('warn'),
    info: logAt('info'),
    debug: logAt('debug'),
    trace: logAt('trace'),
  };
}

export type Log = ReturnType<typeof lazyLog>;

interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** The lines of the calls, without the message. */
  readonly stack: string;
  code?: string;
  hint?: string;
  cause?: LoggableError;
}

const SECRETS: readonly [pattern: RegExp, replacement: string][] = [
  // An API key.
  [/acequia_[\w-]{10,}/g, 'acequia_…'],
  // User and password of an address without a scheme.
  [/(\w:)[^\s:/@]+@/g, '$1…@'],
  // A password among the parameters of a URL.
  [/([?&]\w*password=)[^&\s]*/gi, '$1…'],
];

/** A password may hold an at sign itself. */
function redactUserOfUrl(url: string): string {
  const user = url.search(/\w:\/\//) + 'x://'.length;
  const host = url.lastIndexOf('@');
  return user < 'x://'.length || host < user ? url : `${url.slice(0, user)}…${url.slice(host)}`;
}

export const redactSecrets = (text: string): string =>
  SECRETS.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text.replace(/\S+/g, redactUserOfUrl),
  );

/**
 * Drops what a person may have written: parsers and databases quote their input, also in fields of
 * their own.
 */
export function toLoggableError(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };

  const { name, message, stack = '', cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const loggable: LoggableError = {
    type: name,
    // From the first quote to the last: the quoted text may hold quotes itself.
    message: redactSecrets(message.replace(/"[\s\S]*"/, '"…"')),
    stack: (stack.match(/^ {4}at .*$/gm) ?? []).join('\n'),
  };
  if (typeof code === 'string') loggable.code = code;
  // Clients of the service are not shown this hint. It quotes nothing that a person wrote.
  if (error instanceof StoreUnavailableError) loggable.hint = redactSecrets(error.hint ?? '');
  if (cause !== undefined) loggable.cause = toLoggableError(cause);

  return loggable;
}

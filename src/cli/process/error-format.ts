import type { AcequiaError } from '../../schema/error.ts';

/** A failure as it is logged. */
export interface LoggableError {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message: string;
  /** Where it happened, innermost first. */
  readonly stack: string;
  readonly cause?: LoggableError | undefined;
}

/** A key of ours, and what stands before the @ of an address or as a password among its parameters. */
const SECRETS: readonly [RegExp, string][] = [
  [/acequia_[\w-]{10,}/g, 'acequia_…'],
  [/(\w:\/\/)\S*@/g, '$1…@'],
  [/([?&]\w*password=)[^&\s]*/gi, '$1…'],
];

/** A text without the secrets that are known by their form. */
export const redactSecrets = (text: string): string =>
  SECRETS.reduce((plain, [form, instead]) => plain.replace(form, instead), text);

/**
 * A failure without what a person may have written: a parser or a database quotes what it was given, and adds it in fields
 * of its own.
 */
export function toLoggableError(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    // From the first quote to the last: what is quoted may hold quotes itself.
    message: redactSecrets(message.replace(/"[\s\S]*"/, '"…"')),
    stack: (stack.match(/^ {4}at .*$/gm) ?? []).join('\n'),
    ...(cause !== undefined && { cause: toLoggableError(cause) }),
  };
}

/** A refusal as it stands on standard error: what is wrong, then what to do. */
export const formatRefusal = ({ message, hint }: AcequiaError): string => `${message}\n${hint ? `${hint}\n` : ''}`;

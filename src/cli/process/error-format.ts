import type { AcequiaError } from '../../schema/error.ts';

export interface LoggableError {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message: string;
  readonly stack: string;
  readonly cause?: LoggableError | undefined;
}

const SECRETS: readonly [RegExp, string][] = [
  [/acequia_[\w-]{10,}/g, 'acequia_…'],
  [/(\w:\/\/)\S*@/g, '$1…@'],
  [/(\w:)[^\s:/@]+@/g, '$1…@'],
  [/([?&]\w*password=)[^&\s]*/gi, '$1…'],
];

export const redactSecrets = (text: string): string =>
  SECRETS.reduce((plain, [form, instead]) => plain.replace(form, instead), text);

/** Drops what a person may have written: parsers and databases quote their input, also in fields of their own. */
export function toLoggableError(error: unknown): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    // From the first quote to the last: the quoted text may hold quotes itself.
    message: redactSecrets(message.replace(/"[\s\S]*"/, '"…"')),
    stack: (stack.match(/^ {4}at .*$/gm) ?? []).join('\n'),
    ...(cause !== undefined && { cause: toLoggableError(cause) }),
  };
}

export const formatRefusal = ({ message, hint }: AcequiaError): string => `${message}\n${hint ? `${hint}\n` : ''}`;

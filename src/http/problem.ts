import { STATUS_CODES } from 'node:http';
import type { AcequiaError } from '../schema/error.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** An error as RFC 9457 writes it; `code`, `hint` and `field` are members of our own. */
export interface ProblemBody {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
}

export const problemBody = ({ status, message, code, hint, field }: AcequiaError): ProblemBody => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: message,
  code,
  ...(hint !== undefined && { hint }),
  ...(field !== undefined && { field }),
});

/** The same as text. */
export const problemText = (error: AcequiaError): string => JSON.stringify(problemBody(error));

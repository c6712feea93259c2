import { STATUS_CODES } from 'node:http';
import { quote } from '../operation/name-resolution.ts';
import { AcequiaError, notFound } from '../schema/error.ts';

/** What is refused before an operation is known, or because of how a request travels. */

export const unknownPath = (path: string): AcequiaError =>
  notFound(`There is nothing at ${quote(path)}.`, 'The paths stand in /v1/openapi.json; each begins with /v1.');

export const methodNotAllowed = (method: string, allowed: readonly string[]): AcequiaError =>
  new AcequiaError({
    code: 'method_not_allowed',
    status: 405,
    message: `${quote(method)} is no method of this path.`,
    hint: `It takes ${allowed.join(', ')}.`,
  });

export const uriTooLong = (most: number): AcequiaError =>
  new AcequiaError({
    code: 'uri_too_long',
    status: 414,
    message: `The address is longer than ${most} bytes.`,
    hint: 'Ask for less in one address.',
  });

export const bodyTooLarge = (most: number): AcequiaError =>
  new AcequiaError({
    code: 'payload_too_large',
    status: 413,
    message: `The body is larger than ${most} bytes.`,
    hint: 'Send less in one request.',
  });

export const unsupportedMediaType = (
  what: string,
  hint = 'Send JSON in UTF-8, uncompressed, with Content-Type: application/json.',
): AcequiaError =>
  new AcequiaError({ code: 'unsupported_media_type', status: 415, message: `The body is sent as ${what}.`, hint });

export const notAcceptable = (): AcequiaError =>
  new AcequiaError({
    code: 'not_acceptable',
    status: 406,
    message: 'The answer would be JSON, or events for a call that lasts, and the request accepts neither.',
    hint: 'Send Accept: application/json, text/event-stream.',
  });

export const headersTooLarge = (most: number): AcequiaError =>
  new AcequiaError({
    code: 'headers_too_large',
    status: 431,
    message: `The headers are larger than ${most} bytes.`,
    hint: 'Send fewer or shorter headers.',
  });

export const requestTimeout = (): AcequiaError =>
  new AcequiaError({
    code: 'request_timeout',
    status: 408,
    message: 'The request did not arrive in time.',
    hint: 'Send it whole and at once.',
  });

export const malformedRequest = (): AcequiaError =>
  new AcequiaError({
    code: 'bad_request',
    status: 400,
    message: 'What was sent is no HTTP request that can be read.',
    hint: 'Check its first line, its headers and its Host.',
  });

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

import { STATUS_CODES } from 'node:http';
import { quote } from '../language/text.ts';
import { AcequiaError, notFound } from '../schema/error.ts';

export const unknownPath = (path: string): AcequiaError =>
  notFound(`No endpoint at ${quote(path)}.`, 'See /v1/openapi.json; every path begins with /v1.');

export const methodNotAllowed = (method: string, allowed: readonly string[]): AcequiaError =>
  new AcequiaError({
    code: 'method_not_allowed',
    status: 405,
    message: `${quote(method)} is not allowed here.`,
    hint: `Allowed: ${allowed.join(', ')}.`,
  });

export const uriTooLong = (most: number): AcequiaError =>
  new AcequiaError({
    code: 'uri_too_long',
    status: 414,
    message: `The URL is longer than ${most} bytes.`,
    hint: 'Send a shorter URL.',
  });

export const bodyTooLarge = (most: number): AcequiaError =>
  new AcequiaError({
    code: 'payload_too_large',
    status: 413,
    message: `The body is larger than ${most} bytes.`,
    hint: 'Send less in one request.',
  });

export const unsupportedMediaType = (
  message: string,
  hint = 'Send JSON in UTF-8, uncompressed, with Content-Type: application/json.',
): AcequiaError => new AcequiaError({ code: 'unsupported_media_type', status: 415, message, hint });

export const notAcceptable = (): AcequiaError =>
  new AcequiaError({
    code: 'not_acceptable',
    status: 406,
    message: 'The response is JSON, or an event stream for a long call, and the request accepts neither.',
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
    hint: 'Send the whole request without pauses.',
  });

export const malformedRequest = (): AcequiaError =>
  new AcequiaError({
    code: 'bad_request',
    status: 400,
    message: 'The request is not valid HTTP.',
    hint: 'Check the request line, the headers and Host.',
  });

export const PROBLEM_TYPE = 'application/problem+json';

/** Source: RFC 9457; `code`, `hint` and `field` are extensions. */
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

export const problemText = (error: AcequiaError): string => JSON.stringify(problemBody(error));

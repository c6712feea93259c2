import { STATUS_CODES } from 'node:http';
import { quote } from '../domain/strings.ts';
import type { JsonSchema } from '../operation/schemas/json-schema.ts';
import { type AcequiaError, type ProblemBody, plainError, tryAgainIn } from '../schema/error.ts';

export const unknownPathError = (path: string): AcequiaError =>
  // A key that was put into the path by mistake is not repeated.
  transportError(
    404,
    'not_found',
    `No endpoint at ${quote(path.replace(/acequia_[\w-]+/g, 'acequia_…'))}.`,
    'See /v1/openapi.json; every path begins with /v1.',
  );

const transportError = (
  status: number,
  code: string,
  message: string,
  hint: string,
): AcequiaError => plainError({ code, status, message, hint });

export const methodNotAllowedError = (method: string, allowed: readonly string[]): AcequiaError =>
  transportError(
    405,
    'method_not_allowed',
    `${quote(method)} is not allowed here.`,
    `Allowed: ${allowed.join(', ')}.`,
  );

export const uriTooLongError = (maxBytes: number): AcequiaError =>
  transportError(
    414,
    'uri_too_long',
    `The URL is longer than ${maxBytes} bytes.`,
    'Send a shorter URL.',
  );

export const bodyTooLargeError = (maxBytes: number): AcequiaError =>
  transportError(
    413,
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes.`,
    'Send less in one request.',
  );

export const unsupportedMediaTypeError = (
  message: string,
  hint = 'Send JSON in UTF-8, uncompressed, with Content-Type: application/json.',
): AcequiaError => transportError(415, 'unsupported_media_type', message, hint);

export const notAcceptableError = (): AcequiaError =>
  transportError(
    406,
    'not_acceptable',
    'The response is JSON, or an event stream for a long call, and the request accepts neither.',
    'Send Accept: application/json, text/event-stream.',
  );

export const headersTooLargeError = (maxBytes: number): AcequiaError => {
  const message = `The headers are larger than ${maxBytes} bytes.`;
  return transportError(431, 'headers_too_large', message, 'Send fewer or shorter headers.');
};

export const requestTimeoutError = (): AcequiaError =>
  transportError(
    408,
    'request_timeout',
    'The request did not arrive in time.',
    'Send the whole request without pauses.',
  );

const BUSY_RETRY_S = 2;

export const serverBusyError = (message: string, hint: string): AcequiaError =>
  plainError({
    code: 'server_busy',
    status: 503,
    message,
    hint: `${tryAgainIn(BUSY_RETRY_S)} ${hint}`,
    retryAfterS: BUSY_RETRY_S,
  });

export const malformedRequestError = (): AcequiaError =>
  transportError(
    400,
    'bad_request',
    'The request is not valid HTTP.',
    'Check the request line (its path begins with "/"), the headers and Host.',
  );

export const PROBLEM_TYPE = 'application/problem+json';

/** Describes the body that `problemBody` makes. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  description:
    'What went wrong, for a program (code) and for a person (detail, hint), as in RFC 9457.',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Always about:blank.' },
    title: { type: 'string', description: 'The status in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What is wrong, with the value.' },
    code: { type: 'string', description: 'The error code.' },
    hint: { type: 'string', description: 'What to do next.' },
    field: { type: 'string', description: 'The argument at fault.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code'],
  additionalProperties: false,
};

const problemBody = ({ status, message, code, hint, field }: AcequiaError): ProblemBody => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: message,
  code,
  hint,
  field,
});

export const problemText = (error: AcequiaError): string => JSON.stringify(problemBody(error));

/** Serves clients that write the message themselves, in the units and language of their readers. */
export function problemWithTexts(error: AcequiaError): string {
  return JSON.stringify({ ...problemBody(error), texts: error.texts });
}

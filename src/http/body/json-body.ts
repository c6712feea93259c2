import type { IncomingMessage } from 'node:http';
import { type AcequiaError, plainInputError } from '../../schema/error.ts';
import { jsonShape, MAX_JSON_VALUES } from '../../schema/json-shape.ts';
import type { HttpLimits } from '../http-limits.ts';
import { unsupportedMediaTypeError } from '../transport-errors.ts';
import { isJsonType } from './content-type.ts';
import {
  assertNotOversized,
  hasBody,
  NO_CONTENT_TYPE,
  notUtf8Error,
  receiveBytes,
} from './request-body.ts';

/** Undefined for a request without a body. */
export async function readJson(incoming: IncomingMessage, limits: HttpLimits): Promise<unknown> {
  const bytes = await receiveJson(incoming, limits);
  return bytes === null ? undefined : parseJsonBody(bytes, limits);
}

/** Null for a request without a body. */
export async function receiveJson(
  incoming: IncomingMessage,
  limits: HttpLimits,
): Promise<Buffer | null> {
  if (!hasBody(incoming)) return null;
  assertNotOversized(incoming, limits.bodyBytes);
  const bytes = await receiveBytes(incoming, limits, limits.bodyBytes);
  if (bytes.length === 0) return null;
  assertMediaType(incoming);
  return bytes;
}

function assertMediaType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw unsupportedMediaTypeError('The body is compressed.');
  const type = headers['content-type'];
  if (type === undefined) throw unsupportedMediaTypeError(NO_CONTENT_TYPE);
  if (!isJsonType(type))
    throw unsupportedMediaTypeError('The body is not declared as JSON in UTF-8.');
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notUtf8Error();
  }
}

export function parseJsonBody(bytes: Buffer, { jsonDepth }: HttpLimits): unknown {
  const text = decodeUtf8(bytes);
  const { depth, values } = jsonShape(text);
  if (depth > jsonDepth) throw tooDeepError(jsonDepth);
  if (values > MAX_JSON_VALUES)
    throw plainInputError('invalid_body', `The body has more than ${MAX_JSON_VALUES} values.`, {
      hint: 'Send less in one request.',
    });
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJsonError();
  }
}

export const notJsonError = (): AcequiaError =>
  plainInputError('invalid_body', 'The body is not JSON.', {
    hint: 'Send one JSON object of names and values.',
  });

export const tooDeepError = (maxLevels: number): AcequiaError =>
  plainInputError('invalid_body', `The body nests deeper than ${maxLevels} levels.`, {
    hint: 'Send flatter JSON: requests of this API need only a few levels.',
  });

import type { IncomingMessage } from 'node:http';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { HttpLimits } from '../limits.ts';
import { unsupportedMediaTypeError } from '../transport-errors.ts';
import { isJsonType } from './content-type.ts';
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './json-characters.ts';
import {
  assertNotOversized,
  collectBytes,
  hasBody,
  NO_CONTENT_TYPE,
  notUtf8Error,
} from './request-body.ts';

/** Each value costs several checks. Only batches come near this number. */
export const MAX_JSON_VALUES = 10_000;

/** Undefined for a request without a body. */
export async function readJson(incoming: IncomingMessage, limits: HttpLimits): Promise<unknown> {
  if (!hasBody(incoming)) return undefined;
  assertNotOversized(incoming, limits.bodyBytes);
  const bytes = await collectBytes(incoming, { ...limits, maxBytes: limits.bodyBytes });
  if (bytes.length === 0) return undefined;
  assertMediaType(incoming);
  return parseJsonBody(decodeUtf8(bytes), limits);
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

function parseJsonBody(text: string, { jsonDepth }: HttpLimits): unknown {
  const { depth, values } = jsonShape(text);
  if (depth > jsonDepth) throw tooDeepError(jsonDepth);
  if (values > MAX_JSON_VALUES)
    throw invalidInputError('invalid_body', `The body has more than ${MAX_JSON_VALUES} values.`, {
      hint: 'Send less in one request.',
    });
  return parseJson(text);
}

/**
 * Measured before parsing, because JSON.parse has no limits of its own. An empty list counts as two
 * values.
 */
function jsonShape(text: string): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (isInString) {
      // The escaped character is skipped, because it may be a quotation mark.
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === COMMA) values++;
    else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      values++;
      level++;
      depth = Math.max(depth, level);
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) level--;
  }

  return { depth, values };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJsonError();
  }
}

export const notJsonError = (): AcequiaError =>
  invalidInputError('invalid_body', 'The body is not JSON.', {
    hint: 'Send one JSON object of names and values.',
  });

export const tooDeepError = (maxLevels: number): AcequiaError =>
  invalidInputError('invalid_body', `The body nests deeper than ${maxLevels} levels.`, {
    hint: 'Send flatter JSON: requests of this API need only a few levels.',
  });

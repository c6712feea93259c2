import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { firstOf } from '../../domain/items.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { BatchSlot } from '../admission/key-queue.ts';
import type { HttpLimits } from '../limits.ts';
import {
  bodyTooLargeError,
  requestTimeoutError,
  unsupportedMediaType,
} from '../transport-errors.ts';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function assertNoBody(incoming: IncomingMessage): void {
  if (hasBody(incoming))
    throw invalidInputError('invalid_body', `${incoming.method} takes no body here.`, {
      hint: 'Send the arguments in the path and the query.',
    });
}

export async function readJson(incoming: IncomingMessage, limits: HttpLimits): Promise<unknown> {
  if (!hasBody(incoming)) return undefined;
  assertNotOversized(incoming, limits.bodyBytes);
  const bytes = await collectBytes(incoming, { ...limits, maxBytes: limits.bodyBytes });
  if (bytes.length === 0) return undefined;
  assertMediaType(incoming);
  return parseJsonBody(decodeUtf8(bytes), limits);
}

/** Each value costs several checks. Only batches come near this number. */
export const MAX_JSON_VALUES = 10_000;

function parseJsonBody(text: string, { jsonDepth }: HttpLimits): unknown {
  const { depth, values } = jsonShape(text);
  if (depth > jsonDepth) throw tooDeepError(jsonDepth);
  if (values > MAX_JSON_VALUES)
    throw invalidInputError('invalid_body', `The body has more than ${MAX_JSON_VALUES} values.`, {
      hint: 'Send less in one request.',
    });
  return parseJson(text);
}

export const tooDeepError = (maxLevels: number): AcequiaError =>
  invalidInputError('invalid_body', `The body nests deeper than ${maxLevels} levels.`, {
    hint: 'Send flatter JSON: requests of this API need only a few levels.',
  });

const NO_CONTENT_TYPE = 'The request has no Content-Type.';

function assertMediaType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw unsupportedMediaType('The body is compressed.');
  const type = headers['content-type'];
  if (type === undefined) throw unsupportedMediaType(NO_CONTENT_TYPE);
  if (!isJsonType(type)) throw unsupportedMediaType('The body is not declared as JSON in UTF-8.');
}

function assertNotOversized({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLargeError(maxBytes);
}

interface BodyLimits extends Pick<HttpLimits, 'requestSeconds'> {
  readonly maxBytes: number;
}

/**
 * Stops at a limit and leaves the stream open: its socket still has to carry the response. The time
 * counts from here, because the service may have let the client wait until now.
 */
export async function collectBytes(
  incoming: Readable,
  { maxBytes, requestSeconds }: BodyLimits,
  onChunk: (bytes: number) => void = () => undefined,
  toClientError: (error: unknown) => AcequiaError = truncatedBody,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timeLimit = startTimeLimit(requestSeconds * SECOND_MS);
  const parts = incoming.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value: chunk } = await Promise.race([parts.next(), timeLimit.isOver]);
      if (done) break;
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLargeError(maxBytes);
      onChunk(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AcequiaError ? error : toClientError(error);
  } finally {
    timeLimit.stop();
    // Not awaited: while the client sends nothing, it waits for the next part.
    void parts.return?.().catch(() => undefined);
  }

  return chunks.length === 1 ? firstOf(chunks) : Buffer.concat(chunks);
}

interface TimeLimit {
  /** Rejects once the time is over. */
  readonly isOver: Promise<never>;
  stop(): void;
}

function startTimeLimit(ms: number): TimeLimit {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestTimeoutError()), ms);
  });
  return { isOver, stop: () => clearTimeout(timer) };
}

const truncatedBody = () =>
  invalidInputError('invalid_body', 'The body is incomplete.', { hint: 'Send it again.' });

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = (): AcequiaError =>
  invalidInputError('invalid_body', 'The body is not UTF-8 text.', { hint: 'Send it in UTF-8.' });

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

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPENING_BRACKET = 0x5b;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACKET = 0x5d;
export const CLOSING_BRACE = 0x7d;

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
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === COMMA) values++;
    else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      values++;
      if (++level > depth) depth = level;
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) level--;
  }

  return { depth, values };
}

const UTF8 = /^charset\s*=\s*"?utf-?8"?$/;

/**
 * True if a Content-Type header names this type, in UTF-8 and with no parameters but `allowed`. The
 * header is split rather than matched as a whole: a pattern with optional spaces around every part
 * takes quadratic time.
 */
function isUtf8Type(header: string, type: string, allowed?: RegExp): boolean {
  const [name, ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return (
    name === type &&
    parameters.every((each) => each === '' || UTF8.test(each) || allowed?.test(each))
  );
}

export const isJsonType = (header: string): boolean => isUtf8Type(header, 'application/json');

export const isCsvType = (header: string): boolean =>
  isUtf8Type(header, 'text/csv', /^header\s*=\s*"?present"?$/);

export interface BatchBytes {
  readonly bytes: Buffer;
  readonly isCsv: boolean;
}

/**
 * Decompresses the body and removes a byte order mark. `batchBytes` applies to the decompressed
 * size too.
 */
export async function readBatchBytes(
  incoming: IncomingMessage,
  { batchBytes: maxBytes, requestSeconds }: Pick<HttpLimits, 'batchBytes' | 'requestSeconds'>,
  slot: BatchSlot,
): Promise<BatchBytes> {
  if (!hasBody(incoming)) return { bytes: Buffer.alloc(0), isCsv: false };

  assertNotOversized(incoming, maxBytes);
  const isCsv = hasCsvType(incoming);
  const collect = isGzipped(incoming) ? gunzipBody : collectBytes;
  const bytes = await collect(incoming, { maxBytes, requestSeconds }, slot.reserveMemory);
  if (!isUtf8(bytes)) throw notUtf8();

  return {
    isCsv,
    bytes: bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes,
  };
}

const BOM = Buffer.from('\uFEFF');

const CHUNK_BYTES = 65_536;

export function* byteChunks(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}

const BATCH_TYPES_HINT =
  'Send JSON (application/json) or CSV (text/csv) in UTF-8, as it is or with Content-Encoding: gzip.';

function hasCsvType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === undefined) throw unsupportedMediaType(NO_CONTENT_TYPE, BATCH_TYPES_HINT);
  if (isCsvType(type)) return true;
  if (isJsonType(type)) return false;
  throw unsupportedMediaType('The body is not declared as JSON or CSV in UTF-8.', BATCH_TYPES_HINT);
}

function isGzipped({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedMediaType('The body is compressed, but not with gzip.', BATCH_TYPES_HINT);
  return encoding === 'gzip';
}

/** The request is not destroyed on failure: its socket still has to carry the response. */
async function gunzipBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  onChunk: (bytes: number) => void,
): Promise<Buffer> {
  const { maxBytes } = limits;
  if (incoming.destroyed) throw truncatedBody();

  const gunzip = createGunzip();
  let compressedBytes = 0;

  const detach = (): void => {
    incoming.unpipe(gunzip);
    incoming.pause();
  };

  incoming.on('data', (chunk: Buffer) => {
    compressedBytes += chunk.length;
    if (compressedBytes > maxBytes) gunzip.destroy(bodyTooLargeError(maxBytes));
  });
  incoming.once('close', () => {
    if (!incoming.complete) gunzip.destroy(truncatedBody());
  });
  gunzip.once('error', detach);
  incoming.pipe(gunzip);

  try {
    return await collectBytes(gunzip, limits, onChunk, invalidGzipError);
  } finally {
    detach();
    gunzip.destroy();
  }
}

const invalidGzipError = () =>
  invalidInputError('invalid_body', 'The body is not valid gzip.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { SMALL_BODY_BYTES } from '../../domain/shares/bounded-things.ts';
import { AcequiaError, plainInputError } from '../../schema/error.ts';
import type { HttpLimits } from '../http-limits.ts';
import { unsupportedMediaTypeError } from '../transport-errors.ts';
import { isCsvType, isJsonType } from './content-type.ts';
import type { BodyMemory } from './request-bodies.ts';
import {
  assertNotOversized,
  collectBytes,
  hasBody,
  NO_CONTENT_TYPE,
  notUtf8Error,
} from './request-body.ts';

export interface BatchBytes {
  readonly bytes: Buffer;
  readonly isCsv: boolean;
}

/** A batch as it arrived. */
export interface ReceivedBatch extends BatchBytes {
  readonly isGzipped: boolean;
}

type BatchLimits = Pick<HttpLimits, 'batchBytes' | 'requestSeconds'>;

export async function receiveBatch(
  incoming: IncomingMessage,
  { batchBytes: maxBytes, requestSeconds }: BatchLimits,
  memory: BodyMemory,
): Promise<ReceivedBatch> {
  if (!hasBody(incoming)) return { bytes: Buffer.alloc(0), isCsv: false, isGzipped: false };

  assertNotOversized(incoming, maxBytes);
  const isCsv = hasCsvType(incoming);
  const isGzipped = hasGzipEncoding(incoming);
  const bytes = await collectBytes(incoming, { maxBytes, requestSeconds }, { memory });
  memory.complete();
  return { bytes, isCsv, isGzipped };
}

const inflate = promisify(gunzip);

/** Null for a batch that is, or inflates to, more than 64 kB. */
export async function smallBatch(batch: ReceivedBatch): Promise<BatchBytes | null> {
  if (batch.bytes.length > SMALL_BODY_BYTES) return null;
  if (!batch.isGzipped) return textOf(batch);

  try {
    const bytes = await inflate(batch.bytes, { maxOutputLength: SMALL_BODY_BYTES });
    return textOf({ ...batch, bytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error instanceof AcequiaError ? error : invalidGzipError();
  }
}

/** Decompresses a batch that has a place to run. `batchBytes` applies to the result too. */
export async function inflateBatch(
  batch: ReceivedBatch,
  { batchBytes: maxBytes, requestSeconds }: BatchLimits,
  memory: BodyMemory,
): Promise<BatchBytes> {
  if (!batch.isGzipped) return textOf(batch);

  const inflating = createGunzip();
  inflating.end(batch.bytes);
  try {
    const options = { memory, streamError: invalidGzipError };
    const bytes = await collectBytes(inflating, { maxBytes, requestSeconds }, options);
    return textOf({ ...batch, bytes });
  } finally {
    inflating.destroy();
  }
}

/** Removes a byte order mark. */
function textOf({ bytes, isCsv }: BatchBytes): BatchBytes {
  if (!isUtf8(bytes)) throw notUtf8Error();
  return { bytes: withoutByteOrderMark(bytes), isCsv };
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

const CHUNK_BYTES = 65_536;

export function* byteChunks(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}

const BATCH_TYPES_HINT =
  'Send JSON (application/json) or CSV (text/csv) in UTF-8, as it is or with Content-Encoding: gzip.';

function hasCsvType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === undefined) throw unsupportedMediaTypeError(NO_CONTENT_TYPE, BATCH_TYPES_HINT);
  if (isCsvType(type)) return true;
  if (isJsonType(type)) return false;
  throw unsupportedMediaTypeError(
    'The body is not declared as JSON or CSV in UTF-8.',
    BATCH_TYPES_HINT,
  );
}

function hasGzipEncoding({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedMediaTypeError('The body is compressed, but not with gzip.', BATCH_TYPES_HINT);
  return encoding === 'gzip';
}

const invalidGzipError = () =>
  plainInputError('invalid_body', 'The body is not valid gzip.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

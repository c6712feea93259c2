import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { invalidInputError } from '../../schema/error.ts';
import type { HttpLimits } from '../limits.ts';
import { bodyTooLargeError, unsupportedMediaTypeError } from '../transport-errors.ts';
import type { BatchSlot } from './batch-slots.ts';
import { isCsvType, isJsonType } from './content-type.ts';
import {
  assertNotOversized,
  type BodyLimits,
  collectBytes,
  hasBody,
  NO_CONTENT_TYPE,
  notUtf8Error,
  truncatedBodyError,
} from './request-body.ts';

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
  const onChunk = (size: number): void => slot.reserveMemory(size);
  const bytes = await collect(incoming, { maxBytes, requestSeconds }, { onChunk });
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

function isGzipped({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedMediaTypeError('The body is compressed, but not with gzip.', BATCH_TYPES_HINT);
  return encoding === 'gzip';
}

/** The request is not destroyed on failure: its socket still has to carry the response. */
async function gunzipBody(
  incoming: IncomingMessage,
  limits: BodyLimits,
  { onChunk }: { readonly onChunk: (bytes: number) => void },
): Promise<Buffer> {
  const { maxBytes } = limits;
  if (incoming.destroyed) throw truncatedBodyError();

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
    if (!incoming.complete) gunzip.destroy(truncatedBodyError());
  });
  gunzip.once('error', detach);
  incoming.pipe(gunzip);

  try {
    return await collectBytes(gunzip, limits, { onChunk, streamError: invalidGzipError });
  } finally {
    detach();
    gunzip.destroy();
  }
}

const invalidGzipError = () =>
  invalidInputError('invalid_body', 'The body is not valid gzip.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { invalidInput } from '../schema/error.ts';
import { collectBytes, hasBody, isCsvType, isJsonType, NO_CONTENT_TYPE, notUtf8 } from './request-body.ts';
import type { BatchPass } from './request-queues.ts';
import { bodyTooLarge, unsupportedMediaType } from './transport-errors.ts';

export interface BatchBytes {
  readonly bytes: Buffer;
  readonly isCsv: boolean;
}

/** Inflated, without a byte order mark. The limits apply to the inflated size. */
export async function readBatchBytes(
  incoming: IncomingMessage,
  maxBytes: number,
  pass: BatchPass,
): Promise<BatchBytes> {
  if (!hasBody(incoming)) return { bytes: Buffer.alloc(0), isCsv: false };
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const isCsv = hasCsvType(incoming);
  const collect = isGzipped(incoming) ? gunzipBody : collectBytes;
  const bytes = await collect(incoming, maxBytes, pass.hold);
  if (!isUtf8(bytes)) throw notUtf8();
  return { isCsv, bytes: bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes };
}

const BOM = Buffer.from('\uFEFF');

const PIECE_BYTES = 65_536;

export function* bytePieces(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
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
  maxBytes: number,
  onChunk: (bytes: number) => void,
): Promise<Buffer> {
  const gunzip = createGunzip();
  let packed = 0;
  const leave = (): void => {
    incoming.unpipe(gunzip);
    incoming.pause();
  };
  incoming.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    if (packed > maxBytes) gunzip.destroy(bodyTooLarge(maxBytes));
  });
  incoming.once('close', () => incoming.complete || gunzip.destroy());
  gunzip.once('error', leave);
  incoming.pipe(gunzip);
  try {
    return await collectBytes(gunzip, maxBytes, onChunk, invalidGzip);
  } finally {
    leave();
    gunzip.destroy();
  }
}

const invalidGzip = () =>
  invalidInput('invalid_body', 'The body is not valid gzip.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

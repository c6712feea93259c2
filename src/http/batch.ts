import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { AcequiaError, invalidInput } from '../schema/error.ts';
import { collectBytes, decodeUtf8, hasBody, JSON_TYPE, parseJsonBody } from './body.ts';
import type { HttpLimits } from './limits.ts';
import { bodyTooLarge, unsupportedMediaType } from './refusals.ts';

/** A batch as it travels: JSON (undefined without a body), or a text of CSV. */
export type BatchBody = { readonly json: unknown } | { readonly csv: string };

const CSV_TYPE = /^text\/csv\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?|header\s*=\s*"?present"?)\s*)*;?\s*$/i;

const BATCH_TYPES_HINT =
  'Send JSON (application/json) or CSV (text/csv) in UTF-8, as it is or with Content-Encoding: gzip.';

/** The batch that a request carries. What it is unpacked to counts for the limit, and is read no further than that. */
export async function readBatch(incoming: IncomingMessage, limits: HttpLimits): Promise<BatchBody> {
  if (!hasBody(incoming)) return { json: undefined };
  const most = limits.batchBytes;
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw bodyTooLarge(most);
  const isCsv = hasCsvType(incoming);
  const bytes = await (isGzipped(incoming) ? gunzipBody(incoming, most) : collectBytes(incoming, most));
  if (bytes.length === 0 && !isCsv) return { json: undefined };
  const text = decodeUtf8(bytes);
  return isCsv ? { csv: text } : { json: parseJsonBody(text, limits) };
}

function hasCsvType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === undefined) throw unsupportedMediaType('nothing that is named', BATCH_TYPES_HINT);
  if (CSV_TYPE.test(type)) return true;
  if (JSON_TYPE.test(type)) return false;
  throw unsupportedMediaType('something else than JSON or CSV in UTF-8', BATCH_TYPES_HINT);
}

function isGzipped({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw unsupportedMediaType('a compression other than gzip', BATCH_TYPES_HINT);
  return encoding === 'gzip';
}

/** What a body unpacks to. The request itself is left whole when that fails: there is an answer to send over it. */
async function gunzipBody(incoming: IncomingMessage, most: number): Promise<Buffer> {
  const gunzip = createGunzip();
  let packed = 0;
  const leave = (): void => {
    incoming.unpipe(gunzip);
    incoming.pause();
  };
  incoming.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    if (packed > most) gunzip.destroy(bodyTooLarge(most));
  });
  incoming.once('close', () => incoming.complete || gunzip.destroy());
  gunzip.once('error', leave);
  incoming.pipe(gunzip);
  try {
    return await collectBytes(gunzip, most, toGzipError);
  } finally {
    leave();
    gunzip.destroy();
  }
}

const toGzipError = (error: unknown): AcequiaError => (error instanceof AcequiaError ? error : invalidGzip());

const invalidGzip = () =>
  invalidInput('invalid_body', 'The body is not what gzip makes, or not all of it.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { AcequiaError, refuse } from '../schema/error.ts';
import { bytesOf, hasBody, JSON_TYPE, jsonIn, textOf } from './body.ts';
import type { Limits } from './limits.ts';
import { tooLargeBody, wrongMediaType } from './refusals.ts';

/** A batch as it travels: JSON (undefined without a body), or a text of CSV. */
export type BatchBody = { readonly json: unknown } | { readonly csv: string };

const CSV_TYPE = /^text\/csv\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?|header\s*=\s*"?present"?)\s*)*;?\s*$/i;

const HINT = 'Send JSON (application/json) or CSV (text/csv) in UTF-8, as it is or with Content-Encoding: gzip.';

/** The batch that a request carries. What it is unpacked to counts for the limit, and is read no further than that. */
export async function readBatch(incoming: IncomingMessage, limits: Limits): Promise<BatchBody> {
  if (!hasBody(incoming)) return { json: undefined };
  const most = limits.batchBytes;
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw tooLargeBody(most);
  const isCsv = isCsvNamed(incoming);
  const bytes = await (isPacked(incoming) ? inflated(incoming, most) : bytesOf(incoming, most));
  if (bytes.length === 0 && !isCsv) return { json: undefined };
  const text = textOf(bytes);
  return isCsv ? { csv: text } : { json: jsonIn(text, limits) };
}

function isCsvNamed({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === undefined) throw wrongMediaType('nothing that is named', HINT);
  if (CSV_TYPE.test(type)) return true;
  if (JSON_TYPE.test(type)) return false;
  throw wrongMediaType('something else than JSON or CSV in UTF-8', HINT);
}

function isPacked({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') throw wrongMediaType('a compression other than gzip', HINT);
  return encoding === 'gzip';
}

/** What a body unpacks to. The request itself is left whole when that fails: there is an answer to send over it. */
async function inflated(incoming: IncomingMessage, most: number): Promise<Buffer> {
  const gunzip = createGunzip();
  let packed = 0;
  const leave = (): void => {
    incoming.unpipe(gunzip);
    incoming.pause();
  };
  incoming.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    if (packed > most) gunzip.destroy(tooLargeBody(most));
  });
  incoming.once('close', () => incoming.complete || gunzip.destroy());
  gunzip.once('error', leave);
  incoming.pipe(gunzip);
  try {
    return await bytesOf(gunzip, most, whyNot);
  } finally {
    leave();
    gunzip.destroy();
  }
}

const whyNot = (error: unknown): AcequiaError => (error instanceof AcequiaError ? error : notGzip());

const notGzip = () =>
  refuse('invalid_body', 'The body is not what gzip makes, or not all of it.', {
    hint: 'Send it again, or without Content-Encoding.',
  });

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { MAX_UNREAD_BYTES } from '../domain/shares/bounded-things.ts';
import { readInTime } from './answer-stream.ts';
import type { HttpReply, ResponseHeaders } from './reply.ts';

export async function toResponse(
  { status, type, content }: HttpReply,
  headers: ResponseHeaders,
  acceptedEncodings: string | undefined,
): Promise<Response> {
  if (type !== null) headers['Content-Type'] = type;
  const body = await compressIfAccepted(content, acceptedEncodings, headers);
  if (body === null || body instanceof ReadableStream)
    return new Response(body, { status, headers });

  const length = Buffer.byteLength(body);
  headers['Content-Length'] = String(length);
  return new Response(length > MAX_UNREAD_BYTES ? readInTime(body) : body, { status, headers });
}

/** Shorter texts fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_400;
const compress = promisify(gzip);

/** Names gzip, and not with the weight 0, which refuses it. */
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** Compresses texts only: pictures are compressed already, and streams must not wait. */
async function compressIfAccepted(
  content: HttpReply['content'],
  accepted = '',
  headers: ResponseHeaders,
): Promise<HttpReply['content']> {
  if (typeof content !== 'string' || content.length < MIN_COMPRESSED_BYTES) return content;

  headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  if (!ACCEPTS_GZIP.test(accepted)) return content;
  headers['Content-Encoding'] = 'gzip';
  return new Uint8Array(await compress(content));
}

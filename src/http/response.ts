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
  accepted: string | undefined,
  headers: ResponseHeaders,
): Promise<HttpReply['content']> {
  if (typeof content !== 'string' || !announceCompression(content.length, accepted, headers))
    return content;
  return new Uint8Array(await compress(content));
}

/** Adds the headers, and returns whether a text of this length is to be sent compressed. */
function announceCompression(length: number, accepted = '', headers: ResponseHeaders): boolean {
  if (length < MIN_COMPRESSED_BYTES) return false;
  headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  if (!ACCEPTS_GZIP.test(accepted)) return false;
  headers['Content-Encoding'] = 'gzip';
  return true;
}

/** A text that never changes, encoded and compressed once for all replies. */
export class StaticText {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #compressed: Promise<Uint8Array<ArrayBuffer>> | null = null;

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text);
  }

  async acceptedBytes(
    accepted: string | undefined,
    headers: ResponseHeaders,
  ): Promise<Uint8Array<ArrayBuffer>> {
    if (!announceCompression(this.#bytes.length, accepted, headers)) return this.#bytes;
    this.#compressed ??= compress(this.#bytes).then((bytes) => new Uint8Array(bytes));
    return this.#compressed;
  }
}

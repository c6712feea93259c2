import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SECOND_MS } from '../domain/periods.ts';
import { MAX_UNREAD_BYTES } from '../domain/shares/bounded-things.ts';
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

const PART_BYTES = 65_536;

/** The longest that a client may leave an answer unread without reading another part. */
const MAX_PAUSE_MS = 30 * SECOND_MS;

/**
 * A long answer in parts, which fails once its client leaves more than 1 MB unread and reads no part
 * for half a minute.
 */
function readInTime(content: string | Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(content);
  let position = 0;
  let timer: NodeJS.Timeout | undefined;

  const expectRead = (controller: ReadableStreamDefaultController): void => {
    clearTimeout(timer);
    if (bytes.length - position <= MAX_UNREAD_BYTES) return;
    timer = setTimeout(
      () => controller.error(new Error('The client does not read its answer')),
      MAX_PAUSE_MS,
    );
  };

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const part = bytes.subarray(position, position + PART_BYTES);
        position += part.length;
        controller.enqueue(new Uint8Array(part));
        if (position < bytes.length) return expectRead(controller);
        clearTimeout(timer);
        controller.close();
      },
      cancel: () => clearTimeout(timer),
    },
    { highWaterMark: 0 },
  );
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

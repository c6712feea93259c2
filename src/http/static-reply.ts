import { hash } from 'node:crypto';
import type { ResponseHeaders } from './response-headers.ts';
import type { RouteHandler } from './router.ts';

/** Clients keep it, and ask each time whether it has changed. */
export function staticReply(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  more: ResponseHeaders = {},
): RouteHandler {
  // Weak: compressed, it has other bytes.
  const tag = `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
  return async (headers, { req }) => {
    Object.assign(headers, more, { 'Cache-Control': 'no-cache', ETag: tag });
    if (req.header('if-none-match') === tag) return { status: 304, type: null, content: null };
    return { status: 200, type, content };
  };
}

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { firstOf } from '../../domain/items.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { HttpLimits } from '../limits.ts';
import { bodyTooLargeError, requestTimeoutError } from '../transport-errors.ts';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function assertNoBody(incoming: IncomingMessage): void {
  if (hasBody(incoming))
    throw invalidInputError('invalid_body', `${incoming.method} takes no body here.`, {
      hint: 'Send the arguments in the path and the query.',
    });
}

export const NO_CONTENT_TYPE = 'The request has no Content-Type.';

export function assertNotOversized({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLargeError(maxBytes);
}

export interface BodyLimits extends Pick<HttpLimits, 'requestSeconds'> {
  readonly maxBytes: number;
}

interface CollectOptions {
  /** Called with the size of each chunk. */
  readonly onChunk?: (bytes: number) => void;
  /** Of a stream that fails; default: the body is incomplete. */
  readonly streamError?: () => AcequiaError;
}

/**
 * Stops at a limit and leaves the stream open: its socket still has to carry the response. The time
 * counts from here, because the service may have let the client wait until now.
 */
export async function collectBytes(
  incoming: Readable,
  { maxBytes, requestSeconds }: BodyLimits,
  { onChunk, streamError = truncatedBodyError }: CollectOptions = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timeLimit = startTimeLimit(requestSeconds * SECOND_MS);
  const parts = incoming.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value: chunk } = await Promise.race([parts.next(), timeLimit.timeout]);
      if (done) break;
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLargeError(maxBytes);
      onChunk?.(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof AcequiaError ? error : streamError();
  } finally {
    timeLimit.stop();
    // Not awaited: it waits for the next part, which the client may never send.
    void parts.return?.().catch(() => undefined);
  }

  return chunks.length === 1 ? firstOf(chunks) : Buffer.concat(chunks);
}

interface TimeLimit {
  /** Rejects once the time is over. */
  readonly timeout: Promise<never>;
  stop(): void;
}

function startTimeLimit(ms: number): TimeLimit {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(requestTimeoutError()), ms);
  });
  return { timeout, stop: () => clearTimeout(timer) };
}

export const truncatedBodyError = (): AcequiaError =>
  invalidInputError('invalid_body', 'The body is incomplete.', { hint: 'Send it again.' });

export const notUtf8Error = (): AcequiaError =>
  invalidInputError('invalid_body', 'The body is not UTF-8 text.', { hint: 'Send it in UTF-8.' });

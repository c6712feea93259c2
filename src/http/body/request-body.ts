import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { SECOND_MS } from '../../domain/periods.ts';
import { nextLoopTurn } from '../../domain/shares/loop-turns.ts';
import { AcequiaError, plainInputError } from '../../schema/error.ts';
import { sharesOf } from '../admission/request-shares.ts';
import type { HttpLimits } from '../http-limits.ts';
import { bodyTooLargeError, requestTimeoutError } from '../transport-errors.ts';
import { BodyParts } from './body-parts.ts';
import type { BodyMemory } from './request-bodies.ts';
import { hasSmallParts, smallPartsError } from './small-parts.ts';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function assertNoBody(incoming: IncomingMessage): void {
  if (hasBody(incoming))
    throw plainInputError('invalid_body', `${incoming.method} takes no body here.`, {
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
  readonly memory: BodyMemory;
  /** The error of a stream that fails; default: the body is incomplete. */
  readonly streamError?: () => AcequiaError;
}

/**
 * Stops at a limit and leaves the stream open: its socket still has to carry the response. The time
 * counts from here, because the service may have let the client wait until now.
 */
export async function collectBytes(
  incoming: Readable,
  { maxBytes, requestSeconds }: BodyLimits,
  { memory, streamError = truncatedBodyError }: CollectOptions,
): Promise<Buffer> {
  const body = new BodyParts();
  const timeLimit = startTimeLimit(requestSeconds * SECOND_MS, memory.signal);
  const parts = incoming.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), timeLimit.timeout]);
      if (hasSmallParts(incoming)) throw smallPartsError();
      if (done) break;
      body.add(part);
      if (body.bytes > maxBytes) throw bodyTooLargeError(maxBytes);
      memory.add(part.length);
      // Otherwise all that has arrived of all bodies would be read in one turn of the event loop.
      if (!memory.isSmall) await nextLoopTurn(memory.taker);
    }
  } catch (error) {
    throw error instanceof AcequiaError ? error : streamError();
  } finally {
    timeLimit.stop();
    // Not awaited: it waits for the next part, which the client may never send.
    void parts.return?.().catch(() => undefined);
  }

  return body.toBuffer();
}

interface TimeLimit {
  /** Rejects once the time is over. */
  readonly timeout: Promise<never>;
  stop(): void;
}

/** The time is over early if there is no memory for the body any longer. */
function startTimeLimit(ms: number, memorySignal: AbortSignal): TimeLimit {
  let stop = (): void => undefined;
  const timeout = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(requestTimeoutError()), ms);
    const onAbort = (): void => reject(memorySignal.reason);
    memorySignal.addEventListener('abort', onAbort);
    stop = () => {
      clearTimeout(timer);
      memorySignal.removeEventListener('abort', onAbort);
    };
  });
  return { timeout, stop };
}

/** The whole body of a request, whose memory is released with the request. */
export async function receiveBytes(
  incoming: IncomingMessage,
  { requestSeconds }: Pick<HttpLimits, 'requestSeconds'>,
  maxBytes: number,
): Promise<Buffer> {
  const memory = sharesOf(incoming).bodyMemory();
  const bytes = await collectBytes(incoming, { maxBytes, requestSeconds }, { memory });
  memory.complete();
  return bytes;
}

export const truncatedBodyError = (): AcequiaError =>
  plainInputError('invalid_body', 'The body is incomplete.', { hint: 'Send it again.' });

export const notUtf8Error = (): AcequiaError =>
  plainInputError('invalid_body', 'The body is not UTF-8 text.', { hint: 'Send it in UTF-8.' });

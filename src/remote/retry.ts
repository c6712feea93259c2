import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteConnection, RemoteReply, RemoteRequest } from './connection.ts';
import { monotonicMs, type RemoteLimits } from './limits.ts';
import { TransportError } from './transport-error.ts';

/** What came of a request after all its repetitions. */
export interface RetryOutcome {
  readonly last: RemoteReply | TransportError;
  /** Whether the service can have acted on the request without its answer having come here. */
  readonly mayHaveActed: boolean;
  /** How long the service asked to wait before the next request, in ms; null where it did not. */
  readonly retryAfterMs: number | null;
}

/** Before the second try, in ms, and twice that before the third: each more or less by half, so that clients do not come back at once. */
const FIRST_PAUSE_MS = 300;

/** A try that has less time than this is not worth it, in ms. */
const MIN_ATTEMPT_MS = 500;

/**
 * Sends a request until it is answered for good: again when the connection failed or the service asks to come back later.
 * That is safe for a read, and for a write because its Idempotency-Key goes with it. It ends before `deadline`.
 */
export async function sendWithRetry(
  connection: RemoteConnection,
  request: RemoteRequest,
  bounds: RemoteLimits,
  deadline: number,
): Promise<RetryOutcome> {
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = await connection.send(request, deadline).catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      throw error;
    });
    mayHaveActed ||= last instanceof TransportError ? last.mayHaveArrived : last.status >= 500;
    const retryAfterMs = last instanceof TransportError ? null : parseRetryAfter(last);
    const pause = Math.max(retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    const isOver = attempt >= bounds.maxAttempts || !isRetryable(last, request, attempt);
    if (isOver || monotonicMs() + pause + MIN_ATTEMPT_MS > deadline) return { last, mayHaveActed, retryAfterMs };
    await sleep(pause);
  }
}

/** A refusal is for good; a service that keeps silent is not pressed. */
function isRetryable(last: RemoteReply | TransportError, request: RemoteRequest, attempt: number): boolean {
  if (last instanceof TransportError) return last.failure === 'unreachable' || last.failure === 'cut';
  if (last.status === 500) return request.method === 'GET' && attempt === 1;
  return [429, 502, 503, 504].includes(last.status);
}

/** Retry-After in ms: seconds or an HTTP date. */
function parseRetryAfter({ headers }: RemoteReply): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

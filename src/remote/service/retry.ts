import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RawResponse,
  type RemoteConnection,
  type RemoteRequest,
  TransportError,
} from './connection.ts';
import { monotonicMs } from './deadline.ts';
import type { RemoteLimits } from './remote-limits.ts';

export interface RetryOutcome {
  readonly last: RawResponse | TransportError;
  /** True if the service may have acted on an attempt whose response got lost. */
  readonly mayHaveActed: boolean;
  readonly retryAfterMs: number | null;
}

/** Doubles with each attempt; a jitter of 50 % keeps clients from all retrying at once. */
const FIRST_PAUSE_MS = 300;

/** An attempt with less time than this would only time out. */
const MIN_ATTEMPT_MS = 500;

/**
 * Retries when the connection failed or the service asks for a later retry, and ends before
 * `deadline`. Retries are safe for reads, and for writes because every attempt carries the same
 * Idempotency-Key.
 */
export async function sendWithRetry(
  connection: RemoteConnection,
  request: RemoteRequest,
  basePath: string,
  { maxAttempts }: Pick<RemoteLimits, 'maxAttempts'>,
  deadline: number,
): Promise<RetryOutcome> {
  let mayHaveActed = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = await connection.send(request, basePath, deadline).catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      throw error;
    });
    mayHaveActed ||= last instanceof TransportError ? last.mayHaveArrived : last.status >= 500;

    const retryAfterMs = last instanceof TransportError ? null : parseRetryAfter(last);
    const ownPauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
    const pauseMs = Math.max(retryAfterMs ?? 0, ownPauseMs);
    const isLast = attempt >= maxAttempts || !isRetryable(last, request, attempt);
    if (isLast || monotonicMs() + pauseMs + MIN_ATTEMPT_MS > deadline)
      return { last, mayHaveActed, retryAfterMs };

    await sleep(pauseMs);
  }
}

/** A refusal is final, and a service that does not answer in time gets no second request. */
function isRetryable(
  last: RawResponse | TransportError,
  request: RemoteRequest,
  attempt: number,
): boolean {
  if (last instanceof TransportError)
    return last.failure === 'unreachable' || last.failure === 'closed';
  if (last.status === 500) return request.method === 'GET' && attempt === 1;
  return [429, 502, 503, 504].includes(last.status);
}

function parseRetryAfter({ headers }: RawResponse): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

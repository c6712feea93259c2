import { setTimeout as sleep } from 'node:timers/promises';
import { type RemoteConnection, type RemoteReply, type RemoteRequest, TransportError } from './connection.ts';
import { monotonicMs, type RemoteLimits } from './limits.ts';

export interface RetryOutcome {
  readonly last: RemoteReply | TransportError;
  /** True if the service may have acted on an attempt whose response got lost. */
  readonly mayHaveActed: boolean;
  readonly retryAfterMs: number | null;
}

/** Doubles with each attempt; a jitter of 50 % keeps clients from all returning at once. */
const FIRST_PAUSE_MS = 300;

const MIN_ATTEMPT_MS = 500;

/**
 * Retries when the connection failed or the service asks to come back later, and ends before `deadline`. That is safe for
 * reads, and for writes because every attempt carries the same Idempotency-Key.
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
    const pause = Math.max(retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    const isOver = attempt >= maxAttempts || !isRetryable(last, request, attempt);
    if (isOver || monotonicMs() + pause + MIN_ATTEMPT_MS > deadline) return { last, mayHaveActed, retryAfterMs };
    await sleep(pause);
  }
}

/** A refusal is final, and a service that does not answer in time gets no second request. */
function isRetryable(last: RemoteReply | TransportError, request: RemoteRequest, attempt: number): boolean {
  if (last instanceof TransportError) return last.failure === 'unreachable' || last.failure === 'closed';
  if (last.status === 500) return request.method === 'GET' && attempt === 1;
  return [429, 502, 503, 504].includes(last.status);
}

function parseRetryAfter({ headers }: RemoteReply): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Bounds, ticking } from './bounds.ts';
import type { Connection, Reply, Sent } from './connection.ts';
import { Unanswered } from './unanswered.ts';

/** What came of a request after all its repetitions. */
export interface Outcome {
  readonly last: Reply | Unanswered;
  /** Whether the service can have acted on the request without its answer having come here. */
  readonly mayHaveActed: boolean;
  /** How long the service asked to wait before the next request, in ms; null where it did not. */
  readonly retryAfterMs: number | null;
}

/** Before the second try, in ms, and twice that before the third: each more or less by half, so that clients do not come back at once. */
const PAUSE_MS = 300;

/** A try that has less time than this is not worth it, in ms. */
const LEAST_MS = 500;

/**
 * Sends a request until it is answered for good: again when the connection failed or the service asks to come back later.
 * That is safe for a read, and for a write because its Idempotency-Key goes with it. It ends before `deadline`.
 */
export async function insist(connection: Connection, sent: Sent, bounds: Bounds, deadline: number): Promise<Outcome> {
  let mayHaveActed = false;
  for (let tried = 1; ; tried += 1) {
    const last = await connection.exchange(sent, deadline).catch((error: unknown) => {
      if (error instanceof Unanswered) return error;
      throw error;
    });
    mayHaveActed ||= last instanceof Unanswered ? last.mayHaveArrived : last.status >= 500;
    const retryAfterMs = last instanceof Unanswered ? null : waitAsked(last);
    const pause = Math.max(retryAfterMs ?? 0, PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random()));
    const isOver = tried >= bounds.tries || !isWorthRepeating(last, sent, tried);
    if (isOver || ticking() + pause + LEAST_MS > deadline) return { last, mayHaveActed, retryAfterMs };
    await sleep(pause);
  }
}

/** A refusal is for good; a service that keeps silent is not pressed. */
function isWorthRepeating(last: Reply | Unanswered, sent: Sent, tried: number): boolean {
  if (last instanceof Unanswered) return last.lack === 'unreachable' || last.lack === 'cut';
  if (last.status === 500) return sent.method === 'GET' && tried === 1;
  return [429, 502, 503, 504].includes(last.status);
}

/** Retry-After in ms: seconds or an HTTP date. */
function waitAsked({ headers }: Reply): number | null {
  const said = headers['retry-after']?.trim();
  if (said === undefined || said === '') return null;
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

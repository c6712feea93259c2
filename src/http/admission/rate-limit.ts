import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { type AcequiaError, plainError, tryAgainIn } from '../../schema/error.ts';
import type { HttpLimits } from '../http-limits.ts';
import type { ResponseHeaders } from '../reply.ts';

const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

/**
 * Each bucket fills at `rate` tokens per minute up to `burst`; a rate of 0 means no limit. `now` is
 * monotonic, in ms.
 */
export class TokenBuckets {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #tokensPerMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    { rate, burst }: Pick<HttpLimits, 'rate' | 'burst'>,
    now: () => number = () => performance.now(),
  ) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
    this.#tokensPerMs = rate / MINUTE_MS;
  }

  /** Says in the headers how many tokens are left. Throws 429 if there was none. */
  take(name: string, headers: ResponseHeaders): void {
    if (this.#rate === 0) return;

    const nowMs = this.#now();
    const tokens = this.#tokensAt(this.#bucket(name, nowMs), nowMs);
    const hasToken = tokens >= 1;
    const remaining = hasToken ? tokens - 1 : tokens;

    this.#buckets.set(name, { tokens: remaining, updatedAtMs: nowMs });
    headers['RateLimit-Limit'] = String(this.#burst);
    headers['RateLimit-Remaining'] = String(Math.floor(remaining));
    headers['RateLimit-Reset'] = String(
      toWholeSeconds((this.#burst - remaining) / this.#tokensPerMs),
    );
    if (!hasToken)
      throw rateLimitError(this.#rate, toWholeSeconds((1 - remaining) / this.#tokensPerMs));
  }

  /** A new bucket is full. */
  #bucket(name: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket !== undefined) return bucket;

    if (this.#buckets.size >= MAX_BUCKETS) this.#deleteFullBuckets(nowMs);
    return { tokens: this.#burst, updatedAtMs: nowMs };
  }

  #tokensAt({ tokens, updatedAtMs }: Bucket, nowMs: number): number {
    return Math.min(this.#burst, tokens + (nowMs - updatedAtMs) * this.#tokensPerMs);
  }

  /** A full bucket is the same as a new one. */
  #deleteFullBuckets(nowMs: number): void {
    for (const [name, bucket] of this.#buckets)
      if (this.#tokensAt(bucket, nowMs) >= this.#burst) this.#buckets.delete(name);
  }
}

/** At least 1, so that no client tries again at once. */
const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / SECOND_MS));

const rateLimitError = (rate: number, retryAfterS: number): AcequiaError =>
  plainError({
    code: 'rate_limited',
    status: 429,
    message: `Rate limit of ${rate} requests per minute exceeded.`,
    hint: tryAgainIn(retryAfterS),
    retryAfterS,
  });

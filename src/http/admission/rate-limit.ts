import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError, tryAgainIn } from '../../schema/error.ts';
import type { HttpLimits } from '../limits.ts';
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
  readonly #perMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    { rate, burst }: Pick<HttpLimits, 'rate' | 'burst'>,
    now: () => number = () => performance.now(),
  ) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
    this.#perMs = rate / MINUTE_MS;
  }

  /** Says in the headers how many tokens are left. Throws 429 if there was none. */
  take(name: string, headers: ResponseHeaders): void {
    if (this.#rate === 0) return;

    const time = this.#now();
    const tokens = this.#tokensAt(this.#bucket(name, time), time);
    const hasToken = tokens >= 1;
    const remaining = hasToken ? tokens - 1 : tokens;

    this.#buckets.set(name, { tokens: remaining, updatedAtMs: time });
    headers['RateLimit-Limit'] = String(this.#burst);
    headers['RateLimit-Remaining'] = String(Math.floor(remaining));
    headers['RateLimit-Reset'] = String(toWholeSeconds((this.#burst - remaining) / this.#perMs));
    if (!hasToken) throw rateLimitError(this.#rate, toWholeSeconds((1 - remaining) / this.#perMs));
  }

  /** A new one is full. */
  #bucket(name: string, time: number): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket !== undefined) return bucket;

    if (this.#buckets.size >= MAX_BUCKETS) this.#deleteFullBuckets(time);
    return { tokens: this.#burst, updatedAtMs: time };
  }

  #tokensAt({ tokens, updatedAtMs }: Bucket, time: number): number {
    return Math.min(this.#burst, tokens + (time - updatedAtMs) * this.#perMs);
  }

  #deleteFullBuckets(time: number): void {
    for (const [name, bucket] of this.#buckets)
      if (this.#tokensAt(bucket, time) >= this.#burst) this.#buckets.delete(name);
  }
}

const toWholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / SECOND_MS));

const rateLimitError = (rate: number, retryAfterS: number): AcequiaError =>
  new AcequiaError({
    code: 'rate_limited',
    status: 429,
    message: `Rate limit of ${rate} requests per minute exceeded.`,
    hint: tryAgainIn(retryAfterS),
    retryAfterS,
  });

import { AcequiaError } from '../schema/error.ts';

/** Buckets that have filled up again are forgotten when there are this many. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  /** When it held that many, in ms. */
  updatedAtMs: number;
}

/** Token buckets by name: each fills at `rate` tokens a minute up to `burst`, and a request takes one. */
export interface TokenBuckets {
  /** Takes a token and notes in `headers` what is left; 429 where none is. */
  take(name: string, headers: Record<string, string>): void;
}

/** `now` runs in ms, and never back. A rate of 0 limits nothing. */
export function tokenBuckets(rate: number, burst: number, now: () => number = () => performance.now()): TokenBuckets {
  const filled = new Map<string, Bucket>();
  const perMs = rate / 60_000;

  const tokensAt = ({ tokens, updatedAtMs }: Bucket, time: number): number =>
    Math.min(burst, tokens + (time - updatedAtMs) * perMs);

  function forgetFull(time: number): void {
    for (const [name, bucket] of filled) if (tokensAt(bucket, time) >= burst) filled.delete(name);
  }

  return {
    take(name, headers) {
      if (rate === 0) return;
      const time = now();
      const bucket = filled.get(name) ?? { tokens: burst, updatedAtMs: time };
      const tokens = tokensAt(bucket, time);
      const isTaken = tokens >= 1;
      const remaining = isTaken ? tokens - 1 : tokens;
      if (filled.size >= MAX_BUCKETS && !filled.has(name)) forgetFull(time);
      filled.set(name, { tokens: remaining, updatedAtMs: time });
      headers['RateLimit-Limit'] = String(burst);
      headers['RateLimit-Remaining'] = String(Math.floor(remaining));
      headers['RateLimit-Reset'] = seconds((burst - remaining) / perMs);
      if (isTaken) return;
      headers['Retry-After'] = seconds((1 - remaining) / perMs);
      throw new AcequiaError({
        code: 'rate_limited',
        status: 429,
        message: `More than ${rate} requests a minute were made.`,
        hint: `Wait ${headers['Retry-After']} s, as Retry-After says, and go on slower.`,
      });
    },
  };
}

/** Whole seconds, never too few. */
const seconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { AcequiaError } from '../schema/error.ts';

const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

export interface TokenBuckets {
  take(name: string, headers: Record<string, string>): void;
}

/** Each bucket fills at `rate` tokens per minute up to `burst`; a rate of 0 is no limit. `now` is monotonic, in ms. */
export function tokenBuckets(rate: number, burst: number, now: () => number = () => performance.now()): TokenBuckets {
  const filled = new Map<string, Bucket>();
  const perMs = rate / MINUTE_MS;

  const tokensAt = ({ tokens, updatedAtMs }: Bucket, time: number): number =>
    Math.min(burst, tokens + (time - updatedAtMs) * perMs);

  function deleteFullBuckets(time: number): void {
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
      if (filled.size >= MAX_BUCKETS && !filled.has(name)) deleteFullBuckets(time);
      filled.set(name, { tokens: remaining, updatedAtMs: time });
      headers['RateLimit-Limit'] = String(burst);
      headers['RateLimit-Remaining'] = String(Math.floor(remaining));
      headers['RateLimit-Reset'] = toHeaderSeconds((burst - remaining) / perMs);
      if (isTaken) return;
      headers['Retry-After'] = toHeaderSeconds((1 - remaining) / perMs);
      throw new AcequiaError({
        code: 'rate_limited',
        status: 429,
        message: `Rate limit of ${rate} requests per minute exceeded.`,
        hint: `Wait ${headers['Retry-After']} s, as Retry-After says.`,
      });
    },
  };
}

const toHeaderSeconds = (ms: number): string => String(Math.max(1, Math.ceil(ms / SECOND_MS)));

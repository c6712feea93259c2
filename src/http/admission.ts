import type { IncomingMessage } from 'node:http';
import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import type { Identify } from '../operation/authorization.ts';
import { AcequiaError } from '../schema/error.ts';
import { identifyByKey } from '../service/keys/api-keys.ts';
import type { HttpLimits } from './limits.ts';
import type { ResponseHeaders } from './response-headers.ts';

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

export interface AdmissionOptions {
  readonly clock: () => number;
  readonly limits: HttpLimits;
  readonly onKeyUse?: (keyId: number) => void;
}

export type Admit = (key: string | undefined, incoming: IncomingMessage, headers: ResponseHeaders) => Identify;

/** One rate limit for REST and MCP: per key family for valid keys, per address for other requests. */
export function admission({ clock, limits, onKeyUse }: AdmissionOptions): Admit {
  const keyBuckets = tokenBuckets(limits.rate, limits.burst);
  const addressBuckets = tokenBuckets(limits.rate, limits.burst);
  return (key, incoming, headers) => {
    const identify = identifyByKey(key, clock, onKeyUse);
    return async (all) => {
      try {
        const identity = await identify(all);
        keyBuckets.take(identity.caller.id, headers);
        return identity;
      } catch (error) {
        if (error instanceof AcequiaError && error.status === 401) addressBuckets.take(addressOf(incoming), headers);
        throw error;
      }
    };
  };
}

export const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

export function apiKeyHeader({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key.trim() : undefined;
}

/** MCP clients send a bearer token. */
export const apiKeyOrBearer = (incoming: IncomingMessage): string | undefined =>
  apiKeyHeader(incoming) ?? /^bearer +(\S+) *$/i.exec(incoming.headers.authorization ?? '')?.[1];

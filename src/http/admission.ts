import type { IncomingMessage } from 'node:http';
import type { Identify } from '../operation/identity.ts';
import { AcequiaError } from '../schema/error.ts';
import { identifyByKey } from '../service/keys/api-keys.ts';
import type { HttpLimits } from './limits.ts';
import { tokenBuckets } from './rate-limit.ts';
import type { ResponseHeaders } from './response-headers.ts';

export interface AdmissionOptions {
  readonly clock: () => number;
  readonly limits: HttpLimits;
  readonly onKeyUse?: (keyId: number) => void;
}

export type Admit = (key: string | undefined, incoming: IncomingMessage, headers: ResponseHeaders) => Identify;

/** One rate limit for REST and MCP: valid keys share that of their key family, other requests that of their address. */
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
        if (error instanceof AcequiaError && error.status === 401)
          addressBuckets.take(incoming.socket.remoteAddress ?? '', headers);
        throw error;
      }
    };
  };
}

export function apiKeyHeader({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key.trim() : undefined;
}

/** MCP clients send a bearer token. */
export const apiKeyOrBearer = (incoming: IncomingMessage): string | undefined =>
  apiKeyHeader(incoming) ?? /^bearer +(\S+) *$/i.exec(incoming.headers.authorization ?? '')?.[1];

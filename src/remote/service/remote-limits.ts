import { MINUTE_MS } from '../../domain/periods.ts';

export interface RemoteLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  /** For a whole call with all its requests. */
  readonly callMs: number;
  /** For the request of openapi.json. */
  readonly documentMs: number;
  /** Time before openapi.json is requested again from a service that did not send it. */
  readonly documentRetryMs: number;
  /** The largest body of a response that is read. */
  readonly responseBytes: number;
  readonly maxAttempts: number;
}

/**
 * `callMs` is below the 60 s after which clients give up on a call, so that they receive the error.
 */
export const REMOTE_LIMITS: RemoteLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  bodyMs: 15_000,
  callMs: 45_000,
  documentMs: 2_000,
  documentRetryMs: MINUTE_MS,
  responseBytes: 8 * 1024 * 1024,
  maxAttempts: 3,
};

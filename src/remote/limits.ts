/** How long and how much is waited for, in ms and bytes. */
export interface RemoteLimits {
  readonly connectMs: number;
  /** From the sent request to the head of its answer. */
  readonly headersMs: number;
  /** From the head of an answer to its end. */
  readonly bodyMs: number;
  /** A call with everything it takes: names, the request and its repetitions. */
  readonly callMs: number;
  /** What the service offers is listed from its document, which a client that asks for tools waits for. */
  readonly documentMs: number;
  /** A service that had no document is asked for it again after this. */
  readonly documentRetryMs: number;
  readonly responseBytes: number;
  /** How often a request is sent at most. */
  readonly maxAttempts: number;
}

/** Below the 60 s after which clients give a call up, so that they hear what went wrong. */
export const REMOTE_LIMITS: RemoteLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  bodyMs: 15_000,
  callMs: 45_000,
  documentMs: 2_000,
  documentRetryMs: 60_000,
  responseBytes: 8 * 1024 * 1024,
  maxAttempts: 3,
};

/** An instant of the running process, in ms, that no change of the clock moves. */
export const monotonicMs = (): number => performance.now();

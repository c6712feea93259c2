/** What the page shows of an error: a code, what is wrong, and what to do next. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface Answer<Body = unknown> {
  readonly body: Body;
  /** One or two sentences; only where the answer comes with them. */
  readonly summary?: string;
  /** The change that undo can take back, if it was a write. */
  readonly changeId?: number;
  /**
   * When the answer was stored, if it is from before the connection was lost; ms of the real clock.
   */
  readonly storedAt?: number;
}

export interface PerformOptions {
  /** The same key never writes twice. */
  readonly idempotencyKey?: string;
  /** Cancels a read that is no longer needed. */
  readonly signal?: AbortSignal;
}

/** The page reads and writes through this alone. */
export interface Service {
  /** Arguments by the field names of the operation. Rejects with a ServiceError. */
  perform<Body = unknown>(
    operation: string,
    fields: Readonly<Record<string, unknown>>,
    options?: PerformOptions,
  ): Promise<Answer<Body>>;
  /** New readings, alerts or writes of others. Returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

export const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error;

/** No answer came. A write may have happened, so it is repeated only with the same key. */
export const NO_ANSWER = 'NO_ANSWER';

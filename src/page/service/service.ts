import type { FarmPageBody } from '../../schema/advice/farm-page.ts';
import type { CallBody, CallFields, OperationName } from './page-operations.ts';

/** What the page shows of an error: a code, what is wrong, and what to do next. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface Answer<Body = unknown> {
  readonly body: Body;
  /** One or two sentences; only where the answer comes with them. */
  readonly summary?: string | undefined;
  /** The change that undo can take back, if it was a write. */
  readonly changeId?: number | undefined;
  /**
   * When the answer was stored, if it is from before the connection was lost; ms of the real clock.
   */
  readonly storedAt?: number | undefined;
}

export interface CallOptions {
  /** The same key never writes twice. */
  readonly idempotencyKey?: string;
  /** Cancels a read that is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** The modules that changed; null for the farm. */
export type Modules = readonly number[] | null;

/** What a tab reads of the farm, or of modules, and passes to the others of its browser. */
export interface FarmRead {
  /** Of the person who is signed in. */
  readonly user: number;
  readonly modules: Modules;
  /** Absent as long as it is being read. */
  readonly page?: FarmPageBody;
  readonly aheadMs?: number;
}

export interface FarmListener {
  /** New readings, alerts or writes of others. Reads wait this long for those of another tab. */
  onChange(modules: Modules, waitMs: number): void;
  onRefused?(): void;
  onRead?(read: FarmRead): void;
}

/** The page reads and writes through this alone. */
export interface Service {
  /** Calls an operation by the field names of its endpoint. Rejects with a ServiceError. */
  call<Name extends OperationName>(
    operation: Name,
    fields: CallFields<Name>,
    options?: CallOptions,
  ): Promise<Answer<CallBody<Name>>>;
  /** Returns how to stop listening. */
  listen(listener: FarmListener): () => void;
  /** In a browser: passes it to the other tabs. */
  share?(read: FarmRead): void;
}

export const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error;

/** No answer came. A write may have happened, so it is repeated only with the same key. */
export const NO_ANSWER = 'NO_ANSWER';

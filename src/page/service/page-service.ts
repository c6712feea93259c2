import type { FarmPageBody } from '../../schema/advice/farm-page.ts';
import type { CallBody, CallFields, OperationName } from './page-operations.ts';

/** The parts of an error that the page shows: a code, what is wrong, and what to do next. */
export interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface Answer<Body = unknown> {
  readonly body: Body;
  /** One or two sentences; only where the answer comes with them. */
  readonly summary?: string | undefined;
  /** The id that undo takes, if it was a write. */
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

/** The modules that changed, or are read; null for the whole farm. */
export type Modules = readonly number[] | null;

/** A read of the farm or of modules, which a tab passes to the others of its browser. */
export interface FarmRead {
  /** The person who is signed in. */
  readonly user: number;
  readonly modules: Modules;
  /** Absent while it is being read. */
  readonly page?: FarmPageBody;
  /** By how much the clock of the service is ahead of that of the device; with `page`. */
  readonly aheadMs?: number;
}

export interface FarmListener {
  /** New readings, alerts or writes. A read waits `waitMs`, in which another tab may read first. */
  onChange(modules: Modules, waitMs: number): void;
  /** Since when, in ms, there has been no connection; null once there is one again. */
  onConnection?(lostAt: number | null): void;
  /** The person is no longer signed in. */
  onRefused?(): void;
  /** Another tab reads, or has read. */
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
  /** Passes a read to the other tabs of the browser; a host has none. */
  share?(read: FarmRead): void;
}

export const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error;

/** An event of the window. Its detail: since when, in ms, there is no connection; null once there is. */
export const CONNECTION = 'connection';

/** No answer came. A write may have happened, so it is repeated only with the same key. */
export const NO_ANSWER = 'NO_ANSWER';

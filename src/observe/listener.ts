import type { TransactionKind } from '../store/transaction-observer.ts';

/** `tick` and `mail` are jobs of the process itself. */
export type Surface = 'stdio' | 'rest' | 'mcp' | 'cli' | 'tick' | 'mail';

export interface ObservedCall {
  readonly surface: Surface;
  /** An operation or another fixed name; null for an unknown one. */
  readonly operation: string | null;
  readonly requestId: string;
  /** Null unless traces are exported. */
  readonly traceId: string | null;
}

/** Numbers and fixed words only, never text that a person wrote. */
export type CallFacts = Readonly<Record<string, string | number | null>>;

export interface CallEnd {
  /** Error code; null on success. */
  readonly code: string | null;
  readonly ms: number;
  readonly facts: CallFacts;
  /** A job that found nothing to do. */
  readonly isIdle: boolean;
}

export interface TransactionEnd {
  readonly side: TransactionKind;
  /** Waiting for other transactions of this process, in ms. */
  readonly turnMs: number;
  /** Then waiting for other programs that hold the store, in ms. */
  readonly busyMs: number;
  /** Running, in ms. */
  readonly ms: number;
}

/** Either `status` or the reason for no response is set. */
export interface RequestEnd {
  readonly method: string;
  readonly status: number | null;
  readonly transportError: string | null;
  readonly ms: number;
}

/** Must neither throw nor block. */
export interface CallListener {
  onCallEnd?(call: ObservedCall, end: CallEnd): void;
  onTransactionEnd?(call: ObservedCall, end: TransactionEnd): void;
  /** `sql` has placeholders for values. */
  onQuery?(call: ObservedCall, sql: string, ms: number): void;
  onRequestEnd?(call: ObservedCall, end: RequestEnd): void;
  onDelivery?(call: ObservedCall, outcome: string): void;
}

export interface TraceSpan {
  readonly traceId: string;
  /** W3C Trace Context, to forward. */
  readonly traceparent: string;
  child(name: string, kind: 'store' | 'request'): TraceSpan;
  end(code: string | null, facts: CallFacts): void;
}

/** Starts the span of a call, within the trace of `traceparent` if there is one. */
export type StartSpan = (call: Omit<ObservedCall, 'traceId'>, traceparent: string | null) => TraceSpan;

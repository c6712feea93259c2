import type { TransactionKind } from '../store/transaction-observer.ts';

/** `tick` and `mail` are jobs of the process itself. */
export type Surface = 'stdio' | 'rest' | 'mcp' | 'cli' | 'tick' | 'mail';

export interface ObservedCall {
  readonly surface: Surface;
  readonly operation: string | null;
  /** The template of the path, over HTTP; null for other calls and for an unknown path. */
  readonly route: string | null;
  readonly requestId: string;
  readonly traceId: string | null;
}

/** Numbers and fixed words only, never text that a person wrote. */
export type CallDetails = Readonly<Record<string, string | number | null>>;

export interface CallEnd {
  /** Null if the call succeeded. */
  readonly code: string | null;
  readonly ms: number;
  /**
   * How much of `ms` the call waited: in queues of this process, for connections and locks, for
   * other programs.
   */
  readonly waitedMs: number;
  readonly facts: CallDetails;
  /** True for a job that found nothing to do. */
  readonly isIdle: boolean;
}

export interface TransactionEnd {
  readonly kind: TransactionKind;
  /** Waiting for other transactions of this process, in ms. */
  readonly queueMs: number;
  /** Then waiting for other programs that hold the store, in ms. */
  readonly lockWaitMs: number;
  readonly ms: number;
}

interface RequestEnd {
  readonly method: string;
  readonly status: number | null;
  readonly transportError: string | null;
  readonly ms: number;
}

export interface CallListener {
  onCallEnd?(call: ObservedCall, end: CallEnd): void;
  onTransactionEnd?(call: ObservedCall, end: TransactionEnd): void;
  onQuery?(call: ObservedCall, sql: string, ms: number): void;
  onRequestEnd?(call: ObservedCall, end: RequestEnd): void;
  onDelivery?(call: ObservedCall, outcome: string): void;
  /**
   * The event loop was held for more than 250 ms: by this call, or by one of these if it is not known
   * which one.
   */
  onLongStretch?(calls: readonly ObservedCall[], ms: number): void;
}

export interface TraceSpan {
  readonly traceId: string;
  readonly traceparent: string;
  child(name: string, kind: 'store' | 'request'): TraceSpan;
  end(code: string | null, facts: CallDetails): void;
}

export type StartSpan = (
  call: Omit<ObservedCall, 'traceId' | 'route'>,
  traceparent: string | null,
) => TraceSpan;

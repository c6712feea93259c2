import type { TransactionKind } from '../store/transaction-observer.ts';

/** Where a call came in; housekeeping and mail are calls of the process itself. */
export type Surface = 'stdio' | 'rest' | 'mcp' | 'cli' | 'tick' | 'mail';

/** A call that is followed. */
export interface ObservedCall {
  readonly surface: Surface;
  /** The operation, or what else was asked for, of a fixed list; null where nothing known was. */
  readonly operation: string | null;
  readonly requestId: string;
  /** The trace it is part of, where traces are kept. */
  readonly traceId: string | null;
}

/** Plain facts beside: numbers and fixed words, never what a person wrote. */
export type CallFacts = Readonly<Record<string, string | number | null>>;

/** How a call ended. */
export interface CallEnd {
  /** Why it was not done; null when it was. */
  readonly code: string | null;
  readonly ms: number;
  readonly facts: CallFacts;
  /** There was nothing to do. */
  readonly isIdle: boolean;
}

/** How a transaction went, in ms. */
export interface TransactionEnd {
  readonly side: TransactionKind;
  /** Until its turn came among those of this process. */
  readonly turnMs: number;
  /** From then until the store let it begin: another program held it. */
  readonly busyMs: number;
  /** From its beginning to its end. */
  readonly ms: number;
}

/** A request to a service elsewhere: its status, or why there is no answer. */
export interface RequestEnd {
  readonly method: string;
  readonly status: number | null;
  readonly lack: string | null;
  readonly ms: number;
}

/** Hears what became of calls and their parts. It must not throw, nor take long. */
export interface CallListener {
  onCallEnd?(call: ObservedCall, end: CallEnd): void;
  onTransactionEnd?(call: ObservedCall, end: TransactionEnd): void;
  /** `sql` has places in place of values. */
  onQuery?(call: ObservedCall, sql: string, ms: number): void;
  onRequestEnd?(call: ObservedCall, end: RequestEnd): void;
  /** What became of one attempt to send a message. */
  onDelivery?(call: ObservedCall, outcome: string): void;
}

/** A stretch of a trace. */
export interface TraceSpan {
  readonly traceId: string;
  /** W3C Trace Context, for where a request goes on to. */
  readonly traceparent: string;
  child(name: string, kind: 'store' | 'request'): TraceSpan;
  end(code: string | null, facts: CallFacts): void;
}

/** Begins the stretch of a call, within the trace that `traceparent` names where there is one. */
export type StartSpan = (call: Omit<ObservedCall, 'traceId'>, traceparent: string | null) => TraceSpan;

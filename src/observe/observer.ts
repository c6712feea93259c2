import { randomUUID } from 'node:crypto';
import { CancelledError } from '../domain/event-loop.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { wrappedStore } from '../store/store-interface.ts';
import type { TransactionKind, TransactionObserver } from '../store/transaction-observer.ts';
import type {
  CallEnd,
  CallListener,
  ObservedCall,
  StartSpan,
  Surface,
  TraceSpan,
} from './listener.ts';
import { LoopWatch } from './loop-watch.ts';

export interface IncomingCorrelation {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Short and one word, so that it is harmless in a log or a header; never an API key. */
const REQUEST_ID = /^(?!acequia_)[A-Za-z0-9][\w.:=+/@-]{0,127}$/;

/**
 * Version, trace, parent and flags; all-zero ids are invalid. Source: W3C Trace Context, section
 * 3.2.
 */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function correlateCall({ requestId, traceparent }: IncomingCorrelation = {}) {
  const trace = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  const validId = requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : trace?.[1];
  return { requestId: validId ?? randomUUID(), traceparent: trace?.[0] ?? null };
}

interface CallStart {
  readonly surface: Surface;
  readonly operation: string | null;
  /** The template of a path, over HTTP. */
  readonly route?: string | null;
  readonly incoming?: IncomingCorrelation | undefined;
}

export interface Observer {
  begin(call: CallStart): CallTrace;
}

export function createObserver(
  listeners: readonly CallListener[],
  startSpan?: StartSpan,
): Observer {
  const watchers = listeners.filter((listener) => listener.onLongStretch);
  const loopWatch =
    watchers.length > 0
      ? new LoopWatch((calls, ms) => {
          for (const watcher of watchers) watcher.onLongStretch?.(calls, ms);
        })
      : null;

  return {
    begin({ surface, operation, route = null, incoming }) {
      const { requestId, traceparent } = correlateCall(incoming);
      const span = startSpan?.({ surface, operation, requestId }, traceparent) ?? null;
      const call = { surface, operation, route, requestId, traceId: span?.traceId ?? null };
      loopWatch?.begin(call);
      return new CallTrace(call, { listeners, loopWatch, span, traceparent });
    },
  };
}

export const NOOP_OBSERVER: Observer = createObserver([]);

interface TraceSinks {
  readonly listeners: readonly CallListener[];
  readonly loopWatch: LoopWatch | null;
  readonly span: TraceSpan | null;
  readonly traceparent: string | null;
}

interface TransactionTrace extends TransactionObserver {
  end(code: string | null): void;
}

interface RequestTrace {
  readonly headers: Readonly<Record<string, string>>;
  end(end: { readonly status: number } | { readonly transportError: string }): void;
}

export class CallTrace {
  readonly #call: ObservedCall;
  readonly #sinks: TraceSinks;
  readonly #startedAt = performance.now();
  #waitedMs = 0;
  /** When the waits that have not ended began. */
  readonly #waitingSince = new Set<{ readonly at: number }>();

  constructor(call: ObservedCall, sinks: TraceSinks) {
    this.#call = call;
    this.#sinks = sinks;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get isObserved(): boolean {
    return this.#sinks.listeners.length > 0 || this.#sinks.span !== null;
  }

  /** The call waits until the returned function is called, or until the call ends. */
  startWait(): () => void {
    const wait = { at: performance.now() };
    this.#waitingSince.add(wait);
    return () => {
      if (this.#waitingSince.delete(wait)) this.#waitedMs += performance.now() - wait.at;
      this.mark();
    };
  }

  /** To be called where the work of the call goes on, after it has waited for something. */
  mark(): void {
    this.#sinks.loopWatch?.mark(this.#call);
  }

  /** `body`, to be passed to a queue: the time until it begins counts as waiting. */
  measureWait<T>(body: () => Promise<T>): () => Promise<T> {
    const endWait = this.startWait();
    return () => {
      endWait();
      return body();
    };
  }

  startTransaction(kind: TransactionKind): TransactionTrace {
    const call = this.#call;
    const { listeners, span } = this.#sinks;
    const childSpan = span?.child(`store ${kind}`, 'store') ?? null;

    const addWait = (ms: number): void => {
      this.#waitedMs += ms;
    };

    const requestedAt = performance.now();
    // Infinite until then: a transaction that got no connection has waited all the time.
    let acquiredAt = Number.POSITIVE_INFINITY;
    let begunAt = Number.POSITIVE_INFINITY;

    return {
      onConnectionAcquired: () => {
        acquiredAt = performance.now();
        begunAt = acquiredAt;
        this.mark();
      },
      onBegin: () => {
        begunAt = performance.now();
        this.mark();
      },
      onQueryStart: () => this.mark(),
      onQuery: (sql, ms) => {
        this.mark();
        for (const listener of listeners) listener.onQuery?.(call, sql, ms);
      },
      end: (code) => {
        const endedAt = performance.now();
        this.mark();
        const queueEndAt = Math.min(acquiredAt, endedAt);
        const lockWaitEndAt = Math.min(begunAt, endedAt);
        const end = {
          kind,
          queueMs: queueEndAt - requestedAt,
          lockWaitMs: lockWaitEndAt - queueEndAt,
          ms: endedAt - lockWaitEndAt,
        };

        addWait(end.queueMs + end.lockWaitMs);
        for (const listener of listeners) listener.onTransactionEnd?.(call, end);
        childSpan?.end(code, { queueMs: end.queueMs, lockWaitMs: end.lockWaitMs });
      },
    };
  }

  startRequest(method: string): RequestTrace {
    const call = this.#call;
    const { listeners, span, traceparent } = this.#sinks;
    const childSpan = span?.child(method, 'request') ?? null;
    const forwarded = childSpan?.traceparent ?? traceparent;
    const headers: Record<string, string> = { 'x-request-id': call.requestId };
    if (forwarded !== null) headers.traceparent = forwarded;
    const startedAt = performance.now();

    return {
      headers,
      end(outcome) {
        const end = {
          method,
          status: null,
          transportError: null,
          ...outcome,
          ms: performance.now() - startedAt,
        };
        for (const listener of listeners) listener.onRequestEnd?.(call, end);
        const isFailed = end.status === null || end.status >= 400;

        childSpan?.end(isFailed ? (end.transportError ?? String(end.status)) : null, {
          method,
          status: end.status,
        });
      },
    };
  }

  recordDelivery(outcome: string): void {
    for (const listener of this.#sinks.listeners) listener.onDelivery?.(this.#call, outcome);
  }

  end(
    code: string | null,
    { facts = {}, isIdle = false }: Partial<Pick<CallEnd, 'facts' | 'isIdle'>> = {},
  ): void {
    const endedAt = performance.now();
    const unfinishedMs = [...this.#waitingSince].reduce((sum, { at }) => sum + endedAt - at, 0);
    const waitedMs = this.#waitedMs + unfinishedMs;
    const end = { code, ms: endedAt - this.#startedAt, waitedMs, facts, isIdle };
    for (const listener of this.#sinks.listeners) listener.onCallEnd?.(this.#call, end);
    this.#sinks.span?.end(code, { ...facts, waitedMs });
    this.#sinks.loopWatch?.end(this.#call);
  }
}

export function observedStore(store: Store, trace: CallTrace | undefined): Store {
  if (!trace?.isObserved) return store;

  return wrappedStore(store, async (kind, run) => {
    const transaction = trace.startTransaction(kind);
    try {
      const result = await run({ observer: transaction });
      transaction.end(null);
      return result;
    } catch (error) {
      transaction.end(errorCodeOf(error));
      throw error;
    }
  });
}

export function errorCodeOf(error: unknown): string {
  if (error instanceof AcequiaError) return error.code;
  return error instanceof CancelledError ? 'cancelled' : 'INTERNAL';
}

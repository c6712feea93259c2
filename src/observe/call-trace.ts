import type { TransactionKind, TransactionObserver } from '../store/transaction-observer.ts';
import type { CallEnd, CallListener, ObservedCall, TraceSpan } from './listener.ts';

interface TraceSinks {
  readonly listeners: readonly CallListener[];
  readonly span: TraceSpan | null;
  readonly traceparent: string | null;
}

export interface TransactionTrace extends TransactionObserver {
  end(code: string | null): void;
}

export interface RequestTrace {
  readonly headers: Readonly<Record<string, string>>;
  end(end: { readonly status: number } | { readonly transportError: string }): void;
}

export class CallTrace {
  readonly #call: ObservedCall;
  readonly #sinks: TraceSinks;
  readonly #startedAt = performance.now();

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

  startTransaction(kind: TransactionKind): TransactionTrace {
    const call = this.#call;
    const { listeners, span } = this.#sinks;
    const childSpan = span?.child(`store ${kind}`, 'store') ?? null;
    const requestedAt = performance.now();
    let acquiredAt = requestedAt;
    let begunAt = requestedAt;
    return {
      onConnectionAcquired() {
        acquiredAt = begunAt = performance.now();
      },
      onBegin() {
        begunAt = performance.now();
      },
      onQuery(sql, ms) {
        for (const listener of listeners) listener.onQuery?.(call, sql, ms);
      },
      end(code) {
        const end = {
          kind,
          turnMs: acquiredAt - requestedAt,
          busyMs: begunAt - acquiredAt,
          ms: performance.now() - begunAt,
        };
        for (const listener of listeners) listener.onTransactionEnd?.(call, end);
        childSpan?.end(code, { turnMs: end.turnMs, busyMs: end.busyMs });
      },
    };
  }

  startRequest(method: string): RequestTrace {
    const call = this.#call;
    const { listeners, span, traceparent } = this.#sinks;
    const childSpan = span?.child(method, 'request') ?? null;
    const forwarded = childSpan?.traceparent ?? traceparent;
    const startedAt = performance.now();
    return {
      headers: { 'x-request-id': call.requestId, ...(forwarded !== null && { traceparent: forwarded }) },
      end(outcome) {
        const end = { method, status: null, transportError: null, ...outcome, ms: performance.now() - startedAt };
        for (const listener of listeners) listener.onRequestEnd?.(call, end);
        const isFailed = end.status === null || end.status >= 400;
        childSpan?.end(isFailed ? (end.transportError ?? String(end.status)) : null, { method, status: end.status });
      },
    };
  }

  recordDelivery(outcome: string): void {
    for (const listener of this.#sinks.listeners) listener.onDelivery?.(this.#call, outcome);
  }

  end(code: string | null, { facts = {}, isIdle = false }: Partial<Pick<CallEnd, 'facts' | 'isIdle'>> = {}): void {
    const end = { code, ms: performance.now() - this.#startedAt, facts, isIdle };
    for (const listener of this.#sinks.listeners) listener.onCallEnd?.(this.#call, end);
    this.#sinks.span?.end(code, facts);
  }
}

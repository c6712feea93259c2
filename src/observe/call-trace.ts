import type { TransactionKind, TransactionObserver } from '../store/transaction-observer.ts';
import type { CallEnd, CallListener, ObservedCall, TraceSpan } from './listener.ts';

interface TraceSinks {
  readonly listeners: readonly CallListener[];
  readonly span: TraceSpan | null;
  /** Received with the call. */
  readonly traceparent: string | null;
}

export interface TransactionTrace extends TransactionObserver {
  /** `code` is null on success. */
  end(code: string | null): void;
}

export interface RequestTrace {
  /** Headers that let the service continue this trace. */
  readonly headers: Readonly<Record<string, string>>;
  end(end: { readonly status: number } | { readonly lack: string }): void;
}

/** Reports the parts of one call to listeners and its trace. */
export class CallTrace {
  readonly #call: ObservedCall;
  readonly #heard: TraceSinks;
  readonly #begun = performance.now();

  constructor(call: ObservedCall, heard: TraceSinks) {
    this.#call = call;
    this.#heard = heard;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get isObserved(): boolean {
    return this.#heard.listeners.length > 0 || this.#heard.span !== null;
  }

  startTransaction(side: TransactionKind): TransactionTrace {
    const call = this.#call;
    const { listeners, span } = this.#heard;
    const stretch = span?.child(`store ${side}`, 'store') ?? null;
    const requestedAt = performance.now();
    let turnAt = requestedAt;
    let begunAt = requestedAt;
    return {
      onConnectionAcquired() {
        turnAt = begunAt = performance.now();
      },
      onBegin() {
        begunAt = performance.now();
      },
      onQuery(sql, ms) {
        for (const listener of listeners) listener.onQuery?.(call, sql, ms);
      },
      end(code) {
        const end = { side, turnMs: turnAt - requestedAt, busyMs: begunAt - turnAt, ms: performance.now() - begunAt };
        for (const listener of listeners) listener.onTransactionEnd?.(call, end);
        stretch?.end(code, { turnMs: end.turnMs, busyMs: end.busyMs });
      },
    };
  }

  startRequest(method: string): RequestTrace {
    const call = this.#call;
    const { listeners, span, traceparent } = this.#heard;
    const stretch = span?.child(method, 'request') ?? null;
    const forwarded = stretch?.traceparent ?? traceparent;
    const startedAt = performance.now();
    return {
      headers: { 'x-request-id': call.requestId, ...(forwarded !== null && { traceparent: forwarded }) },
      end(how) {
        const end = { method, status: null, lack: null, ...how, ms: performance.now() - startedAt };
        for (const listener of listeners) listener.onRequestEnd?.(call, end);
        const isFailed = end.status === null || end.status >= 400;
        stretch?.end(isFailed ? (end.lack ?? String(end.status)) : null, { method, status: end.status });
      },
    };
  }

  recordDelivery(outcome: string): void {
    for (const listener of this.#heard.listeners) listener.onDelivery?.(this.#call, outcome);
  }

  /** `code` is null on success. */
  end(code: string | null, { facts = {}, isIdle = false }: Partial<Pick<CallEnd, 'facts' | 'isIdle'>> = {}): void {
    const end = { code, ms: performance.now() - this.#begun, facts, isIdle };
    for (const listener of this.#heard.listeners) listener.onCallEnd?.(this.#call, end);
    this.#heard.span?.end(code, facts);
  }
}

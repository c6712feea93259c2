import type { TransactionObserver, TransactionSide } from '../store/transaction-observer.ts';
import type { CallEnd, FollowedCall, Listener, Span } from './listener.ts';

/** Who hears of a call, and the traces it stands in. */
interface Heard {
  readonly listeners: readonly Listener[];
  readonly span: Span | null;
  /** What came with the call. */
  readonly traceparent: string | null;
}

/** A transaction of a call, which says itself when it has ended. */
export interface OpenTransaction extends TransactionObserver {
  /** `code` where it failed. */
  ended(code: string | null): void;
}

/** A request of a call to a service elsewhere. */
export interface OpenRequest {
  /** What the request carries, so that the service follows it under the same id. */
  readonly headers: Readonly<Record<string, string>>;
  ended(end: { readonly status: number } | { readonly lack: string }): void;
}

/** One call on its way through the process. */
export class Trail {
  readonly #call: FollowedCall;
  readonly #heard: Heard;
  readonly #begun = performance.now();

  constructor(call: FollowedCall, heard: Heard) {
    this.#call = call;
    this.#heard = heard;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  /** Whether anybody hears of its parts. */
  get isHeard(): boolean {
    return this.#heard.listeners.length > 0 || this.#heard.span !== null;
  }

  /** A transaction is asked for. */
  transaction(side: TransactionSide): OpenTransaction {
    const call = this.#call;
    const { listeners, span } = this.#heard;
    const stretch = span?.child(`store ${side}`, 'store') ?? null;
    const asked = performance.now();
    let turn = asked;
    let begun = asked;
    return {
      onTurn() {
        turn = begun = performance.now();
      },
      onBegun() {
        begun = performance.now();
      },
      onQuery(sql, ms) {
        for (const listener of listeners) listener.queried?.(call, sql, ms);
      },
      ended(code) {
        const end = { side, turnMs: turn - asked, busyMs: begun - turn, ms: performance.now() - begun };
        for (const listener of listeners) listener.transacted?.(call, end);
        stretch?.end(code, { turnMs: end.turnMs, busyMs: end.busyMs });
      },
    };
  }

  /** A request to a service elsewhere is about to be sent. */
  request(method: string): OpenRequest {
    const call = this.#call;
    const { listeners, span, traceparent } = this.#heard;
    const stretch = span?.child(method, 'request') ?? null;
    const handedOn = stretch?.traceparent ?? traceparent;
    const begun = performance.now();
    return {
      headers: { 'x-request-id': call.requestId, ...(handedOn !== null && { traceparent: handedOn }) },
      ended(how) {
        const end = { method, status: null, lack: null, ...how, ms: performance.now() - begun };
        for (const listener of listeners) listener.requested?.(call, end);
        const isFailed = end.status === null || end.status >= 400;
        stretch?.end(isFailed ? (end.lack ?? String(end.status)) : null, { method, status: end.status });
      },
    };
  }

  /** What became of one attempt to send a message. */
  delivered(outcome: string): void {
    for (const listener of this.#heard.listeners) listener.delivered?.(this.#call, outcome);
  }

  /** The call has ended: `code` says why it was not done. */
  end(code: string | null, { facts = {}, isIdle = false }: Partial<Pick<CallEnd, 'facts' | 'isIdle'>> = {}): void {
    const end = { code, ms: performance.now() - this.#begun, facts, isIdle };
    for (const listener of this.#heard.listeners) listener.called?.(this.#call, end);
    this.#heard.span?.end(code, facts);
  }
}

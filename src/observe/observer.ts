import type { CallListener, StartSpan, Surface } from './listener.ts';
import { correlateCall, type IncomingCorrelation } from './request-id.ts';
import { CallTrace } from './trail.ts';

/** What is known of a call when it begins. */
export interface CallStart {
  readonly surface: Surface;
  readonly operation: string | null;
  readonly incoming?: IncomingCorrelation | undefined;
}

/** Follows calls for whoever listens. */
export interface Observer {
  begin(begun: CallStart): CallTrace;
}

export function createObserver(listeners: readonly CallListener[], startSpan?: StartSpan): Observer {
  return {
    begin({ surface, operation, incoming }) {
      const { requestId, traceparent } = correlateCall(incoming);
      const span = startSpan?.({ surface, operation, requestId }, traceparent) ?? null;
      const call = { surface, operation, requestId, traceId: span?.traceId ?? null };
      return new CallTrace(call, { listeners, span, traceparent });
    },
  };
}

/** Calls have their ids, and nobody listens. */
export const NOOP_OBSERVER: Observer = createObserver([]);

import { randomUUID } from 'node:crypto';
import { CallTrace } from './call-trace.ts';
import type { CallListener, StartSpan, Surface } from './listener.ts';

export interface IncomingCorrelation {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Short and one word, so that it is harmless in a log or a header; never an API key. */
const REQUEST_ID = /^(?!acequia_)[A-Za-z0-9][\w.:=+/@-]{0,127}$/;

/** Version, trace, parent and flags; all-zero ids are invalid. Source: W3C Trace Context, section 3.2. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

export function correlateCall({ requestId, traceparent }: IncomingCorrelation = {}) {
  const trace = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  const validId = requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : trace?.[1];
  return { requestId: validId ?? randomUUID(), traceparent: trace?.[0] ?? null };
}

export interface CallStart {
  readonly surface: Surface;
  readonly operation: string | null;
  readonly incoming?: IncomingCorrelation | undefined;
}

export interface Observer {
  begin(call: CallStart): CallTrace;
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

export const NOOP_OBSERVER: Observer = createObserver([]);

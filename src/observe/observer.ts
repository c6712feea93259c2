import { randomUUID } from 'node:crypto';
import { CallTrace } from './call-trace.ts';
import type { CallListener, StartSpan, Surface } from './listener.ts';

/** What came with a request to follow it by; anybody may have written it. */
export interface IncomingCorrelation {
  readonly requestId?: string | undefined;
  /** W3C Trace Context. */
  readonly traceparent?: string | undefined;
}

/** By what a call is followed, here and where it goes on to. */
export interface CallCorrelation {
  readonly requestId: string;
  /** The trace that the call belongs to already, as W3C Trace Context writes it. */
  readonly traceparent: string | null;
}

/** Short and of one word, so that it does no harm in a log or a header; a key is none. */
const REQUEST_ID = /^(?!acequia_)[A-Za-z0-9][\w.:=+/@-]{0,127}$/;

/** Version, trace, parent and flags; a trace or parent of zeros is none. Source: W3C Trace Context, section 3.2. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The id of a call: its own where that is well formed, else that of its trace, else a new one. */
export function correlateCall({ requestId, traceparent }: IncomingCorrelation = {}): CallCorrelation {
  const trace = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  const own = requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : trace?.[1];
  return { requestId: own ?? randomUUID(), traceparent: trace?.[0] ?? null };
}

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

import { randomUUID } from 'node:crypto';

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

import type { Listener, StartSpan, Surface } from './listener.ts';
import { followedBy, type Incoming } from './request-id.ts';
import { Trail } from './trail.ts';

/** What is known of a call when it begins. */
export interface Begun {
  readonly surface: Surface;
  readonly operation: string | null;
  readonly incoming?: Incoming | undefined;
}

/** Follows calls for whoever listens. */
export interface Observer {
  begin(begun: Begun): Trail;
}

export function observerOf(listeners: readonly Listener[], startSpan?: StartSpan): Observer {
  return {
    begin({ surface, operation, incoming }) {
      const { requestId, traceparent } = followedBy(incoming);
      const span = startSpan?.({ surface, operation, requestId }, traceparent) ?? null;
      const call = { surface, operation, requestId, traceId: span?.traceId ?? null };
      return new Trail(call, { listeners, span, traceparent });
    },
  };
}

/** Calls have their ids, and nobody listens. */
export const UNHEARD: Observer = observerOf([]);

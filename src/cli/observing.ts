import type { CallListener } from '../observe/listener.ts';
import { createObserver, type Observer } from '../observe/observer.ts';
import type { Tracing } from '../observe/tracing.ts';
import { callLog } from './call-log.ts';
import { markProcessHeld } from './leaving.ts';
import type { Log } from './log.ts';
import { isTracingEnabled } from './trace-settings.ts';

/** How a process follows its calls. */
export interface Observability {
  readonly observer: Observer;
  /** Hands over what traces are still held, within a bounded time. */
  end(): Promise<void>;
}

/** How long a collector is waited for at the end, in ms. */
const FLUSH_TIMEOUT_MS = 2_000;

/** Follows calls in the log, in traces where the environment asks for them, and for who else listens. */
export async function openObservability(log: Log, also: readonly CallListener[] = []): Promise<Observability> {
  const tracing = await openTracingIfEnabled(log);
  return {
    observer: createObserver([...(log.isHeard('info') ? [callLog(log)] : []), ...also], tracing?.startSpan),
    async end() {
      if (!tracing || (await tracing.end(FLUSH_TIMEOUT_MS))) return;
      void log.warn({}, 'the last traces were not taken by the collector');
      // What still tries to reach it would hold the process.
      markProcessHeld();
    },
  };
}

async function openTracingIfEnabled(log: Log): Promise<Tracing | null> {
  if (!isTracingEnabled(process.env, (text) => void log.warn({}, text))) return null;
  const onLost = (reason: string): void => void log.warn({ reason }, 'traces are not taken by the collector');
  try {
    const { openTracing } = await import('../observe/tracing.ts');
    return openTracing(ACEQUIA_VERSION, onLost);
  } catch (error) {
    // Whatever a variable holds: calls are answered all the same.
    await log.failure(error);
    return null;
  }
}

declare const ACEQUIA_VERSION: string;

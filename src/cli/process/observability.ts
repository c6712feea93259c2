import type { CallListener } from '../../observe/listener.ts';
import { createObserver, type Observer } from '../../observe/observer.ts';
import type { Tracing } from '../../observe/tracing.ts';
import { callLog, loopLog } from './call-log.ts';
import type { Log } from './log.ts';
import { requireExplicitExit } from './output.ts';
import { isTracingEnabled } from './tracing-settings.ts';

export interface Observability {
  readonly observer: Observer;
  end(): Promise<void>;
}

const FLUSH_TIMEOUT_MS = 2_000;

interface ObservedProcess {
  /** It serves others, whom a held event loop delays. */
  readonly isService?: boolean;
  readonly extraListeners?: readonly CallListener[];
}

export async function openObservability(
  log: Log,
  { isService = false, extraListeners = [] }: ObservedProcess = {},
): Promise<Observability> {
  const tracing = await openTracingIfEnabled(log);
  const listeners = [...logListeners(log, isService), ...extraListeners];

  return {
    observer: createObserver(listeners, tracing?.startSpan),
    async end() {
      if (!tracing || (await tracing.end(FLUSH_TIMEOUT_MS))) return;
      void log.warn({}, 'the collector did not accept the last traces');
      // An exporter that still retries would keep the process alive.
      requireExplicitExit();
    },
  };
}

function logListeners(log: Log, isService: boolean): CallListener[] {
  if (log.isLevelEnabled('info')) return [callLog(log)];
  return isService && log.isLevelEnabled('warn') ? [loopLog(log)] : [];
}

async function openTracingIfEnabled(log: Log): Promise<Tracing | null> {
  if (!isTracingEnabled(process.env, (text) => void log.warn({}, text))) return null;

  const onLost = (reason: string): void =>
    void log.warn({ reason }, 'the collector does not accept traces');

  try {
    const { openTracing } = await import('../../observe/tracing.ts');
    return openTracing(ACEQUIA_VERSION, onLost);
  } catch (error) {
    await log.unexpectedError(error);
    return null;
  }
}

declare const ACEQUIA_VERSION: string;

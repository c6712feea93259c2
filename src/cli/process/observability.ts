import type { CallListener, ObservedCall } from '../../observe/listener.ts';
import { createObserver, type Observer } from '../../observe/observer.ts';
import type { Tracing } from '../../observe/tracing.ts';
import type { Log } from './log.ts';
import { requireExplicitExit } from './output.ts';

const SLOW_QUERY_MS = 500;
const LONG_WAIT_MS = 1_000;
const SHOWN_QUERY_CHARS = 400;

/** Waiting for a store that others use too is normal, so it is not a warning. */
export function callLog(
  log: Pick<Log, 'isLevelEnabled' | 'info' | 'debug' | 'trace'>,
): CallListener {
  const logsTrace = log.isLevelEnabled('trace');
  return {
    onCallEnd(call, { code, ms, waitedMs, facts, isIdle }) {
      const times = { ms: roundToMicroseconds(ms), waitedMs: roundToMicroseconds(waitedMs) };
      const fields = { ...callIds(call), ...facts, ...(code !== null && { code }), ...times };
      const isJob = call.surface === 'tick' || call.surface === 'mail';
      void (isIdle ? log.debug : log.info)(fields, isJob ? 'done' : 'answered');
    },
    onTransactionEnd(call, { kind: side, turnMs, busyMs, ms }) {
      const isLong = turnMs + busyMs >= LONG_WAIT_MS;
      if (!isLong && !logsTrace) return;

      const fields = {
        ...callIds(call),
        side,
        turnMs: roundToMicroseconds(turnMs),
        busyMs: roundToMicroseconds(busyMs),
        ms: roundToMicroseconds(ms),
      };
      if (isLong) void log.info(fields, 'waited long for the store');
      else void log.trace(fields, 'transaction');
    },
    onQuery(call, sql, ms) {
      const isSlow = ms >= SLOW_QUERY_MS;
      if (!isSlow && !logsTrace) return;
      const fields = {
        ...callIds(call),
        sql: sql.slice(0, SHOWN_QUERY_CHARS),
        ms: roundToMicroseconds(ms),
      };
      if (isSlow) void log.info(fields, 'slow query');
      else void log.trace(fields, 'query');
    },
    onRequestEnd: (call, { ms, ...end }) =>
      void log.debug(
        { ...callIds(call), ...end, ms: roundToMicroseconds(ms) },
        'asked the service',
      ),
    onDelivery: (call, outcome) => void log.info({ ...callIds(call), outcome }, 'tried a message'),
  };
}

const callIds = ({ requestId, traceId, surface, operation }: ObservedCall) => ({
  requestId,
  ...(traceId !== null && { traceId }),
  surface,
  ...(operation !== null && { operation }),
});

const roundToMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

type Environment = Readonly<Record<string, string | undefined>>;

export function isTracingEnabled(env: Environment, warn: (text: string) => void): boolean {
  const exporter = readVariable(env, 'OTEL_TRACES_EXPORTER');
  if (readVariable(env, 'OTEL_SDK_DISABLED') === 'true' || exporter === 'none') return false;

  const endpoint =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ??
    readVariable(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (exporter === undefined && endpoint === undefined) return false;
  if (exporter !== undefined && exporter !== 'otlp') {
    warn('No traces are sent: OTEL_TRACES_EXPORTER is neither otlp nor none.');
    return false;
  }

  if (endpoint !== undefined && !isHttpUrl(endpoint)) {
    warn('No traces are sent: the OTLP endpoint is not an http address.');
    return false;
  }

  const protocol =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ??
    readVariable(env, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') {
    warn('No traces are sent: only OTLP over HTTP with JSON is supported, not gRPC.');
    return false;
  }

  return true;
}

/** An empty variable counts as unset. Source: OpenTelemetry, environment variable specification. */
const readVariable = (env: Environment, name: string): string | undefined =>
  env[name]?.trim().toLowerCase() || undefined;

const isHttpUrl = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

export interface Observability {
  readonly observer: Observer;
  end(): Promise<void>;
}

const FLUSH_TIMEOUT_MS = 2_000;

export async function openObservability(
  log: Log,
  extraListeners: readonly CallListener[] = [],
): Promise<Observability> {
  const tracing = await openTracingIfEnabled(log);
  return {
    observer: createObserver(
      [...(log.isLevelEnabled('info') ? [callLog(log)] : []), ...extraListeners],
      tracing?.startSpan,
    ),
    async end() {
      if (!tracing || (await tracing.end(FLUSH_TIMEOUT_MS))) return;
      void log.warn({}, 'the collector did not accept the last traces');
      // An exporter that still retries would keep the process alive.
      requireExplicitExit();
    },
  };
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

import { groupBy } from '../../domain/groups.ts';
import type { CallListener, ObservedCall } from '../../observe/listener.ts';
import type { Log } from './log.ts';

const SLOW_QUERY_MS = 500;
const LONG_WAIT_MS = 1_000;
const SHOWN_QUERY_CHARS = 400;

/** A long wait is no warning: other programs may use the same store. */
export function callLog(
  log: Pick<Log, 'isLevelEnabled' | 'warn' | 'info' | 'debug' | 'trace'>,
): CallListener {
  const logsTrace = log.isLevelEnabled('trace');
  return {
    onCallEnd(call, { code, ms, waitedMs, facts, isIdle }) {
      const fields: Record<string, unknown> = { ...callIds(call), ...facts };
      if (code !== null) fields.code = code;
      fields.ms = roundToMicroseconds(ms);
      fields.waitedMs = roundToMicroseconds(waitedMs);

      const isJob = call.surface === 'tick' || call.surface === 'mail';
      const text = isJob ? 'done' : 'answered';
      if (isIdle) void log.debug(fields, text);
      else void log.info(fields, text);
    },
    onTransactionEnd(call, { kind: side, queueMs, lockWaitMs, ms }) {
      const isLong = queueMs + lockWaitMs >= LONG_WAIT_MS;
      if (!isLong && !logsTrace) return;

      const fields = {
        ...callIds(call),
        side,
        queueMs: roundToMicroseconds(queueMs),
        lockWaitMs: roundToMicroseconds(lockWaitMs),
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
      void log.debug({ ...callIds(call), ...end, ms: roundToMicroseconds(ms) }, 'service request'),
    onDelivery: (call, outcome) => void log.info({ ...callIds(call), outcome }, 'delivery attempt'),
    ...loopLog(log),
  };
}

/** A held loop delays everybody else, so operators of a service see it without asking for it. */
export const loopLog = (log: Pick<Log, 'warn'>) =>
  ({
    onLongStretch(calls, ms) {
      const [call, ...others] = calls;
      const isKnown = call !== undefined && others.length === 0;
      const cause = isKnown ? callIds(call) : { inProgress: countsByName(calls) };
      void log.warn({ ...cause, ms: roundToMicroseconds(ms) }, 'the event loop was held');
    },
  }) satisfies CallListener;

const countsByName = (calls: readonly ObservedCall[]): Record<string, number> =>
  Object.fromEntries([...groupBy(calls, nameOf)].map(([name, { length }]) => [name, length]));

const nameOf = ({ surface, operation, route }: ObservedCall): string =>
  `${surface} ${operation ?? route ?? 'none'}`;

function callIds({ requestId, traceId, surface, operation, route }: ObservedCall) {
  const ids: Record<string, unknown> = { requestId };
  if (traceId !== null) ids.traceId = traceId;
  ids.surface = surface;
  if (operation !== null) ids.operation = operation;
  else if (route !== null) ids.route = route;
  return ids;
}

const roundToMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

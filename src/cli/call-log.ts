import type { FollowedCall, Listener } from '../observe/listener.ts';
import type { Log } from './log.ts';

/** A query that takes longer is worth a look, in ms. */
const SLOW_QUERY_MS = 500;
/** So is a call that waited longer for the store. */
const LONG_WAIT_MS = 1_000;
/** Characters of a query that are shown: what tells it from others stands at its beginning. */
const QUERY_SHOWN = 400;

/**
 * Writes a line for each call, and for what in it took too long; at the level trace for each transaction and query. Waiting
 * for a store that others use too is no fault: nobody is warned of it who has not asked. There is nothing to hear below info.
 */
export function callLog(log: Pick<Log, 'isHeard' | 'info' | 'debug' | 'trace'>): Listener {
  const hearsAll = log.isHeard('trace');
  return {
    called(call, { code, ms, facts, isIdle }) {
      const told = { ...idsOf(call), ...facts, ...(code !== null && { code }), ms: rounded(ms) };
      const isChore = call.surface === 'tick' || call.surface === 'mail';
      void (isIdle ? log.debug : log.info)(told, isChore ? 'done' : 'answered');
    },
    transacted(call, { side, turnMs, busyMs, ms }) {
      const isLong = turnMs + busyMs >= LONG_WAIT_MS;
      if (!isLong && !hearsAll) return;
      const told = { ...idsOf(call), side, turnMs: rounded(turnMs), busyMs: rounded(busyMs), ms: rounded(ms) };
      if (isLong) void log.info(told, 'waited long for the store');
      else void log.trace(told, 'transaction');
    },
    queried(call, sql, ms) {
      const isSlow = ms >= SLOW_QUERY_MS;
      if (!isSlow && !hearsAll) return;
      const told = { ...idsOf(call), sql: sql.slice(0, QUERY_SHOWN), ms: rounded(ms) };
      if (isSlow) void log.info(told, 'slow query');
      else void log.trace(told, 'query');
    },
    requested: (call, { ms, ...end }) =>
      void log.debug({ ...idsOf(call), ...end, ms: rounded(ms) }, 'asked the service'),
    delivered: (call, outcome) => void log.info({ ...idsOf(call), outcome }, 'tried a message'),
  };
}

const idsOf = ({ requestId, traceId, surface, operation }: FollowedCall) => ({
  requestId,
  ...(traceId !== null && { traceId }),
  surface,
  ...(operation !== null && { operation }),
});

/** Microseconds are enough. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

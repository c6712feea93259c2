import { expect, it } from 'vitest';
import { LOG_LEVELS, type LogLevel } from '../../../src/cli/process/log.ts';
import { callLog } from '../../../src/cli/process/observability.ts';
import type { ObservedCall } from '../../../src/observe/listener.ts';

const CALL: ObservedCall = { surface: 'rest', operation: 'get_company', requestId: 'a-1', traceId: null };

function logAt(level: LogLevel) {
  const lines: [level: string, text: string, facts: object][] = [];
  const isLevelEnabled = (wanted: LogLevel) =>
    level !== 'silent' && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted);
  const at = (wanted: LogLevel) => async (facts: object, text: string) => {
    if (isLevelEnabled(wanted)) lines.push([wanted, text, facts]);
  };
  const log = { isLevelEnabled, info: at('info'), debug: at('debug'), trace: at('trace') };
  return { lines, listener: callLog(log) };
}

const ids = { requestId: 'a-1', surface: 'rest', operation: 'get_company' };

it('logs a query that took half a second, with its id and without values', () => {
  const { lines, listener } = logAt('info');
  listener.onQuery!(CALL, 'select 1', 499);
  listener.onQuery!(CALL, `select ${'x'.repeat(500)}`, 500);
  expect(lines).toEqual([['info', 'slow query', { ...ids, sql: `select ${'x'.repeat(393)}`, ms: 500 }]]);
});

it.each([
  ['others of this process', 1_000, 0],
  ['another program', 0, 1_000],
  ['both', 600, 400],
])('logs a call that waited a second for %s', (_, turnMs, busyMs) => {
  const { lines, listener } = logAt('info');
  listener.onTransactionEnd!(CALL, { kind: 'write', turnMs, busyMs, ms: 5 });
  listener.onTransactionEnd!(CALL, { kind: 'write', turnMs: turnMs * 0.9, busyMs: busyMs * 0.9, ms: 5 });
  expect(lines).toEqual([['info', 'waited long for the store', { ...ids, side: 'write', turnMs, busyMs, ms: 5 }]]);
});

it.each([
  ['info', ['info']],
  ['debug', ['debug', 'info']],
] as const)('logs only entries of level %s or above', (level, heard) => {
  const { lines, listener } = logAt(level);
  const end = { code: 'not_found', ms: 1.23456, facts: { status: 404 }, isIdle: false };
  listener.onCallEnd!(CALL, { ...end, isIdle: true });
  listener.onCallEnd!(CALL, end);
  expect(lines.map(([at]) => at)).toEqual(heard);
  for (const [, text, facts] of lines) {
    expect(text).toBe('answered');
    expect(facts).toEqual({ ...ids, status: 404, code: 'not_found', ms: 1.235 });
  }
});

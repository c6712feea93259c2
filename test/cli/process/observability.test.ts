import { expect, it } from 'vitest';
import { callLog } from '../../../src/cli/process/call-log.ts';
import { LOG_LEVELS, type LogLevel, lazyLog } from '../../../src/cli/process/log.ts';
import { openObservability } from '../../../src/cli/process/observability.ts';
import { isTracingEnabled } from '../../../src/cli/process/tracing-settings.ts';
import type { ObservedCall } from '../../../src/observe/listener.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

it.each([
  ['an endpoint', ENDPOINT],
  [
    'an endpoint for traces',
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example.org/v1/traces' },
  ],
  ['the exporter by its name', { OTEL_TRACES_EXPORTER: 'otlp' }],
  [
    'an endpoint and empty variables',
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: '', OTEL_SDK_DISABLED: '' },
  ],
])('traces are sent where %s is named', (_, env) => {
  const warnings: string[] = [];
  expect(isTracingEnabled(env, (text) => warnings.push(text))).toBe(true);
  expect(warnings).toEqual([]);
});

it.each([
  ['no variable is set', {}],
  ['only the service has a name', { OTEL_SERVICE_NAME: 'water' }],
  ['the exporter is none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
])('sends no traces and logs nothing if %s', (_, env) => {
  const warnings: string[] = [];
  expect(isTracingEnabled(env, (text) => warnings.push(text))).toBe(false);
  expect(warnings).toEqual([]);
});

it.each([
  ['another exporter', { OTEL_TRACES_EXPORTER: 'zipkin' }],
  ['an endpoint that is no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@collector' }],
  ['another protocol', { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }],
])('%s is reported as invalid without its value, and no traces are sent', (_, env) => {
  const warnings: string[] = [];
  expect(isTracingEnabled(env, (text) => warnings.push(text))).toBe(false);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain('secret');
});

const CALL: ObservedCall = {
  surface: 'rest',
  operation: 'get_company',
  route: '/v1/company',
  requestId: 'a-1',
  traceId: null,
};

function logAt(level: LogLevel) {
  const lines: [level: string, text: string, facts: object][] = [];
  const isLevelEnabled = (wanted: LogLevel) =>
    level !== 'silent' && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted);
  const at = (wanted: LogLevel) => async (facts: object, text: string) => {
    if (isLevelEnabled(wanted)) lines.push([wanted, text, facts]);
  };
  const log = {
    isLevelEnabled,
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
  };
  return { lines, listener: callLog(log) };
}

const ids = { requestId: 'a-1', surface: 'rest', operation: 'get_company' };

it('logs a query that took half a second, with its id and without values', () => {
  const { lines, listener } = logAt('info');
  listener.onQuery!(CALL, 'select 1', 499);
  listener.onQuery!(CALL, `select ${'x'.repeat(500)}`, 500);
  expect(lines).toEqual([
    ['info', 'slow query', { ...ids, sql: `select ${'x'.repeat(393)}`, ms: 500 }],
  ]);
});

it.each([
  ['others of this process', 1_000, 0],
  ['another program', 0, 1_000],
  ['both', 600, 400],
])('logs a call that waited a second for %s', (_, queueMs, lockWaitMs) => {
  const { lines, listener } = logAt('info');
  listener.onTransactionEnd!(CALL, { kind: 'write', queueMs, lockWaitMs, ms: 5 });
  listener.onTransactionEnd!(CALL, {
    kind: 'write',
    queueMs: queueMs * 0.9,
    lockWaitMs: lockWaitMs * 0.9,
    ms: 5,
  });
  expect(lines).toEqual([
    ['info', 'waited long for the store', { ...ids, side: 'write', queueMs, lockWaitMs, ms: 5 }],
  ]);
});

it.each([
  ['info', ['info']],
  ['debug', ['debug', 'info']],
] as const)('logs only entries of level %s or above', (level, heard) => {
  const { lines, listener } = logAt(level);
  const end = {
    code: 'not_found',
    ms: 1.23456,
    waitedMs: 0.5,
    facts: { status: 404 },
    isIdle: false,
  };
  listener.onCallEnd!(CALL, { ...end, isIdle: true });
  listener.onCallEnd!(CALL, end);
  expect(lines.map(([at]) => at)).toEqual(heard);
  for (const [, text, facts] of lines) {
    expect(text).toBe('answered');
    expect(facts).toEqual({ ...ids, status: 404, code: 'not_found', ms: 1.235, waitedMs: 0.5 });
  }
});

it('names what held the event loop by its operation or the template of its path', () => {
  const { lines, listener } = logAt('warn');
  const ofKey = { ...CALL, operation: null, route: '/v1/ingest/{map}' };
  listener.onLongStretch!([CALL], 300);
  listener.onLongStretch!([ofKey], 300);
  listener.onLongStretch!([CALL, ofKey, ofKey], 300);
  expect(lines.map(([, , facts]) => facts)).toEqual([
    { ...ids, ms: 300 },
    { requestId: 'a-1', surface: 'rest', route: '/v1/ingest/{map}', ms: 300 },
    { inProgress: { 'rest get_company': 1, 'rest /v1/ingest/{map}': 2 }, ms: 300 },
  ]);
});

it.each([
  [true, 'warn', 1],
  [true, 'error', 0],
  // A person reads what a command prints.
  [false, 'warn', 0],
] as const)(
  'watches the event loop of a service (%s) at level %s',
  async (isService, level, watched) => {
    const { observer } = await openObservability(lazyLog(level), { isService });
    const trace = observer.begin({ surface: 'rest', operation: 'get_company' });
    expect(Number(trace.isObserved)).toBe(watched);
  },
);

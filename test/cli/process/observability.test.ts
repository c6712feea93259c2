import { expect, it } from 'vitest';
import { isTracingEnabled } from '../../../src/cli/process/observability.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

it.each([
  ['an endpoint', ENDPOINT],
  ['an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example.org/v1/traces' }],
  ['the exporter by its name', { OTEL_TRACES_EXPORTER: 'otlp' }],
  ['an endpoint and empty variables', { ...ENDPOINT, OTEL_TRACES_EXPORTER: '', OTEL_SDK_DISABLED: '' }],
])('traces are sent where %s is named', (_, env) => {
  const doubts: string[] = [];
  expect(isTracingEnabled(env, (text) => doubts.push(text))).toBe(true);
  expect(doubts).toEqual([]);
});

it.each([
  ['no variable is set', {}],
  ['only the service has a name', { OTEL_SERVICE_NAME: 'water' }],
  ['the exporter is none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
])('sends no traces and logs nothing if %s', (_, env) => {
  const doubts: string[] = [];
  expect(isTracingEnabled(env, (text) => doubts.push(text))).toBe(false);
  expect(doubts).toEqual([]);
});

it.each([
  ['another exporter', { OTEL_TRACES_EXPORTER: 'zipkin' }],
  ['an endpoint that is no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@collector' }],
  ['another protocol', { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }],
])('%s is reported as invalid without its value, and no traces are sent', (_, env) => {
  const doubts: string[] = [];
  expect(isTracingEnabled(env, (text) => doubts.push(text))).toBe(false);
  expect(doubts).toHaveLength(1);
  expect(doubts[0]).not.toContain('secret');
});

import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';
import { mcpUrl, postMcp, toolCallRequest } from '../mcp/http/mcp-http-client.ts';
import { startStdioServer } from '../mcp-session.ts';
import { CLOCK, runCommand } from '../program.ts';
import {
  type CollectedSpan,
  expectNoEffect,
  exporterEnv,
  logEntries,
  type ObservedService,
  observedServiceForFile,
  SOON_MS,
  startObservedService,
  startTraceCollector,
  type TraceCollector,
} from './observed-service.ts';

const PARENT = '00f067aa0ba902b7';
const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

const SERVER = 2;
const CLIENT = 3;

const childrenOf = (spans: readonly CollectedSpan[], { spanId }: CollectedSpan): CollectedSpan[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId);

let collector: TraceCollector;
let service: ObservedService;
beforeAll(async () => {
  collector = await startTraceCollector(200, afterFile);
  const env = {
    ...exporterEnv(collector),
    OTEL_SERVICE_NAME: 'farm-water',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  service = await observedServiceForFile(env, '--log-level', 'info');
});

/** A trace of a caller, and its spans that have arrived. */
function newTrace() {
  const traceId = randomBytes(16).toString('hex');
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  return { traceId, traceparent: `00-${traceId}-${PARENT}-01`, spans };
}

describe('a trace', () => {
  it('of a request over HTTP continues that of its caller, and contains its transactions', async () => {
    const { traceparent, spans } = newTrace();
    const answer = await service.post(EVENTS, WATERING, { traceparent, 'x-request-id': 'mine-1' });
    expect(answer.status).toBe(201);
    await expect.poll(spans).toHaveLength(3);
    const [call] = spans().filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(call).toMatchObject({
      name: 'log_watering',
      kind: SERVER,
      attributes: {
        'acequia.request_id': 'mine-1',
        'acequia.surface': 'rest',
        'http.request.method': 'POST',
        'http.response.status_code': 201,
        'url.path': `/v1${EVENTS}`,
      },
      resource: { 'service.name': 'farm-water', 'deployment.environment.name': 'test' },
    });
    const parts = childrenOf(spans(), call!);
    expect(parts.map(({ name }) => name)).toEqual(['store read', 'store write']);
  });

  it('has the code of an error, and its id is in the log', async () => {
    await service.get('/modules/99');
    const found = () => collector.spans.find(({ name }) => name === 'get_module');
    await expect
      .poll(found)
      .toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'not_found' } });
    const { traceId, parentSpanId } = found()!;
    expect(parentSpanId ?? '').toBe('');
    const answered = () => logEntries(service.stderr()).find(({ code }) => code === 'not_found');
    await expect.poll(answered).toMatchObject({ msg: 'answered', traceId });
  });

  it('includes the remote service', async () => {
    const { traceparent, spans } = newTrace();
    const server = await startStdioServer(['--remote', service.base], {
      ...exporterEnv(collector),
      OTEL_SERVICE_NAME: 'here',
      ACEQUIA_API_KEY: service.key,
    });
    const args = { module: 'North 1', ...WATERING };
    await server.client.callTool({ name: 'log_watering', arguments: args, _meta: { traceparent } });
    await server.client.close();
    const remoteSpan = () =>
      spans().find(
        ({ name, resource }) =>
          name === 'log_watering' && resource['service.name'] === 'farm-water',
      );
    await expect.poll(remoteSpan).toBeDefined();
    await expect.poll(() => spans().some(({ parentSpanId }) => parentSpanId === PARENT)).toBe(true);
    const request = spans().find(({ spanId }) => spanId === remoteSpan()!.parentSpanId)!;
    expect(request).toMatchObject({ kind: CLIENT, resource: { 'service.name': 'here' } });
    const call = spans().find(({ spanId }) => spanId === request.parentSpanId)!;
    expect(call).toMatchObject({
      name: 'log_watering',
      parentSpanId: PARENT,
      resource: { 'service.name': 'here' },
    });
    await expect
      .poll(() => childrenOf(spans(), remoteSpan()!).map(({ name }) => name))
      .toContain('store write');
  });

  it('of a message over HTTP continues the trace in the HTTP header, else in _meta', async () => {
    const { traceparent, spans } = newTrace();
    const ask = (headers: Record<string, string> = {}) =>
      postMcp(mcpUrl(service.base), {
        headers: { 'x-api-key': service.key, ...headers },
        body: toolCallRequest('get_company', {}, { _meta: { traceparent } }),
      });
    const inHeader = '00f067aa0ba902b8';
    expect((await ask()).status).toBe(200);
    expect((await ask({ traceparent: traceparent.replace(PARENT, inHeader) })).status).toBe(200);
    const parents = () =>
      spans().flatMap(({ name, parentSpanId }) => (name === 'get_company' ? [parentSpanId] : []));
    await expect.poll(parents).toEqual([PARENT, inHeader]);
  });

  it('is sent by a command before it ends', async () => {
    const { url, spans } = await startTraceCollector();
    const db = await newBaseFarm();
    const { code } = await runCommand(['tick', '--db', db, '--clock', CLOCK], {
      env: exporterEnv({ url }),
    });
    expect(code).toBe(0);
    expect(spans.map(({ name }) => name)).toContain('housekeeping');
    expect(spans.every(({ resource }) => resource['service.name'] === 'acequia')).toBe(true);
  });

  it('is not sent with OTEL_SDK_DISABLED', async () => {
    const { url, requestCount } = await startTraceCollector();
    const env = { ...exporterEnv({ url }), OTEL_SDK_DISABLED: 'true' };
    expect((await runCommand(['tick', '--db', service.db, '--clock', CLOCK], { env })).code).toBe(
      0,
    );
    expect(requestCount()).toBe(0);
  });
});

describe('a collector', () => {
  itInDeepRuns('that never answers changes no answer and does not delay shutdown', () =>
    expectNoEffect(null),
  );

  itInDeepRuns('that never answers does not delay a command for long', async () => {
    const { url } = await startTraceCollector(null);
    const out = join(await newFolder(), 'picture.png');
    const begun = performance.now();
    const args = [
      'chart_moisture',
      'module=North 1',
      '--db',
      await newBaseFarm(),
      '--clock',
      CLOCK,
      '--out',
      out,
    ];
    const { code, stdout } = await runCommand(['call', ...args], { env: exporterEnv({ url }) });
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect([code, stdout]).toEqual([0, expect.stringContaining(out)]);
    expect((await stat(out)).size).toBeGreaterThan(1_000);
  });

  it('that is down changes no answer, does not delay shutdown, and is logged once', async () => {
    const env = {
      ...exporterEnv({ url: 'http://127.0.0.1:9' }),
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    };
    const { get, stderr, stop } = await startObservedService(env);
    const warnings = () => logEntries(stderr()).filter(({ msg }) => msg.includes('collector'));
    expect((await get('/company')).status).toBe(200);
    await expect
      .poll(warnings)
      .toMatchObject([{ msg: 'the collector does not accept traces', reason: 'ECONNREFUSED' }]);
    expect((await get('/company')).status).toBe(200);
    const begun = performance.now();
    expect((await stop()).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect(warnings()).toHaveLength(1);
  });
});

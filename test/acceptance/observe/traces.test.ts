import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { mcpUrl, postMcp, toolCallRequest } from '../mcp/http/mcp-http-client.ts';
import { startStdioServer } from '../mcp-session.ts';
import { CLOCK, runCommand } from '../program.ts';
import {
  type CollectedSpan,
  logEntries,
  startObservedService,
  startTraceCollector,
  type TraceCollector,
} from './observed-service.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

const exporterEnv = ({ url }: Pick<TraceCollector, 'url'>) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

const SERVER = 2;
const CLIENT = 3;

const childrenOf = (spans: readonly CollectedSpan[], { spanId }: CollectedSpan): CollectedSpan[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId);

describe('a trace', () => {
  it('of a request over HTTP continues that of its caller, and contains its transactions', async () => {
    const { url, spans } = await startTraceCollector();
    const { post, stop } = await startObservedService({
      ...exporterEnv({ url }),
      OTEL_SERVICE_NAME: 'farm-water',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const answer = await post(EVENTS, WATERING, { traceparent: TRACEPARENT, 'x-request-id': 'mine-1' });
    expect(answer.status).toBe(201);
    expect(await stop()).toMatchObject({ code: 0, stderr: '' });
    const own = spans.filter(({ traceId }) => traceId === TRACE);
    const [call] = own.filter(({ parentSpanId }) => parentSpanId === PARENT);
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
    const parts = childrenOf(own, call!);
    expect(parts.map(({ name }) => name)).toEqual(['store read', 'store write']);
    expect(own).toHaveLength(3);
    for (const part of parts) {
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call!.startTimeUnixNano));
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call!.endTimeUnixNano));
    }
  });

  it('has the code of an error, and its id is in the log', async () => {
    const { url, spans } = await startTraceCollector();
    const { get, stderr, stop } = await startObservedService(exporterEnv({ url }), '--log-level', 'info');
    await get('/modules/99');
    await stop();
    const call = spans.find(({ name }) => name === 'get_module')!;
    expect(call).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'not_found' } });
    expect(call.parentSpanId ?? '').toBe('');
    expect(logEntries(stderr()).find(({ msg }) => msg === 'answered')).toMatchObject({ traceId: call.traceId });
  });

  it('includes the remote service', async () => {
    const { url, spans } = await startTraceCollector();
    const service = await startObservedService({ ...exporterEnv({ url }), OTEL_SERVICE_NAME: 'there' });
    const server = await startStdioServer(['--remote', service.base], {
      ...exporterEnv({ url }),
      OTEL_SERVICE_NAME: 'here',
      ACEQUIA_API_KEY: service.key,
    });
    const _meta = { traceparent: TRACEPARENT };
    await server.client.callTool({ name: 'log_watering', arguments: { module: 'North 1', ...WATERING }, _meta });
    await server.client.close();
    await service.stop();
    const spansOfTrace = () => spans.filter(({ traceId }) => traceId === TRACE);
    const remoteSpan = () =>
      spansOfTrace().find(({ name, resource }) => name === 'log_watering' && resource['service.name'] === 'there');
    await expect.poll(remoteSpan).toBeDefined();
    await expect.poll(() => spansOfTrace().some(({ parentSpanId }) => parentSpanId === PARENT)).toBe(true);
    const request = spansOfTrace().find(({ spanId }) => spanId === remoteSpan()!.parentSpanId)!;
    expect(request).toMatchObject({ kind: CLIENT, resource: { 'service.name': 'here' } });
    const call = spansOfTrace().find(({ spanId }) => spanId === request.parentSpanId)!;
    expect(call).toMatchObject({ name: 'log_watering', parentSpanId: PARENT, resource: { 'service.name': 'here' } });
    expect(childrenOf(spansOfTrace(), remoteSpan()!).map(({ name }) => name)).toContain('store write');
  });

  it('of a message over HTTP continues the trace in the HTTP header, else in _meta', async () => {
    const { url, spans } = await startTraceCollector();
    const { base, key, stop } = await startObservedService(exporterEnv({ url }));
    const ask = (_meta: object, headers: Record<string, string> = {}) =>
      postMcp(mcpUrl(base), {
        headers: { 'x-api-key': key, ...headers },
        body: toolCallRequest('get_company', {}, { _meta }),
      });
    const message = { traceparent: TRACEPARENT };
    const header = { traceparent: TRACEPARENT.replace(PARENT, '00f067aa0ba902b8') };
    expect((await ask(message)).status).toBe(200);
    expect((await ask(message, header)).status).toBe(200);
    await stop();
    const calls = spans.filter(({ name }) => name === 'get_company');
    expect(calls.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE]);
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([PARENT, '00f067aa0ba902b8']);
  });

  it('is sent by a command before it ends', async () => {
    const { url, spans } = await startTraceCollector();
    const db = await newBaseFarm();
    const { code } = await runCommand(['tick', '--db', db, '--clock', CLOCK], { env: exporterEnv({ url }) });
    expect(code).toBe(0);
    expect(spans.map(({ name }) => name)).toContain('housekeeping');
    expect(spans.every(({ resource }) => resource['service.name'] === 'acequia')).toBe(true);
  });
});

describe('no trace', () => {
  it.each([
    ['with OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }, {}],
    ['with OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true' }, {}],
    ['with the sampler always_off', { OTEL_TRACES_SAMPLER: 'always_off' }, {}],
    ['over an unsupported protocol', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, {}],
    ['for a caller that is not sampled', {}, { traceparent: `00-${TRACE}-${PARENT}-00` }],
  ])('is sent %s', async (_, env, headers) => {
    const { url, spans, requestCount } = await startTraceCollector();
    const { get, stop } = await startObservedService({ ...exporterEnv({ url }), ...env });
    expect((await get('/company', headers)).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(spans.filter(({ name }) => name === 'get_company')).toEqual([]);
    if (!('traceparent' in headers)) expect(requestCount()).toBe(0);
  });
});

describe('a collector', () => {
  /** Longer than the flush at the end, shorter than the exporter's own timeout (10 s). */
  const SOON_MS = 9_000;

  it.each([
    ['never answers', null],
    ['fails', 500],
    ['asks to retry later', 503],
  ])('that %s changes no answer and does not delay shutdown', async (_, status) => {
    const { url, requestCount } = await startTraceCollector(status);
    const { get, stop } = await startObservedService(exporterEnv({ url }));
    for (let count = 0; count < 5; count++) expect((await get('/company')).status).toBe(200);
    await expect.poll(requestCount).toBeGreaterThan(0);
    const begun = performance.now();
    expect((await stop()).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
  });

  it('that never answers does not delay a command for long', async () => {
    const { url } = await startTraceCollector(null);
    const out = join(await newFolder(), 'picture.png');
    const begun = performance.now();
    const args = ['chart_moisture', 'module=North 1', '--db', await newBaseFarm(), '--clock', CLOCK, '--out', out];
    const { code, stdout } = await runCommand(['call', ...args], { env: exporterEnv({ url }) });
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect([code, stdout]).toEqual([0, expect.stringContaining(out)]);
    expect((await stat(out)).size).toBeGreaterThan(1_000);
  });

  it('that is down changes no answer, does not delay shutdown, and is logged once', async () => {
    const env = { ...exporterEnv({ url: 'http://127.0.0.1:9' }), OTEL_EXPORTER_OTLP_TIMEOUT: '200' };
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

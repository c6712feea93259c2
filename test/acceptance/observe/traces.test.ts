import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, startStdioServer } from '../mcp-session.ts';
import { BINARY, CLOCK, runCommand } from '../program.ts';
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
  it('of a request over HTTP goes on from where it came, and holds its transactions', async () => {
    const { url, spans } = await startTraceCollector();
    const { post, stop } = await startObservedService({
      ...exporterEnv({ url }),
      OTEL_SERVICE_NAME: 'farm-water',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const answer = await post(EVENTS, WATERING, { traceparent: TRACEPARENT, 'x-request-id': 'mine-1' });
    expect(answer.status).toBe(201);
    expect(await stop()).toMatchObject({ code: 0, stderr: '' });
    const mine = spans.filter(({ traceId }) => traceId === TRACE);
    const [call] = mine.filter(({ parentSpanId }) => parentSpanId === PARENT);
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
    const parts = childrenOf(mine, call!);
    expect(parts.map(({ name }) => name)).toEqual(['store read', 'store write']);
    expect(mine).toHaveLength(3);
    for (const part of parts) {
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call!.startTimeUnixNano));
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call!.endTimeUnixNano));
    }
  });

  it('marks what was refused by its code, and stands in the log', async () => {
    const { url, spans } = await startTraceCollector();
    const { ask, stderr, stop } = await startObservedService(exporterEnv({ url }), '--log-level', 'info');
    await ask('/modules/99');
    await stop();
    const call = spans.find(({ name }) => name === 'get_module')!;
    expect(call).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'not_found' } });
    expect(call.parentSpanId ?? '').toBe('');
    expect(logEntries(stderr()).find(({ msg }) => msg === 'answered')).toMatchObject({ traceId: call.traceId });
  });

  it('goes through the service that answers in place of a store', async () => {
    const { url, spans } = await startTraceCollector();
    const service = await startObservedService({ ...exporterEnv({ url }), OTEL_SERVICE_NAME: 'there' });
    const server = await startStdioServer(['--remote', service.base], {
      ...exporterEnv({ url }),
      OTEL_SERVICE_NAME: 'here',
      ACEQUIA_API_KEY: service.key,
    });
    const _meta = { traceparent: TRACEPARENT };
    const given = { module: 'North 1', ...WATERING };
    await server.client.callTool({ name: 'log_watering', arguments: given, _meta });
    await server.client.close();
    await service.stop();
    const mine = () => spans.filter(({ traceId }) => traceId === TRACE);
    const written = () =>
      mine().find(({ name, resource }) => name === 'log_watering' && resource['service.name'] === 'there');
    await expect.poll(written).toBeDefined();
    await expect.poll(() => mine().some(({ parentSpanId }) => parentSpanId === PARENT)).toBe(true);
    const request = mine().find(({ spanId }) => spanId === written()!.parentSpanId)!;
    expect(request).toMatchObject({ kind: CLIENT, resource: { 'service.name': 'here' } });
    const call = mine().find(({ spanId }) => spanId === request.parentSpanId)!;
    expect(call).toMatchObject({ name: 'log_watering', parentSpanId: PARENT, resource: { 'service.name': 'here' } });
    expect(childrenOf(mine(), written()!).map(({ name }) => name)).toContain('store write');
  });

  it('of a message over HTTP goes on from the header, or from the message where there is none', async () => {
    const { url, spans } = await startTraceCollector();
    const { base, key, stop } = await startObservedService(exporterEnv({ url }));
    const ask = (_meta: object, headers: Record<string, string> = {}) =>
      fetch(new URL('/mcp', base), {
        method: 'POST',
        headers: {
          ...{ 'x-api-key': key, 'content-type': 'application/json' },
          ...{ accept: 'application/json, text/event-stream', ...headers },
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'get_company', arguments: {}, _meta },
        }),
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
    ['where none is asked for', { OTEL_TRACES_EXPORTER: 'none' }],
    ['where the whole of it is switched off', { OTEL_SDK_DISABLED: 'true' }],
    ['of what is not sampled', { OTEL_TRACES_SAMPLER: 'always_off' }],
    ['over a protocol that is not spoken', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ])('is sent %s', async (_, env) => {
    const { url, requestCount } = await startTraceCollector();
    const { ask, stop } = await startObservedService({ ...exporterEnv({ url }), ...env });
    expect((await ask('/company')).status).toBe(200);
    expect((await stop()).code).toBe(0);
    expect(requestCount()).toBe(0);
  });

  it('of a caller that is not sampled is, unless the sampler says otherwise', async () => {
    const { url, spans } = await startTraceCollector();
    const { ask, stop } = await startObservedService(exporterEnv({ url }));
    await ask('/company', { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
    await stop();
    expect(spans.filter(({ name }) => name === 'get_company')).toEqual([]);
  });
});

describe('a collector', () => {
  /** Longer than the flush at the end, shorter than the exporter's own timeout (10 s). */
  const SOON_MS = 9_000;

  it.each([
    ['that never answers', () => undefined],
    ['that fails', (response: { writeHead(status: number): { end(): unknown } }) => response.writeHead(500).end()],
    [
      'that asks to come back later',
      (response: { writeHead(status: number): { end(): unknown } }) => response.writeHead(503).end(),
    ],
  ])('%s changes no answer, and holds no end up', async (_, react) => {
    const { url, requestCount } = await startTraceCollector(react);
    const { ask, stop } = await startObservedService(exporterEnv({ url }));
    for (let asked = 0; asked < 5; asked++) expect((await ask('/company')).status).toBe(200);
    await expect.poll(requestCount).toBeGreaterThan(0);
    const begun = performance.now();
    expect((await stop()).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
  });

  it('that never answers keeps a command neither from its answer nor long from its end', async () => {
    const { url } = await startTraceCollector(() => undefined);
    const out = join(await newFolder(), 'picture.png');
    const env = { ...process.env, ...exporterEnv({ url }) };
    const begun = performance.now();
    const args = [
      'call',
      'chart_moisture',
      'module=North 1',
      '--db',
      await newBaseFarm(),
      '--clock',
      CLOCK,
      '--out',
      out,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [BINARY, ...args], { env });
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect(stdout).toContain(out);
    expect((await stat(out)).size).toBeGreaterThan(1_000);
  });

  it('that is not there changes no answer, holds no end up, and is told of once', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm()], exporterEnv({ url: 'http://127.0.0.1:9' }));
    for (let asked = 0; asked < 3; asked++) expect(bodyOf(await server.call('get_company')).name).toBe('Mas Rouge');
    const begun = performance.now();
    await server.client.close();
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect(logEntries(server.stderr()).length).toBeLessThanOrEqual(2);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { afterFile, afterTest } from '../../cleanup.ts';
import { CLOCK, type Json } from '../program.ts';
import { type RestService, startServing } from '../rest-service.ts';

export const logEntries = (stderr: string): Json[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The base farm, served with this environment, and a key with every scope. */
export const startObservedService = async (
  env: Record<string, string> = {},
  ...options: readonly string[]
) => observed(await startServing(await newBaseFarm(), ['--clock', CLOCK, ...options], { env }));

/** Starts it for all tests of a file. */
export const observedServiceForFile = async (
  env: Record<string, string>,
  ...options: readonly string[]
) =>
  observed(
    await startServing(await baseFarmForFile(), ['--clock', CLOCK, ...options], {
      env,
      after: afterFile,
    }),
  );

export type ObservedService = Awaited<ReturnType<typeof startObservedService>>;

async function observed(service: RestService) {
  const key = await service.newKey();
  return {
    ...service,
    key,
    get: (path: string, headers: Record<string, string> = {}) =>
      service.request('GET', path, { key, headers }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      service.request('POST', path, { key, body, headers }),
  };
}

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. Source: opentelemetry-proto, trace.proto. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly receivedText: () => string;
  readonly requestCount: () => number;
}

type OtlpAttribute = { readonly key: string; readonly value: Record<string, unknown> };

const attributeValues = (attributes: readonly OtlpAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Answers with a status, or never if it is null. */
export async function startTraceCollector(
  status: number | null = 200,
  after: typeof afterTest = afterTest,
): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let receivedText = '';
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    const body = await text(request);
    receivedText += JSON.stringify(request.headers) + body;
    if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json')
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans)
        for (const { spans: each } of scopeSpans)
          for (const span of each)
            spans.push({
              ...span,
              attributes: attributeValues(span.attributes),
              resource: attributeValues(resource.attributes),
            });
    if (status !== null)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    receivedText: () => receivedText,
    requestCount: () => requests,
  };
}

interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Source: Prometheus, "Text-based format", version 0.0.4. */
function parseMetrics(page: string): { samples: MetricSample[]; types: Map<string, string> } {
  expect(page.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  const samples: MetricSample[] = [];
  for (const line of page.split('\n')) {
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type) {
      expect(types.has(type[1]!)).toBe(false);
      types.set(type[1]!, type[2]!);
    }
    if (line === '' || line.startsWith('#')) continue;
    const parts = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/.exec(line);
    if (!parts) throw new Error(`This is no sample: ${line}`);
    const [, name, labelled = '', value] = parts as unknown as [
      string,
      string,
      string | undefined,
      string,
    ];
    const label = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;
    const labels = [...labelled.matchAll(label)];
    expect(labels.map(([whole]) => whole).join('')).toBe(labelled);
    const read = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
    // Its case does not matter: an empty mean is written Nan.
    if (!/^nan$/i.test(value)) expect(Number.isNaN(read)).toBe(false);
    samples.push({
      name,
      labels: Object.fromEntries(labels.map(([, key, labelValue]) => [key, labelValue!])),
      value: read,
    });
  }
  return { samples, types };
}

export async function scrapeMetrics(url: string) {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const { samples, types } = parseMetrics(await answer.text());
  return {
    samples,
    types,
    figure: (name: string, labels: Record<string, string> = {}) =>
      samples.find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )?.value,
  };
}

export const exporterEnv = ({ url }: Pick<TraceCollector, 'url'>) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_EXPORTER_OTLP_TIMEOUT: '120000',
});

/**
 * Longer than the flush at the end (2 s) on a busy machine, shorter than the exporter's own
 * timeout.
 */
export const SOON_MS = 60_000;

/**
 * A collector that answers with a status, or never, changes no answer and does not delay shutdown.
 */
export async function expectNoEffect(status: number | null): Promise<void> {
  const { url, requestCount } = await startTraceCollector(status);
  const { get, stop } = await startObservedService(exporterEnv({ url }));
  for (let count = 0; count < 5; count++) expect((await get('/company')).status).toBe(200);
  await expect.poll(requestCount).toBeGreaterThan(0);
  const begun = performance.now();
  expect((await stop()).code).toBe(0);
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
}

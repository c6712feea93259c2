import { afterEach, describe, expect, it, vi } from 'vitest';
import { openTracing } from '../../src/observe/tracing.ts';
import { startTraceCollector } from '../acceptance/observe/observed-service.ts';

function spend(ms: number): void {
  const begun = performance.now();
  while (performance.now() - begun < ms);
}

describe('a trace', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('keeps each span within its parent, to the nanosecond', async () => {
    const { url, spans } = await startTraceCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
    const { startSpan, end } = openTracing('1.0.0', (reason) => expect.fail(reason));
    const calls = 100;
    for (let each = 0; each < calls; each += 1) {
      const whole = startSpan(
        { surface: 'rest', operation: 'log_watering', requestId: `${each}` },
        null,
      );
      spend(0.3);
      const part = whole.child('store write', 'store');
      part.end(null, {});
      whole.end(null, {});
    }
    expect(await end(60_000)).toBe(true);
    const wholes = new Map(spans.map((span) => [span.spanId, span]));
    const parts = spans.filter(({ parentSpanId }) => parentSpanId);
    expect(parts).toHaveLength(calls);
    for (const part of parts) {
      const whole = wholes.get(part.parentSpanId!)!;
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(
        BigInt(whole.startTimeUnixNano),
      );
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(whole.endTimeUnixNano));
    }
  });

  it.each([
    ['with the sampler always_off', 'always_off', null],
    [
      'for a caller that is not sampled',
      '',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
    ],
  ])('is not sent %s', async (_, sampler, traceparent) => {
    const { url, requestCount } = await startTraceCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
    vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
    const { startSpan, end } = openTracing('1.0.0', (reason) => expect.fail(reason));
    startSpan({ surface: 'rest', operation: 'get_company', requestId: '1' }, traceparent).end(
      null,
      {},
    );
    expect(await end(60_000)).toBe(true);
    expect(requestCount()).toBe(0);
  });
});

import {
  type HrTime,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { withTimeout } from '../domain/event-loop.ts';
import type { StartSpan, TraceSpan } from './listener.ts';

export interface Tracing {
  readonly startSpan: StartSpan;
  /** Sends what is left. Resolves to false if that takes longer. */
  end(withinMs: number): Promise<boolean>;
}

type Clock = () => HrTime;

export function openTracing(version: string, onLost: (reason: string) => void): Tracing {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'acequia', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportingLostSpans(new OTLPTraceExporter(), onLost))],
  });
  const tracer = provider.getTracer('acequia', version);

  function spanOf(otelSpan: OtelSpan, clock: Clock): TraceSpan {
    const { traceId, spanId, traceFlags } = otelSpan.spanContext();
    const spanContext = trace.setSpan(ROOT_CONTEXT, otelSpan);
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      child(name, kind) {
        const options = {
          kind: kind === 'request' ? SpanKind.CLIENT : SpanKind.INTERNAL,
          startTime: clock(),
        };
        return spanOf(tracer.startSpan(name, options, spanContext), clock);
      },
      end(code, facts) {
        for (const [name, value] of Object.entries(facts))
          if (value !== null) otelSpan.setAttribute(attributeOf(name), value);
        if (code !== null) {
          otelSpan.setAttribute('error.type', code);
          otelSpan.setStatus({ code: SpanStatusCode.ERROR });
        }
        otelSpan.end(clock());
      },
    };
  }

  return {
    startSpan({ surface, operation, requestId }, traceparent) {
      const name = operation ?? surface;
      const attributes = { 'acequia.surface': surface, 'acequia.request_id': requestId };
      const kind = surface === 'tick' || surface === 'mail' ? SpanKind.INTERNAL : SpanKind.SERVER;
      const clock = clockFromNow();
      return spanOf(
        tracer.startSpan(name, { kind, attributes, startTime: clock() }, contextOf(traceparent)),
        clock,
      );
    },
    async end(withinMs) {
      // A shutdown that failed has ended too.
      const shutdown = provider.shutdown().then(
        () => true,
        () => true,
      );
      return (await withTimeout(shutdown, withinMs)) ?? false;
    },
  };
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  method: 'http.request.method',
  path: 'url.path',
  status: 'http.response.status_code',
  waitedMs: 'acequia.waited_ms',
  queueMs: 'acequia.store.queue_ms',
  lockWaitMs: 'acequia.store.lock_wait_ms',
};

const attributeOf = (name: string): string => ATTRIBUTES[name] ?? `acequia.${name}`;

/**
 * Separate readings of the system clock can place a span outside its parent, so all spans of a call
 * share one.
 */
function clockFromNow(): Clock {
  const startedAt = Date.now();
  const startedAtMs = performance.now();
  return () => {
    const ms = startedAt + (performance.now() - startedAtMs);
    return [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1e6)];
  };
}

function contextOf(traceparent: string | null) {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = traceparent.split('-') as [string, string, string, string];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function reportingLostSpans(
  exporter: SpanExporter,
  onLost: (reason: string) => void,
): SpanExporter {
  let isLost = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const isFailed = result.code !== 0;
        if (isFailed && !isLost)
          onLost((result.error as { code?: string } | undefined)?.code ?? 'refused');
        isLost = isFailed;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

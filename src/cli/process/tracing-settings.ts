import type { Environment } from './environment.ts';

export function isTracingEnabled(env: Environment, warn: (text: string) => void): boolean {
  const exporter = readVariable(env, 'OTEL_TRACES_EXPORTER');
  if (readVariable(env, 'OTEL_SDK_DISABLED') === 'true' || exporter === 'none') return false;

  const endpoint =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ??
    readVariable(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (exporter === undefined && endpoint === undefined) return false;
  if (exporter !== undefined && exporter !== 'otlp') {
    warn('No traces are sent: OTEL_TRACES_EXPORTER is neither otlp nor none.');
    return false;
  }

  if (endpoint !== undefined && !isHttpUrl(endpoint)) {
    warn('No traces are sent: the OTLP endpoint is not an http address.');
    return false;
  }

  const protocol =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ??
    readVariable(env, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') {
    warn('No traces are sent: only OTLP over HTTP with JSON is supported, not gRPC.');
    return false;
  }

  return true;
}

/** An empty variable counts as unset. Source: OpenTelemetry, environment variable specification. */
const readVariable = (env: Environment, name: string): string | undefined =>
  env[name]?.trim().toLowerCase() || undefined;

const isHttpUrl = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

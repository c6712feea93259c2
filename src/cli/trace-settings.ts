type Environment = Readonly<Record<string, string | undefined>>;

/** Whether OpenTelemetry's own variables ask for traces; `doubt` hears of what they ask for that is not spoken here. */
export function isTracingEnabled(env: Environment, warn: (text: string) => void): boolean {
  const exporter = readVariable(env, 'OTEL_TRACES_EXPORTER');
  if (readVariable(env, 'OTEL_SDK_DISABLED') === 'true' || exporter === 'none') return false;
  const endpoint =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? readVariable(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (exporter === undefined && endpoint === undefined) return false;
  if (exporter !== undefined && exporter !== 'otlp') {
    warn('No traces are sent: OTEL_TRACES_EXPORTER is neither otlp nor none.');
    return false;
  }
  if (endpoint !== undefined && !isHttpUrl(endpoint)) {
    warn('No traces are sent: the OTLP endpoint is no http address.');
    return false;
  }
  const protocol =
    readVariable(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? readVariable(env, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') {
    warn('No traces are sent: OTLP is spoken over HTTP as JSON, not over grpc.');
    return false;
  }
  return true;
}

/** An empty variable is as good as none. Source: OpenTelemetry, environment variable specification. */
const readVariable = (env: Environment, name: string): string | undefined =>
  env[name]?.trim().toLowerCase() || undefined;

const isHttpUrl = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

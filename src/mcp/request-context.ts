import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import { isRecord } from '../domain/records.ts';
import type { IncomingCorrelation } from '../observe/observer.ts';
import { ProgressReporter } from './progress-reporter.ts';
import type { CallRound } from './questions/call-rounds.ts';
import type { ToolCallContext } from './tool-runner.ts';

type McpRequest = ServerContext['mcpReq'];

export const callContext = (
  { signal, _meta }: McpRequest,
  progress: ProgressReporter | undefined,
): ToolCallContext => ({
  signal,
  onProgress: progress?.onProgress,
  incoming: incomingCorrelation(_meta),
});

function incomingCorrelation(
  meta: Readonly<Record<string, unknown>> | undefined,
): IncomingCorrelation | undefined {
  const traceparent = meta?.traceparent;
  return typeof traceparent === 'string' ? { traceparent } : undefined;
}

/** Undefined unless the client asks for progress. */
export function progressReporterFor({ _meta, notify }: McpRequest): ProgressReporter | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new ProgressReporter(
    (update) =>
      void notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(
        () => undefined,
      ),
  );
}

export const envelopeCapabilities = (envelope: McpRequest['envelope']): unknown =>
  new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);

/**
 * A client with an empty `elicitation` shows forms: before there was the kind `url`, nothing more was
 * declared.
 */
export function showsForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities.elicitation : undefined;
  return isRecord(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
}

export const callRound = ({
  envelope,
  requestState,
  inputResponses = {},
}: McpRequest): CallRound => ({
  hasForms: showsForms(envelopeCapabilities(envelope)),
  requestState: requestState<string>(),
  inputResponses,
});

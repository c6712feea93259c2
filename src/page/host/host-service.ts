import { MINUTE_MS } from '../../domain/periods.ts';
import type { CallBody, CallFields, OperationName } from '../service/page-operations.ts';
import {
  type CallOptions,
  NO_ANSWER,
  type Service,
  type ServiceError,
} from '../service/page-service.ts';
import type { HostBridge, HostRefusal } from './bridge.ts';
import {
  describeAction,
  type ToolCall,
  type ToolTable,
  toAnswer,
  toToolCall,
} from './tool-call.ts';

/** In ms. The host may ask the person before it calls a tool. */
const CALL_TIMEOUT_MS = 120_000;
const CONTEXT_TIMEOUT_MS = 10_000;

/** How often the page reads again, because a host does not report new readings. */
const REFRESH_MS = 5 * MINUTE_MS;

/** The last actions are sent together each time, because the host keeps only the newest message. */
const MAX_ACTIONS = 20;

interface HostServiceOptions {
  readonly bridge: Pick<HostBridge, 'request'>;
  readonly tools: ToolTable;
  readonly isWrite: (operation: string) => boolean;
  readonly canTellModel: boolean;
  /** Calls back at this interval while the page is visible. */
  readonly every: (ms: number, callback: () => void) => () => void;
}

/** Reads and writes through the tools of the server, which the host calls for the page. */
export function hostService({
  bridge,
  tools,
  isWrite,
  canTellModel,
  every,
}: HostServiceOptions): Service {
  const actions: string[] = [];

  function tellModel(action: string): void {
    actions.push(action);
    if (!canTellModel) return;
    const text = ['In the page, the person did this:', ...actions.slice(-MAX_ACTIONS)].join('\n');
    void bridge
      .request('ui/update-model-context', { content: [{ type: 'text', text }] }, CONTEXT_TIMEOUT_MS)
      .catch(() => undefined);
  }

  const callTool = (call: ToolCall, signal: AbortSignal | undefined): Promise<unknown> =>
    bridge
      .request('tools/call', call, CALL_TIMEOUT_MS, signal)
      .catch((refusal: HostRefusal | null) => {
        throw {
          code: NO_ANSWER,
          message: refusal?.message ?? '',
          hint: null,
        } satisfies ServiceError;
      });

  return {
    async call<Name extends OperationName>(
      operation: Name,
      fields: CallFields<Name>,
      options: CallOptions = {},
    ) {
      const call = toToolCall(operation, fields, options, tools);
      const answer = toAnswer<CallBody<Name>>(
        operation,
        await callTool(call, options.signal),
        tools,
      );
      if (isWrite(operation)) tellModel(describeAction(call, answer));
      return answer;
    },
    listen: ({ onChange }) => every(REFRESH_MS, () => onChange(null, 0)),
  };
}

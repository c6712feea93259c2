import type { Surface } from '../observe/listener.ts';
import {
  type CallTrace,
  errorCodeOf,
  type IncomingCorrelation,
  type Observer,
} from '../observe/observer.ts';
import type { AcequiaError } from '../schema/error.ts';
import { type CallToolResult, isInputRequiredResult, ProtocolError } from './protocol.ts';
import type { RequestHandlers } from './request-handlers.ts';

/** Records the calls of these handlers, with the code of each error. */
export function observedHandlers(
  handlers: RequestHandlers,
  observer: Observer,
  surface: Surface,
): RequestHandlers {
  async function observe<T>(
    operation: string,
    run: (trace: CallTrace) => Promise<T>,
    options: {
      incoming?: IncomingCorrelation | undefined;
      codeIn?: (answer: T) => string | null;
    } = {},
  ): Promise<T> {
    const trace = observer.begin({ surface, operation, incoming: options.incoming });
    try {
      const answer = await run(trace);
      trace.end(options.codeIn?.(answer) ?? null);
      return answer;
    } catch (error) {
      trace.end(error instanceof ProtocolError ? errorCodeIn(error.data) : errorCodeOf(error));
      throw error;
    }
  }

  return {
    ...handlers,
    callTool: (name, args, context = {}) =>
      observe(name, (trace) => handlers.callTool(name, args, { ...context, trace }), {
        incoming: context.incoming,
        codeIn: errorCodeOfResult,
      }),
    callToolInRounds: (name, args, round, context = {}) =>
      observe(
        name,
        (trace) => handlers.callToolInRounds(name, args, round, { ...context, trace }),
        {
          incoming: context.incoming,
          codeIn: (outcome) => (isInputRequiredResult(outcome) ? null : errorCodeOfResult(outcome)),
        },
      ),
    readResource: (uri) => observe('resources/read', (trace) => handlers.readResource(uri, trace)),
    complete: (argument, prefix) =>
      observe('completion/complete', (trace) => handlers.complete(argument, prefix, trace)),
  };
}

/** An error of the SDK has no code of Acequia: its resource or tool is unknown. */
const errorCodeIn = (error: unknown): string =>
  (error as AcequiaError | undefined)?.code ?? 'not_found';

const errorCodeOfResult = ({ isError, _meta }: CallToolResult): string | null =>
  isError ? errorCodeIn(_meta?.['acequia/error']) : null;

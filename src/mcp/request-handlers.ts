import { randomBytes } from 'node:crypto';
import { toolsByName } from '../../tools/index.ts';
import { throwIfCancelled } from '../domain/event-loop.ts';
import { entryOf } from '../domain/items.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { visibleJson } from '../domain/strings.ts';
import { refusalNeedsReader, UNKNOWN_READER } from '../language/refusal-reader.ts';
import type { Surface } from '../observe/listener.ts';
import {
  type CallTrace,
  errorCodeOf,
  type IncomingCorrelation,
  NOOP_OBSERVER,
  type Observer,
} from '../observe/observer.ts';
import { argumentWordsOf } from '../operation/arguments/argument-words.ts';
import { NoCompanyError } from '../operation/authorization.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationRunner } from '../operation/operation-runner.ts';
import { UnansweredQuestion } from '../operation/question.ts';
import { FilteredRunner, NO_TOOL_FILTER, type ToolFilter } from '../operation/tool-filter.ts';
import { type AcequiaError, type ErrorReporter, toClientError } from '../schema/error.ts';
import type { WatchResource } from './listening/subscriptions.ts';
import {
  type CallToolResult,
  type CompleteResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
} from './protocol.ts';
import {
  type CallRound,
  InvalidRequestState,
  openRound,
  type StateSealing,
} from './questions/call-rounds.ts';
import { completionNames, parseResourceUri, readResourceBody } from './resources.ts';
import { asProtocolError, toolError, toolResult } from './tool-result.ts';
import { type ToolCallContext, ToolRunner } from './tool-runner.ts';

export interface RequestHandlers {
  callTool(name: string, args: unknown, context?: ToolCallContext): Promise<CallToolResult>;
  /** For a client that cannot be asked during a call. */
  callToolInRounds(
    name: string,
    args: unknown,
    round: CallRound,
    context?: Omit<ToolCallContext, 'askPerson'>,
  ): Promise<CallToolResult | InputRequiredResult>;
  readResource(uri: string, signal?: AbortSignal): Promise<ReadResourceResult>;
  complete(argument: string, prefix: string): Promise<CompleteResult>;
  /** Null for all operations. */
  allowedOperations(): Promise<ReadonlySet<string> | null>;
  watchFiringAlerts: WatchResource;
  close(): Promise<void>;
}

/** Only a local store provides these. */
interface StoreHandlers extends Partial<Pick<RequestHandlers, 'watchFiringAlerts'>> {
  readonly stateSealing?: () => Promise<StateSealing>;
}

const nothingToWatch: WatchResource = () =>
  Promise.reject(new Error('There is no local store to watch'));

function sealingOfProcess(): () => Promise<StateSealing> {
  const secret = randomBytes(32).toString('base64url');
  return async () => ({ secret, owner: '' });
}

/** The most values that a completion lists. */
const MAX_COMPLETIONS = 100;

export interface HandlerOptions extends StoreHandlers {
  readonly toolFilter?: ToolFilter;
  readonly report: ErrorReporter;
  /** Default: nobody observes the calls. */
  readonly observer?: Observer;
  readonly surface?: Surface;
}

export function handlersFor(runner: OperationRunner, options: HandlerOptions): RequestHandlers {
  const { toolFilter = NO_TOOL_FILTER, watchFiringAlerts = nothingToWatch } = options;
  const handlers = new RunnerHandlers(new FilteredRunner(runner, toolFilter), options);
  return {
    callTool: (name, args, context) => handlers.callTool(name, args, context),
    callToolInRounds: (name, args, round, context) =>
      handlers.callToolInRounds(name, args, round, context),
    readResource: (uri, signal) => handlers.readResource(uri, signal),
    complete: (argument, prefix) => handlers.complete(argument, prefix),
    allowedOperations: () => handlers.allowedOperations(),
    watchFiringAlerts,
    close: () => runner.close(),
  };
}

/** Records each call, with the code of its error. */
class RunnerHandlers implements Omit<RequestHandlers, 'watchFiringAlerts' | 'close'> {
  readonly #runner: OperationRunner;
  readonly #tools: ToolRunner;
  readonly #report: ErrorReporter;
  readonly #stateSealing: () => Promise<StateSealing>;
  readonly #observer: Observer;
  readonly #surface: Surface;

  constructor(
    runner: OperationRunner,
    {
      report,
      stateSealing = sealingOfProcess(),
      observer = NOOP_OBSERVER,
      surface = 'mcp',
    }: HandlerOptions,
  ) {
    this.#runner = runner;
    this.#tools = new ToolRunner(runner, report);
    this.#report = report;
    this.#stateSealing = stateSealing;
    this.#observer = observer;
    this.#surface = surface;
  }

  callTool(name: string, args: unknown, context: ToolCallContext = {}): Promise<CallToolResult> {
    return this.#observe(
      name,
      async (trace) => {
        const result = await this.#callTool(name, args, { ...context, trace });
        if (result instanceof UnansweredQuestion) throw new Error('The person was not asked');
        return result;
      },
      context.incoming,
    );
  }

  callToolInRounds(
    name: string,
    args: unknown,
    round: CallRound,
    context: Omit<ToolCallContext, 'askPerson'> = {},
  ): Promise<CallToolResult | InputRequiredResult> {
    return this.#observe(
      name,
      (trace) => this.#callInRounds(name, args, round, { ...context, trace }),
      context.incoming,
    );
  }

  readResource(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#observe('resources/read', (trace) => this.#readResource(uri, { trace, signal }));
  }

  complete(argument: string, prefix: string): Promise<CompleteResult> {
    return this.#observe('completion/complete', (trace) => this.#complete(argument, prefix, trace));
  }

  async allowedOperations(): Promise<ReadonlySet<string> | null> {
    try {
      return await this.#runner.allowedOperations(toolsByName.values());
    } catch (error) {
      await toClientError(error, this.#report);
      return null;
    }
  }

  async #observe<T extends object>(
    operation: string,
    run: (trace: CallTrace) => Promise<T>,
    incoming?: IncomingCorrelation,
  ): Promise<T> {
    const trace = this.#observer.begin({ surface: this.#surface, operation, incoming });
    try {
      const answer = await run(trace);
      trace.end(errorCodeOfAnswer(answer));
      return answer;
    } catch (error) {
      trace.end(error instanceof ProtocolError ? errorCodeIn(error.data) : errorCodeOf(error));
      throw error;
    }
  }

  async #callTool(
    name: string,
    args: unknown,
    context: Parameters<ToolRunner['call']>[2],
  ): Promise<CallToolResult | UnansweredQuestion> {
    const operation = entryOf(toolsByName, name);
    try {
      const result = await this.#tools.call(operation, args, context);
      return result instanceof UnansweredQuestion ? result : toolResult(operation, result);
    } catch (error) {
      throwIfCancelled(context.signal);
      return this.#toolError(operation, error, context.trace);
    }
  }

  async #callInRounds(
    name: string,
    args: unknown,
    clientRound: CallRound,
    context: Omit<ToolCallContext, 'askPerson'>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const operation = entryOf(toolsByName, name);
    try {
      const writesBeforeAsking = operation.tool?.followUp !== undefined;
      const call = { tool: name, args, writesBeforeAsking };
      const round = await openRound(clientRound, call, this.#stateSealing);
      const { askPerson } = round;
      const result = await this.#callTool(name, args, { ...context, askPerson, round });
      return result instanceof UnansweredQuestion ? await round.endWith(result.question) : result;
    } catch (error) {
      if (error instanceof InvalidRequestState) throw asProtocolError(error);
      throwIfCancelled(context.signal);
      return this.#toolError(operation, error, context.trace);
    }
  }

  async #readResource(
    uri: string,
    context: Pick<ToolCallContext, 'trace' | 'signal'>,
  ): Promise<ReadResourceResult> {
    const request = parseResourceUri(uri);
    try {
      const body = await readResourceBody(request, this.#tools.readRunner(context));
      return { contents: [{ uri, mimeType: 'application/json', text: visibleJson(body) }] };
    } catch (error) {
      throwIfCancelled(context.signal);
      throw asProtocolError(await toClientError(error, this.#report, context.trace?.requestId));
    }
  }

  async #complete(argument: string, prefix: string, trace: CallTrace): Promise<CompleteResult> {
    const names = await this.#namesToComplete(argument, prefix, trace);
    return {
      completion: {
        values: names.slice(0, MAX_COMPLETIONS),
        total: names.length,
        hasMore: names.length > MAX_COMPLETIONS,
      },
    };
  }

  async #namesToComplete(argument: string, prefix: string, trace: CallTrace): Promise<string[]> {
    try {
      return await completionNames(this.#runner, argument, prefix, trace);
    } catch (error) {
      await toClientError(error, this.#report, trace.requestId);
      return [];
    }
  }

  async #toolError(
    operation: AnyOperation,
    error: unknown,
    trace: CallTrace | undefined,
  ): Promise<CallToolResult> {
    const isInTerminal = this.#surface === 'cli' && error instanceof NoCompanyError;
    const refusal = isInTerminal
      ? new NoCompanyError({ isInTerminal })
      : await toClientError(error, this.#report, trace?.requestId);
    // Where the company cannot be read, that is the refusal.
    const reader = refusalNeedsReader(refusal.texts)
      ? await this.#runner.summaryContext().catch(() => null)
      : null;
    return toolError(refusal, {
      ...(reader ?? UNKNOWN_READER),
      argumentWords: argumentWordsOf(operation),
    });
  }
}

/** An error of the SDK has no code of Acequia: its resource or tool is unknown. */
const errorCodeIn = (error: unknown): string =>
  (error as AcequiaError | undefined)?.code ?? 'not_found';

const errorCodeOfAnswer = (answer: {
  readonly isError?: boolean;
  readonly _meta?: object;
}): string | null =>
  answer.isError
    ? errorCodeIn(new Map(Object.entries(answer._meta ?? {})).get('acequia/error'))
    : null;

/** Refuses every call with the reason why there is no store. */
export function handlersWithoutStore(reason: unknown, options: HandlerOptions): RequestHandlers {
  const refusingRunner: OperationRunner = {
    run: () => Promise.reject(reason),
    lang: DEFAULT_LANG,
    personLang: () => Promise.reject(reason),
    directory: () => Promise.reject(reason),
    summaryContext: () => Promise.reject(reason),
    allowedOperations: () => Promise.resolve(null),
    close: async () => undefined,
  };

  return handlersFor(refusingRunner, options);
}

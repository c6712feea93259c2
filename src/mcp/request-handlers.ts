import { randomBytes } from 'node:crypto';
import listAlerts from '../../tools/alerts/list-alerts.ts';
import { toolsByName } from '../../tools/index.ts';
import { throwIfCancelled } from '../domain/event-loop.ts';
import { entryOf } from '../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { visibleJson } from '../domain/text.ts';
import type { CallTrace } from '../observe/observer.ts';
import { type Identify, ownerOfOnlyCompany } from '../operation/authorization.ts';
import { LocalRunner, type LocalRunnerOptions } from '../operation/local/local-runner.ts';
import type { OperationRunner } from '../operation/operation-runner.ts';
import { UnansweredQuestion } from '../operation/question.ts';
import { FilteredRunner, type ToolFilter } from '../operation/tool-filter.ts';
import { AcequiaError, type ErrorReporter, toClientError } from '../schema/error.ts';
import { createUseRecorder, identifyByKey } from '../service/keys/api-keys.ts';
import { watchFiringAlerts } from '../service/watches.ts';
import { serviceSecret } from '../store/keys/secrets.ts';
import type { Store } from '../store/store.ts';
import type { WatchResource } from './listening/subscriptions.ts';
import type {
  CallToolResult,
  CompleteResult,
  InputRequiredResult,
  ReadResourceResult,
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
  readResource(uri: string, trace?: CallTrace): Promise<ReadResourceResult>;
  complete(argument: string, prefix: string, trace?: CallTrace): Promise<CompleteResult>;
  /** Null for all operations. */
  allowedOperations(): Promise<ReadonlySet<string> | null>;
  watchFiringAlerts: WatchResource;
  close(): Promise<void>;
}

interface LocalHandlerOptions {
  readonly store: Store;
  readonly clock: () => number;
  readonly lang: Lang | undefined;
  /** If null, the caller is the OWNER of the store's only company. */
  readonly apiKey: string | null;
  readonly toolFilter: ToolFilter;
  readonly report: ErrorReporter;
  readonly onReadings: LocalRunnerOptions['onReadings'];
  readonly pageUrl?: LocalRunnerOptions['pageUrl'];
  close(): Promise<void>;
}

export function localHandlers(options: LocalHandlerOptions): RequestHandlers {
  const { store, clock, lang, apiKey, toolFilter, report, onReadings, pageUrl, close } = options;
  const keyUseRecorder = createUseRecorder('api_keys', store, clock, report);
  const identify =
    apiKey === null ? ownerOfOnlyCompany : identifyByKey(apiKey, clock, keyUseRecorder.record);
  const runner = new LocalRunner({
    store,
    clock,
    lang,
    report,
    onReadings,
    pageUrl,
    identify,
    operations: toolsByName,
    source: 'mcp',
    close: async () => {
      await keyUseRecorder.close();
      await close();
    },
  });

  return handlersFor(new FilteredRunner(runner, toolFilter), report, {
    watchFiringAlerts: firingAlertsOf(store, identify),
    stateSealing: sealingOfStore(store, runner),
  });
}

/** What only a local store provides. */
interface StoreHandlers extends Partial<Pick<RequestHandlers, 'watchFiringAlerts'>> {
  readonly stateSealing?: () => Promise<StateSealing>;
}

const nothingToWatch: WatchResource = () =>
  Promise.reject(new Error('There is no local store to watch'));

export const firingAlertsOf =
  (store: Store, identify: Identify): WatchResource =>
  (watcher) =>
    watchFiringAlerts(store, { ...watcher, identify, access: listAlerts }).catch((error) => {
      throw error instanceof AcequiaError ? asProtocolError(error) : error;
    });

/** Every process that uses the store can open what another one sealed. */
export const sealingOfStore =
  (store: Store, runner: LocalRunner) => async (): Promise<StateSealing> => {
    const { caller, company } = await runner.identity();
    return {
      secret: await serviceSecret(store, 'request-state'),
      owner: `${company.id} ${caller.id}`,
    };
  };

function sealingOfProcess(): () => Promise<StateSealing> {
  const secret = randomBytes(32).toString('base64url');
  return async () => ({ secret, owner: '' });
}

/** The most values that a completion lists. */
const MAX_COMPLETIONS = 100;

export function handlersFor(
  runner: OperationRunner,
  report: ErrorReporter,
  { watchFiringAlerts = nothingToWatch, stateSealing = sealingOfProcess() }: StoreHandlers = {},
): RequestHandlers {
  const handlers = new RunnerHandlers(runner, report, stateSealing);
  return {
    callTool: (name, args, context) => handlers.callTool(name, args, context),
    callToolInRounds: (name, args, round, context) =>
      handlers.callToolInRounds(name, args, round, context),
    readResource: (uri, trace) => handlers.readResource(uri, trace),
    complete: (argument, prefix, trace) => handlers.complete(argument, prefix, trace),
    allowedOperations: () => handlers.allowedOperations(),
    watchFiringAlerts,
    close: () => runner.close(),
  };
}

class RunnerHandlers implements Omit<RequestHandlers, 'watchFiringAlerts' | 'close'> {
  readonly #runner: OperationRunner;
  readonly #tools: ToolRunner;
  readonly #report: ErrorReporter;
  readonly #stateSealing: () => Promise<StateSealing>;

  constructor(
    runner: OperationRunner,
    report: ErrorReporter,
    stateSealing: () => Promise<StateSealing>,
  ) {
    this.#runner = runner;
    this.#tools = new ToolRunner(runner, report);
    this.#report = report;
    this.#stateSealing = stateSealing;
  }

  async callTool(
    name: string,
    args: unknown,
    context: Parameters<ToolRunner['call']>[2] = {},
  ): Promise<CallToolResult> {
    const operation = entryOf(toolsByName, name);
    try {
      return toolResult(operation, await this.#tools.call(operation, args, context));
    } catch (error) {
      if (error instanceof UnansweredQuestion) throw error;
      throwIfCancelled(context.signal);
      return this.#toolError(error, context.trace);
    }
  }

  async callToolInRounds(
    name: string,
    args: unknown,
    clientRound: CallRound,
    context: Omit<ToolCallContext, 'askPerson'> = {},
  ): Promise<CallToolResult | InputRequiredResult> {
    try {
      const writesBeforeAsking = entryOf(toolsByName, name).tool?.followUp !== undefined;
      const call = { tool: name, args, writesBeforeAsking };
      const round = await openRound(clientRound, call, this.#stateSealing);

      try {
        return await this.callTool(name, args, { ...context, askPerson: round.askPerson, round });
      } catch (error) {
        if (!(error instanceof UnansweredQuestion)) throw error;
        return await round.endWith(error.question);
      }
    } catch (error) {
      if (error instanceof InvalidRequestState) throw asProtocolError(error);
      throwIfCancelled(context.signal);
      return this.#toolError(error, context.trace);
    }
  }

  async readResource(uri: string, trace?: CallTrace): Promise<ReadResourceResult> {
    const request = parseResourceUri(uri);
    try {
      const body = await readResourceBody(request, this.#tools.readRunner(trace));
      return { contents: [{ uri, mimeType: 'application/json', text: visibleJson(body) }] };
    } catch (error) {
      throw asProtocolError(await toClientError(error, this.#report, trace?.requestId));
    }
  }

  async complete(argument: string, prefix: string, trace?: CallTrace): Promise<CompleteResult> {
    const names = await this.#namesToComplete(argument, prefix, trace);
    return {
      completion: {
        values: names.slice(0, MAX_COMPLETIONS),
        total: names.length,
        hasMore: names.length > MAX_COMPLETIONS,
      },
    };
  }

  async allowedOperations(): Promise<ReadonlySet<string> | null> {
    try {
      return await this.#runner.allowedOperations(toolsByName.values());
    } catch (error) {
      await toClientError(error, this.#report);
      return null;
    }
  }

  async #namesToComplete(argument: string, prefix: string, trace?: CallTrace): Promise<string[]> {
    try {
      return await completionNames(this.#runner, argument, prefix, trace);
    } catch (error) {
      await toClientError(error, this.#report, trace?.requestId);
      return [];
    }
  }

  async #toolError(error: unknown, trace: CallTrace | undefined): Promise<CallToolResult> {
    return toolError(await toClientError(error, this.#report, trace?.requestId));
  }
}

/** Refuses every call with the reason why there is no store. */
export function handlersWithoutStore(reason: unknown, report: ErrorReporter): RequestHandlers {
  const refusingRunner: OperationRunner = {
    run: () => Promise.reject(reason),
    lang: DEFAULT_LANG,
    personLang: () => Promise.reject(reason),
    directory: () => Promise.reject(reason),
    summaryContext: () => Promise.reject(reason),
    allowedOperations: () => Promise.resolve(null),
    close: async () => undefined,
  };

  return handlersFor(refusingRunner, report);
}

import { randomBytes } from 'node:crypto';
import listAlerts from '../../tools/alerts/list-alerts.ts';
import { toolsByName } from '../../tools/index.ts';
import { throwIfCancelled } from '../domain/event-loop.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { singleLine, visibleJson, visibleText } from '../domain/text.ts';
import { answerPhrases } from '../language/answer-phrases.ts';
import type { CallTrace, IncomingCorrelation } from '../observe/observer.ts';
import { findNulPath } from '../operation/arguments/argument-validation.ts';
import {
  argumentsObject,
  operationForArguments,
  readToolArguments,
} from '../operation/arguments/tool-arguments.ts';
import { type Identify, ownerOfOnlyCompany } from '../operation/authorization.ts';
import {
  type LocalRunner,
  type LocalRunnerOptions,
  localRunner,
} from '../operation/local-runner.ts';
import { type AnyOperation, structuredBody } from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';
import type {
  OperationRequest,
  OperationResult,
  OperationRunner,
} from '../operation/operation-runner.ts';
import { type ToolFilter, withToolFilter } from '../operation/tool-filter.ts';
import {
  AcequiaError,
  type ErrorReporter,
  invalidInputError,
  toClientError,
} from '../schema/error.ts';
import { watchFiringAlerts } from '../service/company-watch.ts';
import { createUseRecorder, identifyByKey } from '../service/keys/api-keys.ts';
import { serviceSecret } from '../store/keys/secrets.ts';
import type { Store } from '../store/store.ts';
import type { WatchResource } from './listening/subscriptions.ts';
import {
  type CallToolResult,
  type CompleteResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from './protocol.ts';
import {
  type CallRound,
  InvalidRequestState,
  type OpenRound,
  openRound,
  type StateSealing,
  UnansweredQuestion,
} from './questions/call-rounds.ts';
import type { AskPerson } from './questions/elicitation.ts';
import { askAmbiguousNames, askConfirmation, askMissingFlowRate } from './questions/questions.ts';
import { completionNames, parseResourceUri, readResourceBody } from './resources.ts';

/**
 * Clients show the model either the text or the structured content, so each is complete. Some drop
 * an image beside structured content, so a picture comes without it.
 */
export function toolResult(
  operation: AnyOperation,
  { body, summary, picture, isReplay, changeId }: OperationResult,
): CallToolResult {
  if (picture) {
    const data = Buffer.from(picture.data).toString('base64');
    return {
      content: [
        { type: 'text', text: singleLine(summary) },
        { type: 'image', data, mimeType: picture.mimeType },
      ],
    };
  }

  const text = singleLine(summary);
  const json = visibleJson({
    summary: text,
    ...(changeId != null && { changeId }),
    ...structuredBody(operation, body),
  });

  return {
    content: [
      { type: 'text', text },
      { type: 'text', text: json },
    ],
    structuredContent: JSON.parse(json),
    ...(isReplay && { _meta: { 'acequia/replayed': true } }),
  };
}

export function toolError(error: AcequiaError): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: formatError(error) }],
    _meta: { 'acequia/error': JSON.parse(visibleJson(error)) },
  };
}

const formatError = ({ code, message, hint = '' }: AcequiaError): string =>
  visibleText(`${code}: ${message} ${hint}`.trim());

interface ToolCallContext extends Pick<OperationRequest, 'signal' | 'onProgress' | 'trace'> {
  readonly askPerson?: AskPerson | undefined;
  readonly incoming?: IncomingCorrelation | undefined;
}

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
  const runner = localRunner({
    store,
    clock,
    lang,
    report,
    onReadings,
    pageUrl,
    identify,
    operations: toolsByName,
    source: 'mcp',
  });

  const closeAll = async () => {
    await keyUseRecorder.close();
    await close();
  };

  return handlersFor(withToolFilter({ ...runner, close: closeAll }, toolFilter), report, {
    watchFiringAlerts: firingAlertsOf(store, identify),
    stateSealing: sealingOfStore(store, runner),
  });
}

/** Absent without a local store. */
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
  (store: Store, { identity }: LocalRunner) =>
  async (): Promise<StateSealing> => {
    const { caller, company } = await identity();
    return {
      secret: await serviceSecret(store, 'request-state'),
      owner: `${company.id} ${caller.id}`,
    };
  };

function sealingOfProcess(): () => Promise<StateSealing> {
  const secret = randomBytes(32).toString('base64url');
  return async () => ({ secret, owner: '' });
}

interface CallContext extends ToolCallContext {
  readonly round?: Pick<OpenRound, 'isRepeated' | 'writeKey'>;
}

export function handlersFor(
  runner: OperationRunner,
  report: ErrorReporter,
  { watchFiringAlerts = nothingToWatch, stateSealing = sealingOfProcess() }: StoreHandlers = {},
): RequestHandlers {
  const run = async (
    operation: AnyOperation,
    args: unknown,
    context: CallContext = {},
  ): Promise<OperationResult> => {
    const { askPerson, round, incoming: _, ...options } = context;
    const rawArguments = argumentsObject(args);
    const { idempotencyKey, ...rest } = rawArguments;

    return askAmbiguousNames(rawArguments, runner, askPerson, (chosenArguments) => {
      const chosen = operationForArguments(operation, chosenArguments);
      const isWrittenBefore =
        round !== undefined && (round.isRepeated || operation.asksFlowRate !== undefined);
      const writeKey = isWrittenBefore && isWrite(chosen) ? round.writeKey : undefined;

      return askConfirmation(chosen, runner, askPerson, (needsConfirmation) =>
        runner.run(chosen, {
          // The key is bound to what was sent, so that a repeated call is answered without asking
          // the person again.
          rawArguments: rest,
          idempotencyKey: readIdempotencyKey(idempotencyKey) ?? writeKey,
          needsConfirmation,
          ...options,
          readArguments: (argumentContext) =>
            readToolArguments(chosen, chosenArguments, argumentContext),
        }),
      );
    });
  };

  const performCall = async (
    operation: AnyOperation,
    args: unknown,
    context: CallContext,
  ): Promise<OperationResult> => {
    const result = await run(operation, args, context);
    const { askPerson, trace, round } = context;
    const isRepeated = round?.isRepeated ?? false;
    const { asksFlowRate } = operation;
    const mayAsk =
      asksFlowRate !== undefined && askPerson !== undefined && (isRepeated || !result.isReplay);
    const completed = mayAsk
      ? await askMissingFlowRate({ ...operation, asksFlowRate }, result, {
          runner,
          askPerson,
          report,
          run: (other, fields) => run(other, fields, { trace, round }),
        })
      : result;
    if (!isRepeated || !result.isReplay || completed !== result) return completed;

    return {
      ...result,
      summary: `${result.summary} ${answerPhrases.answeredBefore}`,
    };
  };

  const toToolError = async (
    error: unknown,
    trace: CallTrace | undefined,
  ): Promise<CallToolResult> => toolError(await toClientError(error, report, trace?.requestId));

  async function runTool(
    name: string,
    args: unknown,
    context: CallContext = {},
  ): Promise<CallToolResult> {
    try {
      const operation = toolsByName.get(name)!;
      return toolResult(operation, await performCall(operation, args, context));
    } catch (error) {
      if (error instanceof UnansweredQuestion) throw error;
      throwIfCancelled(context.signal);
      return toToolError(error, context.trace);
    }
  }

  return {
    callTool: runTool,
    async callToolInRounds(name, args, clientRound, context = {}) {
      try {
        const writesBeforeAsking = toolsByName.get(name)!.asksFlowRate !== undefined;
        const round = await openRound(
          clientRound,
          { tool: name, args, writesBeforeAsking },
          stateSealing,
        );

        return await runTool(name, args, { ...context, askPerson: round.askPerson, round }).catch(
          (error) => {
            if (error instanceof UnansweredQuestion) return round.endWith(error.question);
            throw error;
          },
        );
      } catch (error) {
        if (error instanceof InvalidRequestState) throw asProtocolError(error);
        throwIfCancelled(context.signal);
        return toToolError(error, context.trace);
      }
    },
    async readResource(uri, trace) {
      const request = parseResourceUri(uri);
      try {
        const body = await readResourceBody(request, (operation, args) =>
          run(operation, args, { trace }),
        );
        return { contents: [{ uri, mimeType: 'application/json', text: visibleJson(body) }] };
      } catch (error) {
        throw asProtocolError(await toClientError(error, report, trace?.requestId));
      }
    },
    async complete(argument, prefix, trace) {
      const names = await completionNames(runner, argument, prefix, trace).catch(
        async (error): Promise<string[]> => {
          await reportUnexpected(error, report, trace?.requestId);
          return [];
        },
      );

      return {
        completion: {
          values: names.slice(0, 100),
          total: names.length,
          hasMore: names.length > 100,
        },
      };
    },
    async allowedOperations() {
      return runner.allowedOperations(toolsByName.values()).catch(async (error) => {
        await reportUnexpected(error, report);
        return null;
      });
    },
    watchFiringAlerts,
    close: () => runner.close(),
  };
}

export function handlersWithoutStore(reason: unknown, report: ErrorReporter): RequestHandlers {
  const refusing: OperationRunner = {
    run: () => Promise.reject(reason),
    lang: DEFAULT_LANG,
    personLang: () => Promise.reject(reason),
    directory: () => Promise.reject(reason),
    summaryContext: () => Promise.reject(reason),
    allowedOperations: () => Promise.resolve(null),
    close: async () => undefined,
  };

  return handlersFor(refusing, report);
}

function readIdempotencyKey(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key === 'string' && key.length >= 1 && key.length <= 255 && findNulPath(key) === null)
    return key.toWellFormed();
  throw invalidInputError(
    'invalid_body',
    'idempotencyKey must be a string of 1 to 255 characters.',
    {
      hint: 'Pass any short text that is new for this entry, or leave it out.',
      field: 'idempotencyKey',
    },
  );
}

const reportUnexpected = async (
  error: unknown,
  report: ErrorReporter,
  requestId?: string,
): Promise<void> => void (await toClientError(error, report, requestId));

function asProtocolError(error: AcequiaError): ProtocolError {
  const { code, status, hint = '', retryAfterS } = error;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, formatError(error), {
    code,
    status,
    hint: visibleText(hint),
    retryAfterS,
  });
}

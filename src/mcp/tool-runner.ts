import undo from '../../tools/changes/undo.ts';
import { operationsByName } from '../../tools/index.ts';
import { throwIfCancelled } from '../domain/event-loop.ts';
import { entryOf } from '../domain/items.ts';
import { argument } from '../domain/text/program-names.ts';
import { say } from '../domain/text/say.ts';
import type { IncomingCorrelation } from '../observe/observer.ts';
import { summarizeResult } from '../operation/answer.ts';
import { findNulPath } from '../operation/arguments/argument-validation.ts';
import { argumentWordsOf } from '../operation/arguments/argument-words.ts';
import { argumentsObject } from '../operation/arguments/sent-arguments.ts';
import {
  argumentsOfTarget,
  operationForArguments,
  readToolArguments,
} from '../operation/arguments/tool-arguments.ts';
import type { AnyOperation, ArgumentContext } from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';
import type { OperationResult } from '../operation/operation-result.ts';
import type { OperationRequest, OperationRunner } from '../operation/operation-runner.ts';
import { type AskPerson, UnansweredQuestion } from '../operation/question.ts';
import { spokenTimesOf } from '../operation/replay/spoken-times.ts';
import { type ErrorReporter, invalidInputError, isNotFound } from '../schema/error.ts';
import type { OpenRound } from './questions/call-rounds.ts';
import { askAmbiguousNames, askConfirmation, splitConfirm } from './questions/questions.ts';

export interface ToolCallContext extends Pick<OperationRequest, 'signal' | 'onProgress' | 'trace'> {
  readonly askPerson?: AskPerson | undefined;
  /**
   * True for a client that shows forms but cannot be asked on this connection: what a form would
   * confirm needs the argument `confirm`.
   */
  readonly mustBeConfirmed?: boolean;
  readonly incoming?: IncomingCorrelation | undefined;
}

interface RoundContext extends ToolCallContext {
  /** Absent if the client can be asked during the call. */
  readonly round?: Pick<OpenRound, 'isRepeated' | 'writeKey'> | undefined;
}

interface CallArguments {
  /** As the client sent them. */
  readonly rawArguments: Readonly<Record<string, unknown>>;
  /** With what the person chose, where a name was ambiguous. */
  readonly chosenArguments: Readonly<Record<string, unknown>>;
  readonly read: typeof readToolArguments;
}

interface CalledOperation {
  readonly operation: AnyOperation;
  /** The one that ran: another one for a whole parcel. */
  readonly target: AnyOperation;
}

/** Runs operations with the arguments of tools, and asks the person what a call leaves open. */
export class ToolRunner {
  readonly #runner: OperationRunner;
  readonly #report: ErrorReporter;

  constructor(runner: OperationRunner, report: ErrorReporter) {
    this.#runner = runner;
    this.#report = report;
  }

  async call(
    operation: AnyOperation,
    args: unknown,
    context: RoundContext,
  ): Promise<OperationResult | UnansweredQuestion> {
    const result = await this.#ofEitherKind(operation, (each) =>
      this.#runAsking(each, args, context),
    );
    if (result instanceof UnansweredQuestion) return result;

    const isRepeated = context.round?.isRepeated ?? false;
    // A write that is repeated by its key was followed up the first time.
    if (result.isReplay && !isRepeated) return result;

    const target = operationForArguments(operation, argumentsObject(args));
    return this.#followUpOrTakeBack({ operation, target }, result, context);
  }

  /** Where the id is of no row of the operation, it may be one of its other kind. */
  async #ofEitherKind<Result>(
    operation: AnyOperation,
    run: (operation: AnyOperation) => Promise<Result>,
  ): Promise<Result> {
    const otherKind = operation.tool?.otherKind;
    if (otherKind === undefined) return run(operation);
    try {
      return await run(operation);
    } catch (error) {
      if (!isNotFound(error) || !(await this.#isOffered(otherKind))) throw error;
      return run(otherKind);
    }
  }

  /** A service of another version may lack it. */
  async #isOffered(operation: AnyOperation): Promise<boolean> {
    const allowed = await this.#runner.allowedOperations([operation]);
    return allowed === null || allowed.has(operation.name);
  }

  /** Asks the person which of several names is meant, and whether to do what cannot be undone. */
  async #runAsking(
    operation: AnyOperation,
    args: unknown,
    context: RoundContext,
  ): Promise<OperationResult | UnansweredQuestion> {
    const { askPerson } = context;
    const { rawArguments, isConfirmed } = splitConfirm(operation, argumentsObject(args));
    const canConfirm = { askPerson, isConfirmed, mustBeConfirmed: context.mustBeConfirmed };
    const read = readingAsOfFirst();

    return askAmbiguousNames(rawArguments, this.#runner, askPerson, (chosenArguments) => {
      const callArguments = { rawArguments, chosenArguments, read };
      const { target, request } = this.#targetCall(operation, callArguments, context);
      return askConfirmation(target, this.#runner, canConfirm, (confirmation) =>
        this.#runner.run(target, { ...request, ...confirmation }),
      );
    });
  }

  /** Asks the person nothing. */
  async #run(
    operation: AnyOperation,
    args: unknown,
    context: Omit<RoundContext, 'askPerson'>,
  ): Promise<OperationResult> {
    const { rawArguments } = splitConfirm(operation, argumentsObject(args));
    const read = readToolArguments;
    const callArguments = { rawArguments, chosenArguments: rawArguments, read };
    const { target, request } = this.#targetCall(operation, callArguments, context);
    return this.#runner.run(target, request);
  }

  /** The call of the operation, or of the one that runs instead for a whole parcel. */
  #targetCall(
    operation: AnyOperation,
    { rawArguments, chosenArguments, read }: CallArguments,
    { round, signal, onProgress, trace }: RoundContext,
  ): { target: AnyOperation; request: OperationRequest } {
    const target = operationForArguments(operation, chosenArguments);
    const targetArguments = argumentsOfTarget(operation, target, chosenArguments);
    const { idempotencyKey, ...sentArguments } = rawArguments;
    const mayHaveWritten =
      round !== undefined && (round.isRepeated || operation.tool?.followUp !== undefined);
    const writeKey = mayHaveWritten && isWrite(target) ? round.writeKey : undefined;

    const request = {
      // The key is bound to what was sent, so that a repeated call is answered without asking the
      // person again.
      rawArguments: sentArguments,
      idempotencyKey: readIdempotencyKey(idempotencyKey) ?? writeKey,
      signal,
      undo,
      onProgress,
      trace,
      spokenTimes: round?.isRepeated ? undefined : spokenTimesOf(target, targetArguments),
      readArguments: (argumentContext: ArgumentContext) =>
        read(target, targetArguments, argumentContext),
    };
    return { target, request };
  }

  /**
   * A call that is cancelled meanwhile, such as while the person is asked, leaves nothing written.
   */
  async #followUpOrTakeBack(
    called: CalledOperation,
    result: OperationResult,
    context: RoundContext,
  ): Promise<OperationResult | UnansweredQuestion> {
    const results: [OperationResult, ...OperationResult[]] = [result];
    try {
      const completed = await this.#followUp(called, results, context);
      throwIfCancelled(context.signal);
      return completed;
    } catch (error) {
      // The last write first, because undo refuses what was changed later.
      if (context.signal?.aborted)
        for (const { takeBack } of results.toReversed()) await takeBack?.();
      throw error;
    }
  }

  /** Adds the results of what it runs to `results`, whose first is that of the call. */
  async #followUp(
    { operation: { tool }, target }: CalledOperation,
    results: [OperationResult, ...OperationResult[]],
    { askPerson, trace, round }: RoundContext,
  ): Promise<OperationResult | UnansweredQuestion> {
    const [result] = results;
    if (!tool?.followUp || !askPerson) return result;

    const runner = this.#runner;
    return tool.followUp(result, {
      personLang: () => runner.personLang(),
      directory: () => runner.directory(),
      summaryContext: () => runner.summaryContext(),
      askPerson,
      argumentWords: (name) => argumentWordsOf(entryOf(operationsByName, name)),
      run: async (name, fields) => {
        const operation = entryOf(operationsByName, name);
        const partResult = await this.#run(operation, fields, { trace, round });
        results.push(partResult);
        return partResult;
      },
      summarize: async ({ fullBody: body, advisories }) => {
        const context = await runner.summaryContext();
        return summarizeResult(target, { body, input: {}, advisories, context }, this.#report);
      },
    });
  }

  readRunner(context: Pick<ToolCallContext, 'trace' | 'signal'>) {
    return (operation: AnyOperation, args: unknown): Promise<OperationResult> =>
      this.#run(operation, args, context);
  }
}

/** The person may take minutes to choose a name: "20 minutes ago" stays what it was before. */
function readingAsOfFirst(): typeof readToolArguments {
  let readAt = Number.POSITIVE_INFINITY;
  return (operation, rawArguments, context) => {
    readAt = Math.min(readAt, context.now);
    return readToolArguments(operation, rawArguments, { ...context, now: readAt });
  };
}

function readIdempotencyKey(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const key = typeof value === 'number' ? String(value) : value;
  if (typeof key === 'string' && key.length >= 1 && key.length <= 255 && findNulPath(key) === null)
    return key.toWellFormed();

  throw invalidInputError(
    'invalid_body',
    say`${argument('idempotencyKey')} must be a string of 1 to 255 characters.`,
    {
      hint: say`Pass any short text that is new for this entry, or leave it out.`,
      field: 'idempotencyKey',
    },
  );
}

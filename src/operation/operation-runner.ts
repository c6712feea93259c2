import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/observer.ts';
import type { Advisory } from '../schema/advisory.ts';
import { validateArguments } from './arguments/argument-validation.ts';
import type { OperationArguments } from './arguments/tool-arguments.ts';
import type { Call, ComposedCall, OnProgress } from './call.ts';
import {
  type AnyComposedOperation,
  type AnyOperation,
  type ArgumentContext,
  type CallOperation,
  type Picture,
  withLang,
} from './operation.ts';
import { isWrite } from './operation-kind.ts';

export interface OperationRequest {
  /** As the caller sent them: an idempotency key is bound to these. */
  readonly rawArguments: Record<string, unknown>;
  /** Default: the fingerprint of the raw arguments. */
  readonly fingerprint?: string;
  readonly idempotencyKey?: string | undefined;
  readonly idempotencyKeyName?: string;
  /**
   * A person can be asked: destructive calls are refused with CONFIRMATION_REQUIRED until the
   * person confirms them.
   */
  readonly needsConfirmation?: boolean;
  readonly wantsSummary?: boolean;
  /** The surface only sends the body on: where the result has it as JSON, it has no other body. */
  readonly wantsJson?: boolean;
  /** Makes sentences of the advisories. */
  readonly wantsAdvisoryTexts?: boolean;
  /** Cancels the call and rolls back. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly trace?: CallTrace | undefined;
  readArguments(context: ArgumentContext): Promise<OperationArguments>;
}

export interface OperationResult {
  readonly body: unknown;
  /** In place of `body`, for a surface that wants it. */
  readonly json?: string | undefined;
  /** The body before `detail` shortened it. */
  readonly fullBody: unknown;
  readonly summary: string;
  readonly picture?: Picture | undefined;
  readonly advisories: readonly Advisory[];
  /** The advisories as sentences, if the request wants them. */
  readonly advisoryTexts?: readonly string[] | undefined;
  /** True if this is the stored answer of an earlier call with the same key. */
  readonly isReplay: boolean;
  /** The change that undo takes back. Null if nothing changed. */
  readonly changeId?: number | null | undefined;
}

export interface OperationRunner {
  run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult>;
  directory(trace?: CallTrace): Promise<NameDirectory>;
  summaryContext(): Promise<SummaryContext>;
  allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null>;
  /** Language of labels and default names. */
  readonly lang: Lang;
  /** Language of questions and pictures, which a person sees directly. */
  personLang(): Promise<Lang>;
  close(): Promise<void>;
}

type Fields = Record<string, unknown>;
type RunPart = (part: CallOperation, fields: Fields) => Promise<unknown>;

export function runComposed(
  operation: AnyComposedOperation,
  call: ComposedCall,
  input: Fields,
  run: RunPart,
): Promise<unknown> {
  const runPart: RunPart = async (part, fields) => {
    if (part.scope !== operation.scope || isWrite(part))
      throw new Error(`${operation.name} may not run ${part.name}`);
    return run(part, withLang(part, fields, call.lang));
  };

  const operations = Object.fromEntries(
    Object.entries(operation.parts).map(([name, part]) => [
      name,
      (fields: Fields) => runPart(part, fields),
    ]),
  );

  return operation.run(call, input, operations);
}

/** Number of probes read concurrently from a local store, which batches their queries. */
export const PROBES_AT_ONCE = 50;

/**
 * Parts share parts: the brief reads the state that its advice has just read. A composed call reads
 * one snapshot, so the same fields have the same answer. The limit covers the probes that are read
 * concurrently, because a series is large.
 */
const MAX_MEMOIZED_PARTS = 12 * PROBES_AT_ONCE;

export function memoizedParts(run: RunPart): RunPart {
  const answers = new Map<string, Promise<unknown>>();
  return (part, fields) => {
    const key = `${part.name} ${JSON.stringify(fields)}`;
    const memoized = answers.get(key);
    if (memoized !== undefined) return memoized;
    const answer = run(part, fields);
    answers.set(key, answer);
    if (answers.size > MAX_MEMOIZED_PARTS) answers.delete(answers.keys().next().value!);
    return answer;
  };
}

/** Ignores the advisories and progress of a part, which are not those of the whole. */
export const partCall = <C extends ComposedCall>(call: C): C => ({
  ...call,
  advise: () => undefined,
  onProgress: undefined,
});

/** Runs an operation and its parts in the same transaction. */
export function runWithParts(
  operation: CallOperation,
  call: Call,
  input: Fields,
): Promise<unknown> {
  const run = (each: CallOperation, ownCall: Call, fields: Fields): Promise<unknown> =>
    each.parts ? runComposed(each, ownCall, fields, runPart) : each.run(ownCall, fields);
  const runPart: RunPart = memoizedParts((part, fields) =>
    run(part, partCall(call), validateArguments(part, fields)),
  );
  return run(operation, call, input);
}

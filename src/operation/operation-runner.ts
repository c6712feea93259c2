import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/observer.ts';
import type { OperationArguments } from './arguments/operation-arguments.ts';
import type { OnProgress } from './call.ts';
import type { AnyOperation, ArgumentContext, CallOperation } from './operation.ts';
import type { OperationResult } from './operation-result.ts';
import type { SpokenTimes } from './replay/spoken-times.ts';

export interface OperationRequest {
  /** The arguments as the caller sent them. An idempotency key is bound to them. */
  readonly rawArguments: Record<string, unknown>;
  /** Default: the fingerprint of the raw arguments. */
  readonly fingerprint?: string;
  readonly idempotencyKey?: string | undefined;
  readonly idempotencyKeyName?: string;
  /**
   * The meaning of times in words, which may be another call by now although its words are the
   * same. Absent for times that are the same whenever they are read, and where the program itself
   * repeats a call.
   */
  readonly spokenTimes?: SpokenTimes | undefined;
  /** In ms, when a client of the service read what times in words mean. Stored with the key. */
  readonly wordsReadAt?: number | null;
  /**
   * True if a person can be asked and has not confirmed the call yet: a destructive call is then
   * refused with CONFIRMATION_REQUIRED.
   */
  readonly needsConfirmation?: boolean;
  /** True for the call of a tool by a client of the service. */
  readonly isToolCall?: boolean;
  /** True if a person was asked and confirmed it. */
  readonly isConfirmed?: boolean;
  /** The batch is stored in one transaction, together with the evaluation of its alerts. */
  readonly isSmallBatch?: boolean;
  readonly wantsSummary?: boolean;
  /** The channel only passes the body on. If the result has `json`, its `body` may be undefined. */
  readonly wantsJson?: boolean;
  /** The result also has the advisories as sentences. */
  readonly wantsAdvisoryTexts?: boolean;
  /** Cancels the call and rolls back. */
  readonly signal?: AbortSignal | undefined;
  /** The operation that undoes a change. It runs if the call is cancelled after its commit. */
  readonly undo?: CallOperation | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly trace?: CallTrace | undefined;
  readArguments(context: ArgumentContext): Promise<OperationArguments>;
}

export interface OperationRunner {
  run(operation: AnyOperation, request: OperationRequest): Promise<OperationResult>;
  directory(trace?: CallTrace): Promise<NameDirectory>;
  summaryContext(): Promise<SummaryContext>;
  /** The names of those that the caller may run; null if nothing is excluded. */
  allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null>;
  /** Language of labels and default names. */
  readonly lang: Lang;
  /** Language of questions and pictures, which a person sees directly. */
  personLang(): Promise<Lang>;
  close(): Promise<void>;
}

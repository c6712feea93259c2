import type { Lang } from '../domain/lang.ts';
import type { NameDirectory } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/call-trace.ts';
import type { NoteOrText } from '../schema/note.ts';
import type { OnStep } from './call.ts';
import type { AnyOperation, Picture } from './operation.ts';
import type { ArgumentContext, OperationArguments } from './tool-arguments.ts';

export interface OperationRequest {
  /** As the client sent them, ids included: an idempotency key is bound to these. */
  readonly rawArguments: Record<string, unknown>;
  readonly idempotencyKey?: string | undefined;
  /** What the surface calls that key. Default: idempotencyKey. */
  readonly idempotencyKeyName?: string;
  /** False leaves the summary empty, at no cost. */
  readonly wantsSummary?: boolean;
  /** Renders the notes as sentences in the caller's language. */
  readonly wantsNoteTexts?: boolean;
  /** Cancels the call and undoes what it wrote. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  readonly trace?: CallTrace | undefined;
  /** Called once the caller and the company are known. */
  readArguments(context: ArgumentContext): Promise<OperationArguments>;
}

export interface OperationResult {
  readonly body: unknown;
  readonly summary: string;
  /** Sent instead of the body by an operation that draws. */
  readonly picture?: Picture | undefined;
  /** What the summary says beyond the body, in order. */
  readonly notes: readonly NoteOrText[];
  /** The answer is the stored one of an earlier call with the same key. */
  readonly isReplay: boolean;
}

/** Runs operations on the store of this process or against a remote service. */
export interface Performer {
  perform(operation: AnyOperation, request: OperationRequest): Promise<OperationResult>;
  /** Names for completion that the caller may list. */
  directory(trace?: CallTrace): Promise<NameDirectory>;
  /** Operations that the caller may be offered; null for all. */
  allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null>;
  lang(): Promise<Lang>;
  close(): Promise<void>;
}

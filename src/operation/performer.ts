import type { Lang } from '../domain/lang.ts';
import type { NameDirectory } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/call-trace.ts';
import type { NoteOrText } from '../schema/note.ts';
import type { OnStep } from './call.ts';
import type { AnyOperation, Picture } from './operation.ts';
import type { ArgumentContext, OperationArguments } from './tool-arguments.ts';

/** A request for one operation, whatever surface it came in by. */
export interface OperationRequest {
  /** The arguments as the client gave them, ids included: what an idempotency key is bound to. */
  readonly rawArguments: Record<string, unknown>;
  readonly idempotencyKey?: string | undefined;
  /** What the surface calls that key, for who is told of it; idempotencyKey where it is left out. */
  readonly idempotencyKeyName?: string;
  /** False where nobody hears the summary: it is left empty, and costs nothing. */
  readonly wantsSummary?: boolean;
  /** True where the notes of the answer are to be sentences in the caller's language. */
  readonly wantsNoteTexts?: boolean;
  /** Aborted once nobody waits for the answer any longer: the call ends, and what it wrote is undone. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far a call has come that looks at many things one by one. */
  readonly onStep?: OnStep | undefined;
  /** Followed where it is given. */
  readonly trace?: CallTrace | undefined;
  /** Reads the arguments; called once who asks and for which company is known. */
  readArguments(context: ArgumentContext): Promise<OperationArguments>;
}

export interface OperationResult {
  /** The endpoint's response body. */
  readonly body: unknown;
  readonly summary: string;
  /** What an operation that draws answers with in place of the body. */
  readonly picture?: Picture | undefined;
  /** What the summary says beyond the body, in the order in which it was noticed. */
  readonly notes: readonly NoteOrText[];
  /** True when the answer is the stored one of an earlier call under the same key. */
  readonly isReplay: boolean;
}

/** Runs operations: on the store of this process, or against a remote service. */
export interface Performer {
  perform(operation: AnyOperation, request: OperationRequest): Promise<OperationResult>;
  /** Names for completion: those that the caller may list. */
  directory(trace?: CallTrace): Promise<NameDirectory>;
  /** Names of those operations that the caller may be offered; null where nothing narrows them. */
  allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null>;
  /** What the caller hears. */
  lang(): Promise<Lang>;
  close(): Promise<void>;
}

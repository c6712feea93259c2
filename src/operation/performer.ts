import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import type { CallTrace } from '../observe/observer.ts';
import type { NoteOrText } from '../schema/note.ts';
import type { OperationArguments } from './arguments/tool-arguments.ts';
import type { OnStep } from './call.ts';
import type { AnyOperation, ArgumentContext, Picture } from './operation.ts';

export interface OperationRequest {
  /** As the caller sent them: an idempotency key is bound to these. */
  readonly rawArguments: Record<string, unknown>;
  /** Default: of the raw arguments. */
  readonly fingerprint?: string;
  readonly idempotencyKey?: string | undefined;
  readonly idempotencyKeyName?: string;
  /** A person can be asked: what destroys is refused with CONFIRMATION_REQUIRED until they confirmed it. */
  readonly needsConfirmation?: boolean;
  readonly wantsSummary?: boolean;
  /** Renders notes in the caller's language. */
  readonly wantsNoteTexts?: boolean;
  /** Cancels the call and rolls back. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
  readonly trace?: CallTrace | undefined;
  readArguments(context: ArgumentContext): Promise<OperationArguments>;
}

export interface OperationResult {
  readonly body: unknown;
  /** The body of the endpoint, also where `detail` shortened the answer. */
  readonly fullBody: unknown;
  readonly summary: string;
  readonly picture?: Picture | undefined;
  readonly notes: readonly NoteOrText[];
  /** Stored answer of an earlier call with the same key. */
  readonly isReplay: boolean;
  /** Of a write: by it, undo takes the write back. Null if nothing changed. */
  readonly changeId?: number | null | undefined;
}

export interface Performer {
  perform(operation: AnyOperation, request: OperationRequest): Promise<OperationResult>;
  directory(trace?: CallTrace): Promise<NameDirectory>;
  summaryContext(): Promise<SummaryContext>;
  allowedOperations(all: Iterable<AnyOperation>): Promise<ReadonlySet<string> | null>;
  /** Of summaries, labels and default names. */
  readonly lang: Lang;
  /** Of what is shown to a person as it is: questions and pictures. */
  personLang(): Promise<Lang>;
  close(): Promise<void>;
}

import type { Lang } from '../domain/lang.ts';
import type { Directory } from './directory.ts';
import type { AnyOperation } from './operation.ts';
import type { UnderstandingContext, Understood } from './tool-arguments.ts';

/** A request for one operation, whatever surface it came in by. */
export interface Ask {
  /** The arguments as the client gave them, ids included: what an idempotency key is bound to. */
  readonly given: Record<string, unknown>;
  readonly idempotencyKey?: string | undefined;
  /** Reads the arguments; called once who asks and for which company is known. */
  understand(context: UnderstandingContext): Promise<Understood>;
}

export interface Performed {
  /** The endpoint's response body. */
  readonly body: unknown;
  readonly summary: string;
  /** True when the answer is the stored one of an earlier call under the same key. */
  readonly replayed: boolean;
}

/** Runs operations: on the store of this process, or against a remote service. */
export interface Performer {
  perform(described: AnyOperation, ask: Ask): Promise<Performed>;
  /** Names for completion, as the caller may see them. */
  directory(): Promise<Directory>;
  readonly lang: Lang;
  close(): Promise<void>;
}

import type { LongRead, LongReadAnswer } from '../../operation/reads/long-reads.ts';
import type { Problem } from '../../schema/error.ts';

/** A worker runs one read at a time. */
export type WorkerRequest =
  | { readonly kind: 'read'; readonly read: LongRead }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'close' };

export type WorkerReply =
  | { readonly kind: 'answer'; readonly answer: LongReadAnswer }
  | { readonly kind: 'refusal'; readonly problem: Problem }
  | { readonly kind: 'cancelled' }
  /** An unexpected error, with its stack. */
  | { readonly kind: 'failure'; readonly error: Error };

export interface WorkerSettings {
  readonly db: string;
}

import type { UnreadReason } from '../../../domain/ingest/unread-reason.ts';

/** Values of one sender that a message names, and that are left out for one reason. */
export interface Refusal {
  /** The device or module. */
  readonly sender: string;
  readonly reason: UnreadReason;
  readonly count: number;
}

export class MessageRefusals {
  readonly #byKey = new Map<string, Refusal>();

  get list(): readonly Refusal[] {
    return [...this.#byKey.values()];
  }

  /** How many different ones there are. */
  get kindCount(): number {
    return this.#byKey.size;
  }

  add(sender: string, reason: UnreadReason): void {
    const key = JSON.stringify([sender, reason.text]);
    const count = (this.#byKey.get(key)?.count ?? 0) + 1;
    this.#byKey.set(key, { sender, reason, count });
  }
}

export const refusedCount = (refusals: readonly Refusal[]): number =>
  refusals.reduce((sum, { count }) => sum + count, 0);

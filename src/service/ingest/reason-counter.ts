import type { Rejection } from '../../language/ingest/import-report.ts';
import type { RejectionReason } from '../../schema/ingest/rejection.ts';

export interface ReasonCount {
  readonly reason: RejectionReason;
  readonly count: number;
}

/** Counts why rows were rejected. */
export class ReasonCounter {
  readonly #counts = new Map<string, { readonly reason: RejectionReason; count: number }>();

  add(rejections: readonly Rejection[]): void {
    for (const { reason } of rejections) this.#addCount(reason, 1);
  }

  addCounts(counts: readonly ReasonCount[]): void {
    for (const { reason, count } of counts) this.#addCount(reason, count);
  }

  mostFrequentFirst(): ReasonCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  #addCount(reason: RejectionReason, count: number): void {
    const key = typeof reason === 'string' ? reason : reason.text;
    const counted = this.#counts.get(key);
    if (counted === undefined) this.#counts.set(key, { reason, count });
    else counted.count += count;
  }
}

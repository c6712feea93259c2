import type { SparklineCurve } from '../../domain/advice/farm/sparkline.ts';
import type { ProbeFacts, ProbeSeries } from '../../domain/facts/probe-facts.ts';

/** What follows from the readings of a probe and the rows that describe it. */
export interface MeasuredFacts
  extends Pick<ProbeFacts, 'freshness' | 'recent' | 'missingShare' | 'dryingRate' | 'state'> {
  /** Null without soil moisture. */
  readonly sparkline: SparklineCurve | null;
}

/** The facts, and the last instant at which the same rows give the same ones. */
export interface DatedFacts {
  readonly facts: MeasuredFacts;
  readonly computedAt: number;
  readonly validUntil: number;
}

/** Points of curves that are kept in all; each takes some 50 bytes. */
const MAX_POINTS = 400_000;

const pointsOf = ({ depths, curve }: ProbeSeries): number =>
  curve.length + depths.reduce((sum, { points }) => sum + points.length, 0);

/**
 * Measured facts under a key that says all rows on which they depend. Those that were used last are
 * kept, as long as they fit into the memory.
 */
class KeptFacts {
  /** In the order of their last use. */
  readonly #kept = new Map<string, DatedFacts>();
  #points = 0;

  get(key: string, now: number): MeasuredFacts | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.computedAt <= now && now <= kept.validUntil ? kept.facts : undefined;
  }

  keep(key: string, dated: DatedFacts): void {
    this.#forget(key);
    if (dated.validUntil < dated.computedAt) return;
    this.#kept.set(key, dated);
    this.#points += pointsOf(dated.facts.recent);
    for (const [oldest] of this.#kept) {
      if (this.#points <= MAX_POINTS) return;
      this.#forget(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#points = 0;
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#points -= pointsOf(kept.facts.recent);
  }
}

/** One for the process: versions of rows differ between companies and stores. */
export const keptFacts = new KeptFacts();

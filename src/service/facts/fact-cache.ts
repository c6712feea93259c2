import type { SparklineCurve } from '../../domain/advice/farm/sparkline.ts';
import type { MeasuredFacts } from '../../domain/advice/probe/probe-assembly.ts';

/** Includes what the page draws of the same readings. */
export interface CachedFacts extends MeasuredFacts {
  /** Null without soil moisture. */
  readonly sparkline: SparklineCurve | null;
}

/** The facts, and the last instant at which the same rows give the same ones. */
export interface DatedFacts {
  readonly facts: CachedFacts;
  readonly computedAt: number;
  readonly validUntil: number;
}

interface Entry extends DatedFacts {
  /** Says all rows on which the facts depend. */
  readonly version: string;
}

/** Points of curves that are kept in all; each takes some 50 bytes. */
const MAX_POINTS = 600_000;
/** The size of the rest of an entry, as points. */
const POINTS_OF_REST = 80;

const sizeOf = ({ facts: { recent, sparkline } }: DatedFacts): number =>
  POINTS_OF_REST +
  recent.curve.length +
  (sparkline?.curve.length ?? 0) +
  recent.depths.reduce((sum, { points }) => sum + points.length, 0);

/**
 * The newest measured facts of each probe. Those that were used last are kept, as long as they fit
 * into the memory.
 */
class FactCache {
  /** By probe, in the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  get(probe: string, version: string, now: number): CachedFacts | undefined {
    const entry = this.#entries.get(probe);
    if (entry?.version !== version || now < entry.computedAt || now > entry.validUntil)
      return undefined;
    this.#entries.delete(probe);
    this.#entries.set(probe, entry);
    return entry.facts;
  }

  set(probe: string, version: string, dated: DatedFacts): void {
    this.#delete(probe);
    this.#entries.set(probe, { ...dated, version });
    this.#size += sizeOf(dated);
    for (const [oldest] of this.#entries) {
      if (this.#size <= MAX_POINTS) return;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #delete(probe: string): void {
    const entry = this.#entries.get(probe);
    if (entry === undefined) return;
    this.#entries.delete(probe);
    this.#size -= sizeOf(entry);
  }
}

/** One for the process: the versions of rows differ between companies and stores. */
export const factCache = new FactCache();

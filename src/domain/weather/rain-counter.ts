import { roundAmount } from '../decimal.ts';
import { itemAt } from '../items.ts';

/** How many totals in a row may be wrong and still be corrected by those after them. */
const MAX_WRONG_TOTALS = 2;

interface RunningTotal {
  readonly at: number;
  readonly mm: number;
}

/** The rain between two totals. */
export interface CountedRain {
  readonly at: number;
  /** The instant of the total before; null for the first one. */
  readonly since: number | null;
  readonly mm: number;
}

interface CountedTotal extends RunningTotal {
  readonly since: number | null;
  readonly countedMm: number;
}

/** A gauge that counts all rain since it was started, and starts again from 0 at times. */
export interface RainCounter {
  /** Its newest totals, oldest first, without those that later ones showed to be wrong. */
  readonly totals: readonly CountedTotal[];
}

/**
 * Counts what fell since the total before. A total may show that earlier ones were wrong: what they
 * counted comes first, as 0. Null for a total that is not newer: what fell until then is in a later
 * one.
 */
export function countTotal(
  counter: RainCounter | null,
  { at, mm }: RunningTotal,
): { readonly rain: readonly CountedRain[]; readonly counter: RainCounter } | null {
  const totals = counter?.totals ?? [];
  const last = totals.at(-1);
  // How much fell until the first total is not known.
  if (last === undefined) return countedFrom([], [], { at, mm, since: null, countedMm: 0 });
  if (at <= last.at) return null;

  const wrongCount = wrongTotals(totals, mm);
  const right = totals.slice(0, totals.length - wrongCount);
  const wrong = totals.slice(right.length);
  const fallen = wrongCount > 0 ? mm - itemAt(right, right.length - 1).mm : fallenSince(last, mm);
  return countedFrom(right, wrong, { at, mm, since: last.at, countedMm: roundAmount(fallen) });
}

function countedFrom(
  right: readonly CountedTotal[],
  wrong: readonly CountedTotal[],
  newest: CountedTotal,
) {
  const { at, since, countedMm } = newest;
  const corrections = wrong.flatMap((total) =>
    total.countedMm === 0 ? [] : [{ at: total.at, since: total.since, mm: 0 }],
  );
  return {
    rain: [...corrections, { at, since, mm: countedMm }],
    counter: { totals: [...right, newest].slice(-MAX_WRONG_TOTALS - 1) },
  };
}

/** A gauge that starts again shows little; one that shows somewhat less did not measure rain. */
function fallenSince(last: RunningTotal, mm: number): number {
  if (mm >= last.mm) return mm - last.mm;
  return mm <= last.mm / 2 ? mm : 0;
}

/** Counts the last totals that a new one shows to be wrong. */
function wrongTotals(totals: readonly RunningTotal[], mm: number): number {
  for (let count = 1; count <= MAX_WRONG_TOTALS && count < totals.length; count++) {
    const before = itemAt(totals, totals.length - count - 1).mm;
    const between = totals.slice(-count).map((total) => total.mm);
    if (isBackUp(before, between, mm) || isBackDown(before, between, mm)) return count;
  }
  return 0;
}

/** After one low total any higher one shows that it was wrong; after two, one near that before. */
function isBackUp(before: number, between: readonly number[], mm: number): boolean {
  if (mm < before || between.some((low) => low >= before)) return false;
  return between.length === 1 || mm - before < (mm - Math.max(...between)) / 2;
}

/** A gauge that started again would hardly show just what it showed before it rose. */
const isBackDown = (before: number, between: readonly number[], mm: number): boolean =>
  mm >= before && mm < 2 * before && between.every((high) => high > mm);

type StoredCounter = RainCounter | RunningTotal;

/** Earlier versions stored the newest total alone. */
export function parseRainCounter(text: string): RainCounter {
  const stored: StoredCounter = JSON.parse(text);
  if ('totals' in stored) return stored;
  return { totals: [{ at: stored.at, mm: stored.mm, since: null, countedMm: 0 }] };
}

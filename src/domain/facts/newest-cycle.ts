import { itemAt } from '../items.ts';
import type { SeriesRows } from '../moisture/bucket-means.ts';
import {
  certainCycleStart,
  samplingCyclesInSteps,
  settledCycles,
} from '../moisture/sampling-cycles.ts';
import { NO_READINGS, type ReadingColumns, withoutDropouts } from '../moisture/sensor-readings.ts';
import { type SummaryCurve, weightedMeans } from '../moisture/summary-curve.ts';
import { HOUR_MS } from '../periods.ts';

/** The last readings of a sensor, oldest first. */
export interface LastValues {
  readonly at: readonly number[];
  readonly values: readonly number[];
  /** There is no earlier reading. */
  readonly isWhole: boolean;
}

export interface NewestCycle {
  readonly cycle: SeriesRows;
  /** When a later cycle will settle, even without another reading; null if none is waiting. */
  readonly nextSettlesAt: number | null;
}

/** Only cycles this close to the newest reading count. */
export const NEWEST_WITHIN_MS = 25 * HOUR_MS;

/**
 * The newest settled cycle with a value, as it would be found in all readings. Null without
 * readings; undefined where these readings do not reach far enough back to tell. `sensors` has an
 * entry for each sensor of the curve.
 */
export function newestCycleOf(
  curve: SummaryCurve,
  sensors: readonly LastValues[],
  now: number,
): NewestCycle | null | undefined {
  const isUsed = (index: number): boolean => itemAt(curve.weights, index) > 0;
  const used = sensors.filter((_, index) => isUsed(index));
  const newestAt = Math.max(...used.map(({ at }) => at.at(-1) ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newestAt)) return null;

  // The first reading of an incomplete list serves as the one before.
  const knownFrom = Math.max(
    ...used.map(({ at, isWhole }) => (isWhole ? Number.NEGATIVE_INFINITY : itemAt(at, 1))),
  );
  const columns = sensors.map((sensor, index) =>
    isUsed(index) ? withoutDropouts(columnsFrom(sensor, knownFrom)) : NO_READINGS,
  );
  const cycles = finish(samplingCyclesInSteps(columns));
  const { isSettled, nextAt } = settledCycles(cycles, columns, now);
  const values = weightedMeans(curve, cycles.means, { from: 0, to: cycles.at.length });
  const row = cycles.at.findLastIndex(
    (_, index) => isSettled[index] === true && !Number.isNaN(itemAt(values, index)),
  );

  const at = cycles.at[row];
  if (at === undefined || at < newestAt - NEWEST_WITHIN_MS) return undefined;
  const isCertain =
    knownFrom === Number.NEGATIVE_INFINITY || certainCycleStart(columns, knownFrom, at) !== null;
  return isCertain
    ? {
        cycle: { at: [at], means: cycles.means.map((means) => [itemAt(means, row)]) },
        nextSettlesAt: nextAt,
      }
    : undefined;
}

function columnsFrom({ at, values }: LastValues, from: number): ReadingColumns {
  const found = at.findIndex((instant) => instant >= from);
  const first = found < 0 ? at.length : found;
  return {
    before: first === 0 ? null : { at: itemAt(at, first - 1), value: itemAt(values, first - 1) },
    at: at.slice(first),
    value: values.slice(first),
  };
}

function finish<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

import { roundTo } from '../decimal.ts';

interface DoseSums {
  readonly moduleId: number;
  readonly count: number;
  readonly withoutDose: number;
  readonly waterMm: number | null;
  readonly waterMmWetted: number | null;
}

interface RunSums {
  readonly irrigations: number;
  readonly minutes: number | null;
  readonly withoutDuration: number;
  readonly volumeM3: number | null;
  readonly withoutVolume: number;
}

/** A sum of doses with a thousandth of a millimetre, as each has, is free of floating-point noise. */
const DECIMALS = 3;
const HOURS_DECIMALS = 2;

const roundOrNull = (value: number | null): number | null => (value === null ? null : roundTo(value, DECIMALS));

/** Null where no probe has a figure. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : roundTo(known.reduce((sum, each) => sum + each, 0) / known.length, DECIMALS);
}

/** Millimetres of two probes are depths on two areas and do not add up: `waterMm` is the mean of what each probe got. */
export function totalWaterings(modules: readonly DoseSums[], runs: RunSums | undefined) {
  const sum = (field: 'count' | 'withoutDose'): number => modules.reduce((total, each) => total + each[field], 0);
  return {
    waterings: sum('count'),
    withoutDose: sum('withoutDose'),
    waterMm: meanOf(modules.map(({ waterMm }) => waterMm)),
    waterMmWetted: meanOf(modules.map(({ waterMmWetted }) => waterMmWetted)),
    irrigations: runs?.irrigations ?? 0,
    hours: runs?.minutes == null ? null : roundTo(runs.minutes / 60, HOURS_DECIMALS),
    withoutDuration: runs?.withoutDuration ?? 0,
    volumeM3: roundOrNull(runs?.volumeM3 ?? null),
    withoutVolume: runs?.withoutVolume ?? 0,
    modules: modules.length,
  };
}

export const totalsByModule = (modules: readonly DoseSums[]) =>
  modules.map(({ moduleId, count, withoutDose, waterMm, waterMmWetted }) => ({
    moduleId,
    waterings: count,
    withoutDose,
    waterMm: roundOrNull(waterMm),
    waterMmWetted: roundOrNull(waterMmWetted),
  }));

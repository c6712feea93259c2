import { roundAmountOrNull } from '../../decimal.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { DAY_MS } from '../../periods.ts';
import type { ProbeAdvice } from '../advice.ts';
import { FORESEEABLE_DAYS } from '../watering-advice.ts';

const DEFAULT_AHEAD_DAYS = 7;

/**
 * Sums up the waterings that are running and those planned until the day of stress. That day counts
 * as at least a day and at most two weeks ahead, and as a week ahead if it is unknown.
 */
export function planUntilStress(
  waterings: readonly WateringFacts[],
  daysToStress: number | null,
  now: number,
): ProbeAdvice['planned'] {
  const aheadDays = Math.min(FORESEEABLE_DAYS, Math.max(1, daysToStress ?? DEFAULT_AHEAD_DAYS));
  const until = Math.round(now + aheadDays * DAY_MS);
  const planned = waterings.filter(
    (watering) =>
      watering.status === 'planned' &&
      watering.startedAt < until &&
      (watering.startedAt > now || runPeriod(watering).end > now),
  );

  return {
    until,
    count: planned.length,
    waterMm: roundAmountOrNull(sumDoses(planned.map(({ waterMm }) => roundAmountOrNull(waterMm)))),
    nextAt: planned[0]?.startedAt ?? null,
  };
}

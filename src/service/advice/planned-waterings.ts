import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { roundAmountOrNull } from '../../domain/decimal.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import { toIso } from '../wire-format.ts';
import { runPeriod } from './operation-reads.ts';

const DEFAULT_AHEAD_DAYS = 7;

/**
 * Sums up the waterings that are running and those planned until the day of stress. That day counts
 * as at least a day and at most two weeks ahead, and as a week ahead if it is unknown.
 */
export async function planUntilStress(
  now: number,
  wateringsIn: (period: { from: number; to: number; status: 'planned' }) => Promise<WateringBody[]>,
  daysToStress: number | null,
  startedPlanned: readonly WateringBody[],
): Promise<AdviceBody['planned']> {
  const aheadDays = Math.min(FORESEEABLE_DAYS, Math.max(1, daysToStress ?? DEFAULT_AHEAD_DAYS));
  const until = Math.round(now + aheadDays * DAY_MS);
  const running = startedPlanned.filter((watering) => runPeriod(watering).end > now);
  const upcoming = await wateringsIn({ from: now + 1, to: until, status: 'planned' });
  const planned = [...running, ...upcoming];

  return {
    until: toIso(until),
    count: planned.length,
    waterMm: roundAmountOrNull(sumDoses(planned.map(({ waterMm }) => waterMm))),
    nextAt: planned[0]?.startedAt ?? null,
  };
}

import { FAR_DAYS } from '../../domain/advice/watering-advice.ts';
import { sumDoses } from '../../domain/irrigation/dose.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { AdviceBody } from '../../schema/advice.ts';
import type { WateringBody } from '../../schema/watering.ts';
import { roundAmountOrNull, toIso } from '../wire-format.ts';
import { runPeriod } from './operation-reads.ts';

const DEFAULT_AHEAD_DAYS = 7;

/** The waterings that are running, and those planned until the day of stress, from tomorrow to two weeks ahead. */
export async function plannedWateringsUntil(
  now: number,
  wateringsIn: (period: { from: number; to: number; status: 'planned' }) => Promise<WateringBody[]>,
  days: number | null,
  startedPlanned: readonly WateringBody[],
): Promise<AdviceBody['planned']> {
  const aheadDays = Math.min(FAR_DAYS, Math.max(1, days ?? DEFAULT_AHEAD_DAYS));
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

import { roundAmount, roundAmountOrNull, roundTo } from '../../decimal.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { LocalDay } from '../../local-day.ts';
import { NO_AMOUNTS, type WateringAdvice } from '../advice.ts';
import { inOrder, type Reason, reasonWith } from '../reason.ts';
import { splitByDay } from '../watering-advice.ts';
import { MINUTE_DECIMALS } from './water-amounts.ts';

/**
 * The advice less what is still planned for today. While a watering runs, or where the dose of one
 * is unknown, nothing is advised.
 */
export function withoutPlannedToday<Advice extends WateringAdvice>(
  advice: Advice,
  waterings: readonly WateringFacts[],
  { now, zone }: { readonly now: number; readonly zone: string },
): Advice {
  if (advice.waterMm === null || advice.waterMm === 0) return advice;

  const endOfToday = LocalDay.at(now, zone).next().startIn(zone);
  const due = waterings.filter(
    (watering) =>
      watering.status !== 'skipped' &&
      watering.startedAt < endOfToday &&
      runPeriod(watering).end > now,
  );
  if (due.length === 0) return advice;
  if (due.some(({ startedAt }) => startedAt <= now))
    return waitFor(advice, { kind: 'WATERING_RUNS' });

  const plannedMm = sumDoses(due.map(({ waterMm }) => roundAmountOrNull(waterMm)));
  return plannedMm === null
    ? waitFor(advice, { kind: 'PLANNED_DOSE_UNKNOWN' })
    : takeOff(advice, { waterMm: advice.waterMm, plannedMm });
}

function waitFor<Advice extends WateringAdvice>(advice: Advice, reason: Reason): Advice {
  // What runs now is no recent watering yet.
  const others = advice.reasons.filter(({ kind }) => kind !== 'RECENT_WATERING');
  return { ...advice, ...NO_AMOUNTS, reasons: inOrder([...others, reason]) };
}

function takeOff<Advice extends WateringAdvice>(
  advice: Advice,
  { waterMm, plannedMm }: { readonly waterMm: number; readonly plannedMm: number },
): Advice {
  const { netMm, durationMin, volumeM3, settings } = advice;
  const share = Math.max(0, waterMm - plannedMm) / waterMm;
  const shareOf = (amount: number | null): number | null =>
    amount === null ? null : roundAmount(amount * share);
  const minutes = durationMin === null ? null : roundTo(durationMin * share, MINUTE_DECIMALS);
  const split =
    minutes === null || settings === null ? null : splitByDay(minutes, settings.hoursPerDay);

  return {
    ...advice,
    netMm: shareOf(netMm),
    waterMm: shareOf(waterMm),
    durationMin: minutes,
    volumeM3: shareOf(volumeM3),
    daily: split && { ...split, minutesPerDay: roundTo(split.minutesPerDay, MINUTE_DECIMALS) },
    reasons: inOrder([
      ...advice.reasons.filter(({ kind }) => kind !== 'LONGER_THAN_A_DAY'),
      reasonWith('PLANNED_TODAY', { plannedMm: Math.min(plannedMm, waterMm) }),
      ...(split !== null && split.days > 1 ? [reasonWith('LONGER_THAN_A_DAY', {})] : []),
    ]),
  };
}

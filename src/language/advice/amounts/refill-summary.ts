import { FORESEEABLE_DAYS } from '../../../domain/advice/watering-advice.ts';
import type { WateringDecision } from '../../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../../domain/items.ts';
import { civilAt } from '../../../domain/time-zone.ts';
import type { AdviceBody } from '../../../schema/advice/advice.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatEstimate,
  formatMinutes,
  formatNumber,
} from '../../number-format.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { advicePhrases } from '../advice-phrases.ts';
import { describeRunoff } from './runoff-summary.ts';

/** What an advice gives for a probe, or for a parcel without one. */
export type AdvisedAmounts = Pick<
  AdviceBody,
  | 'reasons'
  | 'deficitMm'
  | 'settings'
  | 'netMm'
  | 'waterMm'
  | 'durationMin'
  | 'volumeM3'
  | 'daily'
  | 'fractionWetted'
  | 'takenOffMm'
  | 'runoff'
  | 'usualRoots'
  | 'daysToStress'
> &
  Partial<Pick<AdviceBody, 'tension'>>;

export function describeRefill(
  advice: AdvisedAmounts,
  decision: WateringDecision | null,
  context: SummaryContext,
): string[] {
  const { waterMm, reasons } = advice;
  if (waterMm === null) return [];
  if (waterMm === 0 && advice.takenOffMm !== undefined) return [advicePhrases.plannedSuffices];
  if (waterMm === 0) return [advicePhrases.rainSuffices(reasons.includes('EXPECTED_RAIN'))];

  const refillPercent = advice.settings?.refillPercent ?? 100;
  const isDue = decision === 'water';
  const isLater = decision === 'wait' || decision === 'enough';
  const refill = advicePhrases.refill({
    percent: refillPercent === 100 ? null : formatNumber(refillPercent),
    amount: describeAdvisedAmount(waterMm, advice),
    losses: describeLosses(advice),
    isDue,
    isLater,
  });
  return [refill, ...(isLater ? [] : describeDays(advice, context)), ...describeManner(advice)];
}

/** How to give the amount so that no water runs off, and what of it is already planned. */
function describeManner({ runoff, takenOffMm }: AdvisedAmounts): string[] {
  return withoutNulls([
    takenOffMm === undefined ? null : advicePhrases.beyondPlanned(formatAmount(takenOffMm)),
    runoff === undefined ? null : describeRunoff(runoff),
  ]);
}

/** Null if the whole dose is for the roots. */
function describeLosses({ netMm, waterMm, settings }: AdvisedAmounts) {
  if (!settings || netMm === null || netMm === waterMm) return null;
  const { efficiencyPercent, leachingPercent } = settings;
  return {
    netMm: formatEstimate(netMm),
    efficiency: efficiencyPercent === 100 ? null : formatNumber(efficiencyPercent),
    leaching: leachingPercent === 0 ? null : formatNumber(leachingPercent),
  };
}

const NOON = 12;
/** A watering that takes longer does not fit into a night. */
const NIGHT_MIN = 12 * 60;

function describeDays(
  { daily, settings }: AdvisedAmounts,
  { now, zone }: SummaryContext,
): string[] {
  if (!settings || !daily || daily.days === 1) return [];

  const { days, minutesPerDay } = daily;
  const isToday = civilAt(now, zone).hour < NOON || minutesPerDay > NIGHT_MIN;
  return [
    advicePhrases.split(
      settings.hoursPerDay === 24 ? null : formatMinutes(60 * settings.hoursPerDay),
      formatAdvisedMinutes(minutesPerDay),
      isToday,
      days > FORESEEABLE_DAYS ? null : days - 1,
    ),
  ];
}

/** "2 h 45 min, 27 mm over the whole area, 274 m3". */
function describeAdvisedAmount(waterMm: number, { durationMin, volumeM3 }: AdvisedAmounts): string {
  return withoutNulls([
    durationMin === null ? null : formatAdvisedMinutes(durationMin),
    advicePhrases.wholeArea(formatEstimate(waterMm)),
    volumeM3 === null ? null : `${formatEstimate(volumeM3)} m3`,
  ]).join(', ');
}

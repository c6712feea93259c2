import type { ProbeAdvice, WateringAdvice } from './advice.ts';
import { needsWaterToday } from './farm/water-need.ts';
import { isResting, reasonOf } from './reason.ts';
import { checkFor, withholdsAmount } from './reason-kinds.ts';

/**
 * `water` or `wait`; `enough` where rain or what is planned for today suffices; `unknown` where no
 * day of stress can be forecast.
 */
export type WateringDecision = 'water' | 'wait' | 'enough' | 'unknown';

/** Its amount is less what is planned for today. */
type DecisiveAdvice = Pick<
  WateringAdvice,
  'reasons' | 'daysToStress' | 'turn' | 'waterMm' | 'daily'
>;

const URGENCY: readonly (WateringDecision | null)[] = ['water', null, 'unknown', 'wait', 'enough'];

type ComparedAdvice = DecisiveAdvice & Pick<ProbeAdvice, 'at'>;

/**
 * Orders advices: water first, then what is in doubt, then what can wait, the driest first. Nothing
 * is known of the last.
 */
export function compareUrgency(a: ComparedAdvice, b: ComparedAdvice): number {
  const urgencyOf = (advice: ComparedAdvice): number => {
    if (isResting(advice)) return URGENCY.length;
    if (advice.at === null) return URGENCY.length + 1;
    return URGENCY.indexOf(wateringDecision(advice));
  };
  const daysOf = ({ daysToStress }: ComparedAdvice): number =>
    daysToStress ?? Number.POSITIVE_INFINITY;
  return urgencyOf(a) - urgencyOf(b) || Math.sign(daysOf(a) - daysOf(b)) || 0;
}

/**
 * Whether to water now, by the rule of the morning brief. Null where no amount is given, or
 * something is to be checked before watering.
 */
export function wateringDecision(advice: DecisiveAdvice): WateringDecision | null {
  const { reasons, daysToStress, turn, waterMm, daily } = advice;
  if (reasons.some(withholdsAmount)) return null;

  const takenOffMm = reasonOf(reasons, 'PLANNED_TODAY')?.plannedMm ?? 0;
  const need = { waterMm: waterMm === null ? null : waterMm + takenOffMm, daysToStress, turn };
  const needsWater = waterMm !== 0 && needsWaterToday(need, [takenOffMm], daily?.days);
  const isDry = needsWater || turn?.isLate === true;
  if (checkFor(reasons, isDry) !== null) return null;
  if (needsWater) return 'water';

  if (waterMm === 0) return 'enough';
  if (daysToStress === null) return 'unknown';
  return daysToStress > 1 || turn !== undefined ? 'wait' : 'enough';
}

/** The same of a parcel that no probe measures, where the balance is not the second best. */
export const decisionByBalance = (advice: DecisiveAdvice): WateringDecision | null =>
  wateringDecision({
    ...advice,
    reasons: advice.reasons.filter(({ kind }) => kind !== 'BY_BALANCE'),
  });

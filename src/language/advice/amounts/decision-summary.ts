import type { WateringAdvice } from '../../../domain/advice/advice.ts';
import type { Reason } from '../../../domain/advice/reason.ts';
import { attributesOf } from '../../../domain/advice/reason-kinds.ts';
import { comesRarely } from '../../../domain/advice/turn-decision.ts';
import type { WateringDecision } from '../../../domain/advice/watering-decision.ts';
import { daysUntil } from '../../../domain/text/figures.ts';
import { say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { stressBeforeWater } from '../turn-summary.ts';

/** Answers whether to water, of a probe or a parcel. */
export function describeDecision(
  decision: WateringDecision,
  target: Text,
  { daysToStress, reasons, turn }: Pick<WateringAdvice, 'daysToStress' | 'reasons' | 'turn'>,
): Text {
  if (decision === 'enough') return say`${target} needs no more water now.`;
  if (decision === 'unknown' || daysToStress === null)
    return say`${target} is not known to need water now.`;

  const forecast = countsOnForecast(reasons) ? say` in the expected weather` : null;
  const stress =
    daysToStress === 0
      ? say`it is already at or below the stress point`
      : say`${daysUntil(daysToStress)} until the stress point${forecast}`;
  if (turn?.isLate) return say`Water comes too late for ${target}: ${stressBeforeWater(turn)}.`;
  // Whether to water now depends on the turn, of which the next sentence tells.
  if (turn && comesRarely(turn) && (turn.verdict === 'open' || turn.verdict === 'take'))
    return say`${target}: ${stress}.`;
  return decision === 'water'
    ? say`${target} needs water now: ${stress}.`
    : say`${target} does not need water now: ${stress}.`;
}

export const countsOnForecast = (reasons: readonly Reason[]): boolean =>
  reasons.some(({ kind }) => attributesOf(kind).of === 'forecast');

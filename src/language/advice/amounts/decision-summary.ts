import type { AdviceReason } from '../../../domain/advice/advice-reason.ts';
import type { WateringDecision } from '../../../domain/advice/watering-decision.ts';
import { formatDaysAhead } from '../../number-format.ts';

const decisionPhrases = {
  waterNow: (name: string, stress: string) => `${name} needs water now: ${stress}.`,
  waitNow: (name: string, stress: string) => `${name} does not need water now: ${stress}.`,
  enough: (name: string) => `${name} needs no more water now.`,
  notKnownToNeed: (name: string) => `${name} is not known to need water now.`,
  inStress: 'it is already at or below the stress point',
  untilStress: (days: string, isForecast: boolean) =>
    `${days} until the stress point${isForecast ? ' in the expected weather' : ''}`,
};

interface StressFacts {
  readonly daysToStress: number | null;
  readonly reasons: readonly AdviceReason[];
}

/** Answers whether to water. */
export function describeDecision(
  decision: WateringDecision,
  name: string,
  { daysToStress, reasons }: StressFacts,
): string {
  const { waterNow, waitNow, enough, notKnownToNeed, inStress, untilStress } = decisionPhrases;
  if (decision === 'enough') return enough(name);
  if (decision === 'unknown' || daysToStress === null) return notKnownToNeed(name);

  const stress =
    daysToStress === 0
      ? inStress
      : untilStress(formatDaysAhead(daysToStress), countsOnForecast(reasons));
  return decision === 'water' ? waterNow(name, stress) : waitNow(name, stress);
}

export const countsOnForecast = (reasons: readonly AdviceReason[]): boolean =>
  reasons.includes('EXPECTED_RAIN') || reasons.includes('EXPECTED_DEMAND');

import type { ParcelRequest } from '../../../domain/advice/balance/parcel-advice.ts';
import {
  type WateringDecision,
  wateringDecision,
} from '../../../domain/advice/watering-decision.ts';
import type { ParcelAdviceBody } from '../../../schema/advice/parcel-advice.ts';
import { formatEstimate } from '../../number-format.ts';
import { joinSentences } from '../../sentences.ts';
import { parcelName, type SummaryContext } from '../../summary-context.ts';
import { formatLocalDay } from '../../time.ts';
import { advicePhrases } from '../advice-phrases.ts';
import { describeRestOf } from '../advice-summary.ts';
import { describeDecision } from '../amounts/decision-summary.ts';
import { describeRefill } from '../amounts/refill-summary.ts';
import { describeStress, listNeeds, NEGLIGIBLE_DEFICIT_MM } from '../need-summary.ts';
import { describeFirstReasons, describeReasons } from '../reason-sentences.ts';
import { summarizeProbes } from './probes-summary.ts';

export async function summarizeParcelAdvice(
  advice: ParcelAdviceBody,
  context: SummaryContext,
  request: ParcelRequest,
): Promise<string> {
  const name = await parcelName(context.directory, advice.parcelId);
  const { rest, probes = [], balanceNeeds = [] } = advice;
  if (probes.length > 0) return summarizeProbes(probes, context, request);
  if (rest !== null) return joinSentences(describeRestOf(name, rest));
  if (balanceNeeds.length > 0)
    return advicePhrases.parcelNeedUnknown(name, listNeeds(balanceNeeds));

  const decision = decisionOf(advice);
  const saysDays = decision === 'water' || decision === 'wait';
  return joinSentences([
    ...describeFirstReasons(advice.reasons),
    decision && describeDecision(decision, name, advice),
    ...describeNeed(advice, name, { decision, context }),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeReasons(advice, request, 0),
  ]);
}

/** Null where another sentence answers whether to water. */
function decisionOf(advice: ParcelAdviceBody): WateringDecision | null {
  const { deficitMm, reasons } = advice;
  if (deficitMm === null || deficitMm < NEGLIGIBLE_DEFICIT_MM) return null;
  // Where nothing is measured, the balance is not the second best.
  return wateringDecision({
    ...advice,
    reasons: reasons.filter((reason) => reason !== 'BY_BALANCE'),
  });
}

function describeNeed(
  advice: ParcelAdviceBody,
  name: string,
  {
    decision,
    context,
  }: { readonly decision: WateringDecision | null; readonly context: SummaryContext },
): string[] {
  const { balance, deficitMm, fractionWetted } = advice;
  if (balance === undefined || deficitMm === null) return [];

  const start = advicePhrases.fullSoil[balance.from](formatLocalDay(balance.since, context));
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM) return [advicePhrases.parcelNoNeed(name, start)];
  return [
    advicePhrases.parcelDeficit(
      name,
      start,
      formatEstimate(deficitMm),
      advicePhrases.zone(fractionWetted),
    ),
    ...(balance.waterings === 0 ? [advicePhrases.noWateringCounted] : []),
    ...describeRefill(advice, decision, context),
  ];
}

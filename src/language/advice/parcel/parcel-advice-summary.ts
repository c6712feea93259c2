import type { ParcelRequest } from '../../../domain/advice/balance/parcel-advice.ts';
import {
  type WateringDecision,
  wateringDecision,
} from '../../../domain/advice/watering-decision.ts';
import { sameCallWith, say, sentences } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import type { ParcelAdviceBody } from '../../../schema/advice/parcel-advice.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { parcelText } from '../../text/names-of-farm.ts';
import { describeRestOf } from '../advice-summary.ts';
import { describeDecision } from '../amounts/decision-summary.ts';
import { describeRefill } from '../amounts/refill-summary.ts';
import { describeFirstReasons } from '../first-reasons.ts';
import {
  balanceFrom,
  describeStress,
  lacks,
  missingForBalance,
  NEGLIGIBLE_DEFICIT_MM,
} from '../need-summary.ts';
import { describeReasons } from '../reason-sentences.ts';
import { summarizeProbes } from './probes-summary.ts';

export async function summarizeParcelAdvice(
  advice: ParcelAdviceBody,
  context: SummaryContext,
  request: ParcelRequest,
): Promise<Text> {
  const name = await parcelText(context.directory, advice.parcelId);
  const { rest, probes = [], balanceNeeds = [] } = advice;
  if (probes.length > 0) return summarizeProbes(probes, context, request);
  if (rest !== null) return sentences(describeRestOf(name, rest));
  if (balanceNeeds.length > 0)
    return say`No probe measures ${name}, so a balance of rain, waterings and evapotranspiration has to tell how much water it needs. ${missingForBalance(balanceNeeds)}`;

  const decision = decisionOf(advice);
  const saysDays = decision === 'water' || decision === 'wait';
  return sentences([
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
  name: Text,
  {
    decision,
    context,
  }: { readonly decision: WateringDecision | null; readonly context: SummaryContext },
): Text[] {
  const { balance, deficitMm, fractionWetted } = advice;
  if (balance === undefined || deficitMm === null) return [];

  const source = say`No probe measures ${name}. By ${balanceFrom(balance.since, balance.from)}, it`;
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM) return [say`${source} needs no water.`];
  return [
    say`${source} ${lacks(deficitMm, fractionWetted)}.`,
    ...(balance.waterings === 0 ? [NO_WATERING_COUNTED] : []),
    ...describeRefill(advice, decision, context),
  ];
}

const NO_WATERING_COUNTED = say`No watering is counted since then: if there was one, it lacks less; ask for the last day on which its soil was full.${sameCallWith('filledOn')}`;

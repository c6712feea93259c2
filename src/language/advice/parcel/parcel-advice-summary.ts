import type { WateringAdvice } from '../../../domain/advice/advice.ts';
import type { ParcelRequest } from '../../../domain/advice/balance/balance-advice.ts';
import {
  decisionByBalance,
  type WateringDecision,
} from '../../../domain/advice/watering-decision.ts';
import { sameCallWith, say, sentences } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import type { ParcelAdviceBody } from '../../../schema/advice/parcel-advice.ts';
import { reasonsOf } from '../../../schema/advice/reasons-of-body.ts';
import { turnOfBody } from '../../../schema/advice/turn-body.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { parcelText } from '../../text/names-of-farm.ts';
import { describeDecision } from '../amounts/decision-summary.ts';
import { describeRefill } from '../amounts/refill-summary.ts';
import {
  balanceFrom,
  describeError,
  lacks,
  missingForBalance,
  NEGLIGIBLE_DEFICIT_MM,
} from '../deficit-summary.ts';
import { describeStress } from '../need-summary.ts';
import type { ReasonContext } from '../reason-context.ts';
import {
  describeDelays,
  describeDoubts,
  describeReasons,
  describeRemainingReasons,
} from '../reason-sentences.ts';
import { describeTurn } from '../turn-summary.ts';
import { summarizeProbes } from './probes-summary.ts';

export async function summarizeParcelAdvice(
  body: ParcelAdviceBody,
  { now, zone, directory, ...summaryContext }: SummaryContext,
  request: ParcelRequest,
): Promise<Text> {
  const { rest, probes = [], balanceNeeds = [] } = body;
  if (probes.length > 0)
    return summarizeProbes(probes, { ...summaryContext, now, zone, directory }, request);

  const target = await parcelText(directory, body.parcelId);
  const advice = {
    ...body,
    reasons: reasonsOf(body),
    turn: body.turn ? turnOfBody(body.turn) : undefined,
  };
  const context = {
    now,
    zone,
    target,
    advice,
    request,
    fallenMm: 0,
    differing: [],
    exchangedWith: null,
  };
  if (rest !== null) return sentences(describeReasons(advice.reasons, context));
  if (balanceNeeds.length > 0)
    return say`No probe measures ${target}, so a balance of rain, waterings and evapotranspiration has to tell how much water it needs. ${missingForBalance(balanceNeeds)}`;

  const decision = decisionOf(advice);
  const saysDays = decision === 'water' || decision === 'wait';
  return sentences([
    ...describeDoubts(context),
    ...describeDelays(context),
    decision && describeDecision(decision, target, advice),
    ...describeTurn(advice.turn, decision, context.now),
    ...describeNeed(body, decision, context),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeRemainingReasons(context),
  ]);
}

/** Null where another sentence answers whether to water. */
function decisionOf(advice: WateringAdvice): WateringDecision | null {
  const { deficitMm } = advice;
  if (deficitMm === null || deficitMm < NEGLIGIBLE_DEFICIT_MM) return null;
  return decisionByBalance(advice);
}

function describeNeed(
  { balance }: ParcelAdviceBody,
  decision: WateringDecision | null,
  context: ReasonContext,
): Text[] {
  const { target, advice } = context;
  const { deficitMm, fractionWetted } = advice;
  if (balance === undefined || deficitMm === null) return [];

  const source = say`No probe measures ${target}. By ${balanceFrom(balance.since, balance.from)}, it`;
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM) return [say`${source} needs no water.`];
  return [
    say`${source} ${lacks(deficitMm, fractionWetted)}${describeError(balance)}.`,
    ...(balance.waterings === 0 ? [NO_WATERING_COUNTED] : []),
    ...describeRefill(decision, context),
  ];
}

const NO_WATERING_COUNTED = say`No watering is counted since then: if there was one, it lacks less; ask for the last day on which its soil was full.${sameCallWith('filledOn')}`;

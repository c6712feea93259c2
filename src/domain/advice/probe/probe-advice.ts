import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { type AdviceRequest, type AdviceResult, NO_AMOUNTS } from '../advice.ts';
import { meanwhileByBalance } from '../balance/probe-balance.ts';
import { inOrder, type Reason, reasonOf, reasonWith } from '../reason.ts';
import { attributesOf, isSilence, withholdsAmount } from '../reason-kinds.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { adviseByMoisture } from './moisture-advice.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { NO_RAIN } from './recent-rain.ts';
import { restIn, seasonQuestion } from './rest.ts';
import { adviseByTension } from './tension-advice.ts';
import { withFlowOfTurn } from './water-amounts.ts';

export function adviseProbe(
  measured: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { installation, settings } = measured.setup;
  const ofTurn = withFlowOfTurn(installation, settings?.waterTimes);
  const facts = { ...measured, setup: { ...measured.setup, installation: ofTurn } };
  const { tension } = facts.state;
  const result =
    tension === undefined
      ? adviseByMoisture(facts, farm, request)
      : adviseByTension(facts, tension, farm);
  const { reasons } = result.advice;
  if (reasonOf(reasons, 'NO_SOIL_MOISTURE') !== undefined) return result;

  const rest = restIn(farm.seasonOf(facts.setup));
  if (rest !== null) {
    // A doubt about a probe whose crop needs no water needs no answer before the season.
    const atRest = withReasons(result, [reasonWith('AT_REST', rest)]);
    return withoutAmounts({ ...atRest, rain: NO_RAIN }, facts, farm);
  }

  const questions: Reason[] = [
    ...seasonQuestion(facts, farm),
    ...(isRoofInQuestion(result, facts, farm) ? [reasonWith('ROOF_UNKNOWN', {})] : []),
  ];
  const inSeason = withReasons(result, inOrder([...questions, ...reasons]));
  return inSeason.advice.reasons.some(withholdsAmount)
    ? withoutAmounts(inSeason, facts, farm)
    : inSeason;
}

/** The balance in place of readings counts rain, which a roof may have kept off. */
const isRoofInQuestion = (
  { advice: { reasons } }: AdviceResult,
  { module: { parcelId } }: ProbeFacts,
  farm: FarmConditions,
): boolean =>
  reasonOf(reasons, 'BY_BALANCE') !== undefined &&
  (farm.longPast ?? farm).isRainInQuestion(parcelId);

const withReasons = (
  { advice, ...result }: AdviceResult,
  reasons: readonly Reason[],
): AdviceResult => ({ ...result, advice: { ...advice, reasons } });

/** Keeps what an answer still says where the readings cannot carry an amount. */
function withoutAmounts(
  { advice, rain }: AdviceResult,
  facts: ProbeFacts,
  farm: FarmConditions,
): AdviceResult {
  const reasons = advice.reasons.map(withoutBalance);
  return {
    advice: {
      ...advice,
      ...NO_AMOUNTS,
      planned: planUntilStress(facts.wateringsOnValve, null, farm.now),
      meanwhile: reasons.some(doubtsWater) ? null : meanwhileByBalance(facts, farm),
      reasons,
    },
    rain,
    deficit: null,
    state: null,
    stress: null,
  };
}

/**
 * A balance that begins with readings in doubt is in doubt too, and what it lacks does not matter.
 */
const withoutBalance = (reason: Reason): Reason =>
  attributesOf(reason.kind).of === 'balance' || isSilence(reason)
    ? reasonWith(reason.kind, {})
    : reason;

const doubtsWater = ({ kind }: Reason): boolean => attributesOf(kind).doubtsWater === true;

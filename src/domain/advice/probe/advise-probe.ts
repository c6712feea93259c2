import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { attributesOf, type ReasonKind, withholdsAmount } from '../advice-reason.ts';
import { meanwhileByBalance } from '../balance/probe-balance.ts';
import type { AdviceRequest, AdviceResult, ProbeAdvice } from '../probe-advice.ts';
import { adviceConfidence } from './advice-reasons.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { adviseByMoisture } from './moisture-advice.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { isRestInQuestion, restIn } from './rest.ts';
import { adviseByTension, NO_AMOUNTS } from './tension-advice.ts';

export function adviseProbe(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { tension } = facts.state;
  const result =
    tension === undefined
      ? adviseByMoisture(facts, farm, request)
      : adviseByTension(facts, tension, farm);
  const { reasons } = result.advice;
  if (reasons.includes('NO_SOIL_MOISTURE')) return result;

  const rest = restIn(farm.seasonOf(facts.setup));
  if (rest !== null) return atRest(result, rest, facts, farm);
  const doubted = isRestInQuestion(facts, farm)
    ? withReasons(result, ['REST_UNKNOWN', ...reasons])
    : result;
  return doubted.advice.reasons.some(withholdsAmount)
    ? withoutAmounts(doubted, facts, farm)
    : doubted;
}

/** A doubt about a probe whose crop needs no water needs no answer before the season. */
const atRest = (
  { advice, ...result }: AdviceResult,
  rest: ProbeAdvice['rest'],
  facts: ProbeFacts,
  farm: FarmConditions,
): AdviceResult =>
  withoutAmounts(
    {
      ...result,
      advice: { ...advice, rest, reasons: ['AT_REST'], doubts: [] },
      recentRain: null,
      rainInReadings: null,
    },
    facts,
    farm,
  );

const withReasons = (
  { advice, ...result }: AdviceResult,
  reasons: readonly ReasonKind[],
): AdviceResult => ({ ...result, advice: { ...advice, reasons } });

/** What remains to be said of readings that an amount cannot rest on. */
const withoutAmounts = (
  { advice, recentRain, rainInReadings }: AdviceResult,
  facts: ProbeFacts,
  farm: FarmConditions,
): AdviceResult => ({
  advice: {
    ...advice,
    ...NO_AMOUNTS,
    balance: null,
    balanceNeeds: [],
    daysToStress: null,
    planned: planUntilStress(facts.wateringsOnValve, null, farm.now),
    meanwhile: advice.reasons.some(doubtsWater) ? null : meanwhileByBalance(facts, farm),
    confidence: adviceConfidence(advice.reasons, NO_AMOUNTS),
  },
  recentRain,
  rainInReadings,
  deficit: null,
  state: null,
  stress: null,
});

const doubtsWater = (reason: ReasonKind): boolean => attributesOf(reason).doubtsWater === true;

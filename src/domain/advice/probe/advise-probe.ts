import { roundAmount, roundTo } from '../../decimal.ts';
import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { type DepthsCm, withoutValuesAt } from '../../facts/trusted-depths.ts';
import type { AgronomicState } from '../../moisture/agronomic-state.ts';
import { MEASUREMENTS } from '../../moisture/measurement.ts';
import type { Slice } from '../../soil/slices.ts';
import { type AdviceReason, withholdsAmount } from '../advice-reason.ts';
import { balanceBeside } from '../balance/balance-beside.ts';
import { meanwhileByBalance } from '../balance/probe-balance.ts';
import {
  type AdviceRequest,
  type AdviceSettings,
  adviceSettings,
  type ProbeAdvice,
} from '../probe-advice.ts';
import { unshownRain } from '../response/unshown-rain.ts';
import { rootZoneDeficit, type WaterDeficit } from '../watering-advice.ts';
import {
  adviceConfidence,
  adviceReasons,
  type ReasonInputs,
  withoutValue,
} from './advice-reasons.ts';
import {
  DAY_DECIMALS,
  dryingMmPerDay,
  pointsOfRain,
  rainToSubtract,
  rootZoneSlices,
  roundedAmounts,
  splitOverDays,
  waterFor,
} from './advised-amounts.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { frozenDepths } from './frozen-depths.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { drawnFieldCapacity, reasonInputs } from './reason-inputs.ts';
import { type RainInReadings, type RecentRain, recentRain } from './recent-rain.ts';
import { isRestInQuestion, restIn } from './rest.ts';
import { forecastStress, type StressForecast } from './stress-forecast.ts';
import { adviseByTension, NO_AMOUNTS } from './tension-advice.ts';

/** The advice, and what is said beside it. */
export interface AdviceResult {
  readonly advice: ProbeAdvice;
  readonly recentRain: (RecentRain & { readonly effectiveMm: number | null }) | null;
  readonly rainInReadings: RainInReadings | null;
  /** Null without a deficit, or where it is withheld. */
  readonly deficit: {
    /** The depth to which it reaches. */
    readonly bottomCm: number;
    readonly withoutValue: readonly Slice[];
    /** They count as slices without a value too. */
    readonly inDoubt: readonly Slice[];
    readonly frozen: readonly Slice[];
    readonly withoutLayer: readonly Slice[];
  } | null;
  /** Of the depths that are not in doubt; null where the amount is withheld. */
  readonly state: AgronomicState | null;
  /** Null for a tensiometer, or where it is withheld. */
  readonly stress: StressForecast | null;
}

export function adviseProbe(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const result = adviseInSeason(facts, farm, request);
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
  reasons: readonly AdviceReason[],
): AdviceResult => ({ ...result, advice: { ...advice, reasons } });

function adviseInSeason(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { tension } = facts.state;
  if (tension === undefined) return adviseByMoisture(facts, farm, request);

  const { advice, recent, inReadings } = adviseByTension(facts, tension, farm);
  return {
    advice,
    recentRain: recent && { ...recent, isShown: false, effectiveMm: null },
    rainInReadings: inReadings,
    deficit: null,
    state: facts.state.state,
    stress: null,
  };
}

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
    meanwhile: advice.reasons.some(leavesBalanceInDoubt) ? null : meanwhileByBalance(facts, farm),
    confidence: adviceConfidence(advice.reasons, NO_AMOUNTS),
  },
  recentRain,
  rainInReadings,
  deficit: null,
  state: null,
  stress: null,
});

/** Waterings that no depth showed are in doubt themselves, and so is moisture that jumped. */
const leavesBalanceInDoubt = (reason: AdviceReason): boolean =>
  reason === 'NO_RESPONSE' || reason === 'DEPTHS_JUMPED';

function adviseByMoisture(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { now, weather } = farm;
  const { parcelId } = facts.module;
  const recorded = farm.rainOn(parcelId);
  const unshown = farm.isOutdoors(parcelId) ? unshownRain(recorded, facts.stillPeriods) : null;
  const rainOnParcel = unshown === null ? recorded : [];
  const frozen = frozenDepths(facts, farm);
  const inputs: ReasonInputs = {
    ...reasonInputs(facts, { rain: rainOnParcel, frozen }, now),
    unshownRain: unshown,
  };
  const trusted = withoutValuesAt(facts, withoutValue(inputs), now);
  const settings = { ...adviceSettings(facts.setup.settings), ...refillOf(request) };
  const slices = rootZoneSlices(inputs.depths);
  const line = drawnFieldCapacity(facts.state);
  const measured = rootZoneDeficit(slices, line);
  const probe = { facts, depths: inputs.depths, drawnFieldCapacity: line };
  const { standIn, balance, needs } = balanceBeside(probe, farm);
  const deficit = measured ?? (standIn && { ...standIn, withoutValue: [], withoutLayer: [] });
  // A balance already counts the rain until now.
  const { recent, inReadings } =
    standIn === null ? recentRain(rainOnParcel, inputs) : { recent: null, inReadings: null };
  const rain = rainToSubtract(recent, request.expectedRainMm, deficit);

  const water = waterFor(deficit, settings, rain.totalMm, inputs.installation);
  const forecast = forecastStress({
    state: trusted.state,
    moisture: unroundedMoisture(trusted),
    dryingRate: facts.dryingRate,
    rainPoints: pointsOfRain(rain.totalMm, slices),
    expectedDemandPercent: request.demandPercent,
    weather,
    now,
  });
  const stress: StressForecast =
    standIn === null ? forecast : { ...forecast, days: standIn.daysToStress };
  const dryingMm = dryingMmPerDay(stress, slices, inputs.installation);
  const daily = splitOverDays(water, settings.hoursPerDay, dryingMm);
  const reasons = adviceReasons(
    inputs,
    {
      deficit,
      water,
      daily,
      stress: stress.reason,
      balance,
      hasRecentRain: recent !== null && !recent.isLost,
      expectsRain: rain.totalMm > rain.recentMm,
      expectsOtherDemand: (stress.demandPercent ?? 100) !== 100,
    },
    now,
  );
  const amounts = roundedAmounts(deficit, water, daily);

  return {
    advice: {
      moduleId: facts.module.id,
      at: inputs.newestAt,
      settings,
      ...amounts,
      fractionWetted: inputs.installation?.fractionWetted ?? null,
      ...rootsInQuestion(inputs, reasons),
      daysToStress: stress.days === null ? null : roundTo(stress.days, DAY_DECIMALS),
      planned: planUntilStress(facts.wateringsOnValve, stress.days, now),
      rest: null,
      confidence: adviceConfidence(reasons, amounts),
      reasons,
      doubts: inputs.state.doubts,
      ...(facts.state.doubtedLines && { doubtedLines: facts.state.doubtedLines }),
      response: inputs.response,
      wetSince: inputs.tooWetSince,
      differing: [],
      meanwhile: null,
      unshownRain: unshown,
      balance: balance && { ...balance, deficitMm: roundAmount(balance.deficitMm) },
      balanceNeeds: needs,
    },
    recentRain: recent && { ...recent, effectiveMm: deficit && rain.recentMm },
    rainInReadings: inReadings,
    deficit: deficit && sliceFacts(deficit, slices, inputs),
    state: trusted.state.state,
    stress,
  };
}

function sliceFacts(
  { withoutValue, withoutLayer }: WaterDeficit,
  slices: readonly Slice[],
  { depths, inDoubt, frozen }: Pick<ReasonInputs, 'depths' | 'inDoubt' | 'frozen'>,
): AdviceResult['deficit'] {
  const slicesOf = (depthsCm: DepthsCm): Slice[] =>
    depths.flatMap(({ depthCm, slice }) =>
      slice !== null && depthsCm.has(depthCm) ? [slice] : [],
    );
  const [doubted, inIce] = [slicesOf(inDoubt), slicesOf(frozen)];
  const isNamed = ({ topCm }: Slice): boolean =>
    [...doubted, ...inIce].some((slice) => slice.topCm === topCm);
  return {
    bottomCm: slices.at(-1)?.bottomCm ?? 0,
    withoutValue: withoutValue.filter((slice) => !isNamed(slice)),
    inDoubt: doubted,
    frozen: inIce,
    withoutLayer,
  };
}

function rootsInQuestion(
  { rootDepthCm, usualRoots }: Pick<ReasonInputs, 'rootDepthCm' | 'usualRoots'>,
  reasons: readonly AdviceReason[],
): Pick<ProbeAdvice, 'usualRoots'> {
  const isInQuestion = reasons.includes('NO_ROOT_DEPTH') || reasons.includes('ROOTS_TOO_DEEP');
  return usualRoots !== null && isInQuestion ? { usualRoots: { ...usualRoots, rootDepthCm } } : {};
}

/** The shown value has one decimal, and a soil may lose less than that in a day. */
function unroundedMoisture({ state, recent }: ProbeFacts): number | null {
  const exact = recent.curve.findLast(({ at }) => at === state.at)?.value;
  // The state uses the last value of a sensor that has not reported yet, so the two may differ.
  return exact !== undefined && roundTo(exact, MEASUREMENTS.humidity.decimals) === state.moisture
    ? exact
    : state.moisture;
}

const refillOf = ({ refillPercent }: AdviceRequest): Partial<AdviceSettings> =>
  refillPercent === undefined ? {} : { refillPercent };

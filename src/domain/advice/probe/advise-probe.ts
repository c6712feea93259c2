import { usualRootsOf } from '../../balance/usual-roots.ts';
import { roundAmount, roundTo } from '../../decimal.ts';
import type { ProbeFacts, StateFacts } from '../../facts/probe-facts.ts';
import { hasSoilMoisture } from '../../facts/probe-series.ts';
import { type DepthsCm, depthsInDoubt, withoutValuesAt } from '../../facts/trusted-depths.ts';
import { begunWaterings } from '../../facts/watering-facts.ts';
import type { AgronomicState } from '../../moisture/agronomic-state.ts';
import { MEASUREMENTS } from '../../moisture/measurement.ts';
import type { Slice } from '../../soil/slices.ts';
import { shiftToDrawnCapacity } from '../../soil/soil-profile.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { type AdviceReason, withholdsAmount } from '../advice-reason.ts';
import { adviceSettings } from '../advice-settings.ts';
import { balanceBeside } from '../balance/balance-beside.ts';
import { meanwhileByBalance } from '../balance/balance-meanwhile.ts';
import type { AdviceRequest, AdviceSettings, ProbeAdvice } from '../probe-advice.ts';
import { unshownRain } from '../response/unshown-rain.ts';
import { rootZoneDeficit, type WaterDeficit } from '../watering-advice.ts';
import {
  adviceConfidence,
  adviceReasons,
  type ReasonInputs,
  withoutValue,
} from './advice-reasons.ts';
import {
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
import { type RainInReadings, type RecentRain, recentRain } from './recent-rain.ts';
import { judgeResponse, tooWetSince } from './response-conditions.ts';
import { isRestInQuestion, restIn } from './rest.ts';
import { forecastStress, type StressForecast } from './stress-forecast.ts';
import { adviseByTension, NO_AMOUNTS } from './tension-advice.ts';

const DAY_DECIMALS = 1;

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
    planned: planUntilStress(
      facts.state.tension === undefined ? facts.waterings : facts.wateringsOfParcel,
      null,
      farm.now,
    ),
    // Waterings that no depth showed are in doubt themselves.
    meanwhile: advice.reasons.includes('NO_RESPONSE') ? null : meanwhileByBalance(facts, farm),
    confidence: adviceConfidence(advice.reasons, NO_AMOUNTS),
  },
  recentRain,
  rainInReadings,
  deficit: null,
  state: null,
  stress: null,
});

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
      planned: planUntilStress(facts.waterings, stress.days, now),
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

function reasonInputs(
  facts: ProbeFacts,
  { rain, frozen }: { readonly rain: readonly RainContribution[]; readonly frozen: DepthsCm },
  now: number,
): Omit<ReasonInputs, 'unshownRain'> {
  const { recent, setup, missingShare } = facts;
  const state = withoutDoubtsAt(facts.state, frozen);
  const begun = begunWaterings(facts.waterings, now);
  const measuresSoilMoisture = hasSoilMoisture(recent, facts.module);
  const inDoubt = depthsInDoubt(state.doubts);
  const depths = measuresSoilMoisture
    ? shiftToDrawnCapacity(recent.depths, drawnFieldCapacity(state))
    : [];

  const unusable = withoutValue({ inDoubt, frozen });
  return {
    measuresSoilMoisture,
    depths: depths.map((depth) => (unusable.has(depth.depthCm) ? { ...depth, points: [] } : depth)),
    inDoubt,
    frozen,
    newestAt: measuresSoilMoisture ? newestPastReading(facts, now) : null,
    missingShare,
    commissioning: setup.commissioning,
    rootDepthCm: recent.rootDepthCm,
    usualRoots: setup.cropSeason?.crop ? usualRootsOf(setup.cropSeason.crop) : null,
    state,
    installation: setup.installation,
    done: begun.filter(({ status }) => status === 'done'),
    startedPlanned: begun.filter(({ status }) => status === 'planned'),
    response: judgeResponse(facts.response, rain),
    // Above a line that is doubted, the soil need not be wet.
    tooWetSince: isCapacityDoubted(state) ? null : tooWetSince(facts, begun, rain, now),
  };
}

const isCapacityDoubted = ({ doubtedLines = [] }: StateFacts): boolean =>
  doubtedLines.some(({ line }) => line === 'fieldCapacity');

/** Ice explains what looks like a fault. */
const withoutDoubtsAt = (state: StateFacts, depthsCm: DepthsCm): StateFacts => ({
  ...state,
  doubts: state.doubts.filter(({ depthCm }) => depthCm === null || !depthsCm.has(depthCm)),
});

/** The newest reading of all may lie ahead of now. */
function newestPastReading(
  { freshness: { newestAt }, recent, state }: ProbeFacts,
  now: number,
): number | null {
  if (newestAt === null || newestAt <= now) return newestAt;
  const newest = Math.max(...recent.depths.map(({ points }) => points.at(-1)?.at ?? 0));
  return newest > 0 ? newest : state.at;
}

/** The shown value has one decimal, and a soil may lose less than that in a day. */
function unroundedMoisture({ state, recent }: ProbeFacts): number | null {
  const exact = recent.curve.findLast(({ at }) => at === state.at)?.value;
  // The state uses the last value of a sensor that has not reported yet, so the two may differ.
  return exact !== undefined && roundTo(exact, MEASUREMENTS.humidity.decimals) === state.moisture
    ? exact
    : state.moisture;
}

/** The field capacity that a person drew, in m3/m3. */
export const drawnFieldCapacity = ({ fieldCapacity, basis }: StateFacts): number | null =>
  basis.fieldCapacity === 'annotation' && fieldCapacity !== null ? fieldCapacity / 100 : null;

const refillOf = ({ refillPercent }: AdviceRequest): Partial<AdviceSettings> =>
  refillPercent === undefined ? {} : { refillPercent };

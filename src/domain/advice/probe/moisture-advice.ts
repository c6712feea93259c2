import { roundAmount, roundTo } from '../../decimal.ts';
import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import { type DepthsCm, withoutValuesAt } from '../../facts/trusted-depths.ts';
import { MEASUREMENTS } from '../../moisture/measurement.ts';
import type { Slice } from '../../soil/slices.ts';
import type { RainContribution } from '../../weather/rain.ts';
import type { ReasonKind } from '../advice-reason.ts';
import { type BalanceBeside, balanceBeside } from '../balance/balance-beside.ts';
import {
  type AdviceRequest,
  type AdviceResult,
  adviceSettings,
  type ProbeAdvice,
} from '../probe-advice.ts';
import { unshownRain } from '../response/unshown-rain.ts';
import { type RootZoneSlice, rootZoneDeficit, type WaterDeficit } from '../watering-advice.ts';
import { adviceConfidence, adviceReasons } from './advice-reasons.ts';
import {
  DAY_DECIMALS,
  dryingMmPerDay,
  pointsOfRain,
  rootZoneSlices,
  roundedAmounts,
  splitOverDays,
  waterFor,
} from './advised-amounts.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { frozenDepths } from './frozen-depths.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { type ReasonInputs, reasonInputs, withoutValue } from './reason-inputs.ts';
import { type RainToSubtract, rainToSubtract, recentRain } from './recent-rain.ts';
import { forecastStress, type StressForecast } from './stress-forecast.ts';

export function adviseByMoisture(
  facts: ProbeFacts,
  farm: FarmConditions,
  request: AdviceRequest,
): AdviceResult {
  const { installation } = facts.setup;
  const settings = adviceSettings(facts.setup.settings, request);

  const conditions = moistureConditions(facts, farm);
  const soil = soilDeficit(facts, conditions, farm);
  const rain = rainBeside(conditions, soil, request);
  const water = waterFor(soil.deficit, settings, rain.totalMm, installation);
  const stress = stressAfter(rain, conditions, soil, { farm, request });
  const daily = splitOverDays(
    water,
    settings.hoursPerDay,
    dryingMmPerDay(stress, soil.slices, installation),
  );
  const reasons = adviceReasons(
    conditions,
    {
      ...soil,
      water,
      daily,
      stress: stress.reason,
      hasRecentRain: rain.recent !== null && !rain.recent.isLost,
      expectsRain: rain.totalMm > rain.recentMm,
      expectsOtherDemand: (stress.demandPercent ?? 100) !== 100,
    },
    farm.now,
  );
  const amounts = roundedAmounts(soil.deficit, water, daily);

  return {
    advice: {
      moduleId: facts.module.id,
      at: conditions.newestAt,
      settings,
      ...amounts,
      fractionWetted: installation?.fractionWetted ?? null,
      ...rootsInQuestion(conditions, reasons),
      daysToStress: stress.days === null ? null : roundTo(stress.days, DAY_DECIMALS),
      planned: planUntilStress(facts.wateringsOnValve, stress.days, farm.now),
      rest: null,
      confidence: adviceConfidence(reasons, amounts),
      reasons,
      doubts: conditions.state.doubts,
      ...(facts.state.doubtedLines && { doubtedLines: facts.state.doubtedLines }),
      response: conditions.response,
      wetSince: conditions.tooWetSince,
      differing: [],
      meanwhile: null,
      unshownRain: conditions.unshownRain,
      balance: soil.balance && { ...soil.balance, deficitMm: roundAmount(soil.balance.deficitMm) },
      balanceNeeds: soil.needs,
    },
    recentRain: rain.recent && { ...rain.recent, effectiveMm: soil.deficit && rain.recentMm },
    rainInReadings: rain.inReadings,
    deficit: soil.deficit && sliceFacts(soil.deficit, soil.slices, conditions),
    state: conditions.trusted.state.state,
    stress,
  };
}

/** What the readings allow to say, and the rain that is recorded. */
interface MoistureConditions extends ReasonInputs {
  /** The facts as if the depths in doubt or frozen had no value. */
  readonly trusted: ProbeFacts;
  /** On the parcel; none where the gauge is in doubt. */
  readonly rain: readonly RainContribution[];
}

function moistureConditions(facts: ProbeFacts, farm: FarmConditions): MoistureConditions {
  const { parcelId } = facts.module;
  const recorded = farm.rainOn(parcelId);
  const unshown = farm.isOutdoors(parcelId) ? unshownRain(recorded, facts.stillPeriods) : null;
  const rain = unshown === null ? recorded : [];

  const frozen = frozenDepths(facts, farm);
  const inputs = reasonInputs(facts, { rain, frozen }, farm.now);
  const trusted = withoutValuesAt(facts, withoutValue(inputs), farm.now);
  return { ...inputs, unshownRain: unshown, trusted, rain };
}

/** What the root zone lacks: as measured, else by the balance in place of a silent probe. */
interface SoilDeficit extends BalanceBeside {
  readonly slices: readonly RootZoneSlice[];
  readonly deficit: WaterDeficit | null;
}

function soilDeficit(
  facts: ProbeFacts,
  { depths }: Pick<MoistureConditions, 'depths'>,
  farm: FarmConditions,
): SoilDeficit {
  const slices = rootZoneSlices(depths);
  const measured = rootZoneDeficit(slices, drawnFieldCapacity(facts.state));
  const beside = balanceBeside({ facts, depths }, farm);
  const byBalance = beside.standIn && { ...beside.standIn, withoutValue: [], withoutLayer: [] };
  return { slices, deficit: measured ?? byBalance, ...beside };
}

function rainBeside(
  conditions: MoistureConditions,
  { standIn, deficit }: SoilDeficit,
  { expectedRainMm }: AdviceRequest,
): RainToSubtract {
  // A balance already counts the rain until now.
  const fallen = recentRain(standIn === null ? conditions.rain : [], conditions);
  return rainToSubtract(fallen, expectedRainMm, deficit);
}

function stressAfter(
  { totalMm }: RainToSubtract,
  { trusted }: MoistureConditions,
  { slices, standIn }: SoilDeficit,
  { farm, request }: { readonly farm: FarmConditions; readonly request: AdviceRequest },
): StressForecast {
  const forecast = forecastStress({
    state: trusted.state,
    moisture: unroundedMoisture(trusted),
    dryingRate: trusted.dryingRate,
    rainPoints: pointsOfRain(totalMm, slices),
    expectedDemandPercent: request.demandPercent,
    weather: farm.weather,
    now: farm.now,
  });
  return standIn === null ? forecast : { ...forecast, days: standIn.daysToStress };
}

/** The shown value has one decimal, and a soil may lose less than that in a day. */
function unroundedMoisture({ state, recent }: ProbeFacts): number | null {
  const exact = recent.curve.findLast(({ at }) => at === state.at)?.value;
  // The state uses the last value of a sensor that has not reported yet, so the two may differ.
  return exact !== undefined && roundTo(exact, MEASUREMENTS.humidity.decimals) === state.moisture
    ? exact
    : state.moisture;
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
  reasons: readonly ReasonKind[],
): Pick<ProbeAdvice, 'usualRoots'> {
  const isInQuestion = reasons.includes('NO_ROOT_DEPTH') || reasons.includes('ROOTS_TOO_DEEP');
  return usualRoots !== null && isInQuestion ? { usualRoots: { ...usualRoots, rootDepthCm } } : {};
}

import { availableMm, layersWithoutGaps } from '../../balance/root-zone-soil.ts';
import { usualRootsOf } from '../../balance/usual-roots.ts';
import { roundAmount, roundTo } from '../../decimal.ts';
import type { ParcelFacts } from '../../facts/parcel-facts.ts';
import { doneWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import { LocalDay } from '../../local-day.ts';
import { keepsRainOff } from '../../moisture/mulch.ts';
import {
  type AdviceRequest,
  type AdviceSettings,
  adviceSettings,
  NO_AMOUNTS,
  type WateringAdvice,
} from '../advice.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { adviceConfidence } from '../probe/moisture-reasons.ts';
import { withoutPlannedToday } from '../probe/planned-today.ts';
import { restIn, seasonQuestion } from '../probe/rest.ts';
import { withRunoff } from '../probe/runoff-advice.ts';
import {
  appliedPerMm,
  DAY_DECIMALS,
  roundedAmounts,
  splitOverDays,
  waterFor,
  withFlowOfTurn,
  withinDoses,
} from '../probe/water-amounts.ts';
import { effectiveRainMm } from '../rain-effect.ts';
import {
  type BalanceErrorFacts,
  type BalanceNeed,
  findReasons,
  inOrder,
  type Reason,
  reasonWith,
} from '../reason.ts';
import { withholdsAmount } from '../reason-kinds.ts';
import { ROOT_REASONS } from '../reasons/probe-reasons.ts';
import { EQUIPMENT_REASONS } from '../reasons/valve-reasons.ts';
import { decideTurn, runLimits } from '../turn-decision.ts';
import { netShare } from '../watering-advice.ts';
import { withFractionsOfSpacing } from '../wetted-fraction.ts';
import { usualError } from './balance-error.ts';
import {
  balanceFromFullSoil,
  type FullSoilAnswer,
  type FullSoilEstimate,
} from './balance-from-full.ts';

/** The advice for a parcel that no probe measures, by its water balance. */
export interface ParcelAdvice extends WateringAdvice {
  readonly parcelId: number;
  readonly settings: AdviceSettings;
  /** Null where none can be computed, or none is needed. */
  readonly balance:
    | (Pick<FullSoilEstimate, 'since' | 'from'> &
        BalanceErrorFacts & {
          readonly deficitMm: number;
          /** Logged since then. */
          readonly waterings: number;
        })
    | null;
  readonly balanceNeeds: readonly BalanceNeed[];
}

export interface ParcelRequest extends AdviceRequest {
  /** The local day on which rain or a watering last filled the soil. */
  readonly filledOn?: string | undefined;
}

interface ParcelInputs {
  readonly facts: ParcelFacts;
  /** Since as long ago as a balance may begin, and planned ones. */
  readonly waterings: readonly WateringFacts[];
  /** With the weather and rain of the same time. */
  readonly farm: FarmConditions;
  readonly request: ParcelRequest;
}

export function adviseParcel({ facts, waterings, farm, request }: ParcelInputs): ParcelAdvice {
  const setup = setupOf(facts);
  const { id: parcelId, settings, season: cropSeason } = facts;
  const seasonInputs = { setup: { parcelId, settings, cropSeason }, soilTemperatures: [] };
  const rest = restIn(farm.seasonOf(seasonInputs.setup));
  if (rest !== null)
    return withoutBalance(facts, setup, { reasons: [reasonWith('AT_REST', rest)] });

  const [question] = seasonQuestion(seasonInputs, farm);
  if (question?.kind === 'RIPE') return withoutBalance(facts, setup, { reasons: [question] });

  if (farm.isRainInQuestion(facts.id))
    return withoutBalance(facts, setup, { reasons: [reasonWith('ROOF_UNKNOWN', {})] });

  const answer = balanceOfParcel({ facts, waterings, farm, request }, setup);
  if (!answer.ok)
    return withoutBalance(facts, setup, { reasons: [], balanceNeeds: answer.failure });

  const { since, from, deficitMm } = answer.value;
  const done = doneWaterings(waterings, farm.now);
  const balance = {
    since,
    from,
    deficitMm: roundAmount(deficitMm),
    ...usualError(daysSince(since, farm), {
      fractionWetted: setup.installation?.fractionWetted ?? 1,
      availableMm: availableMm(layersWithoutGaps(facts.layers), facts.rootDepthCm ?? 0),
    }),
    waterings: done.filter(({ startedAt }) => LocalDay.at(startedAt, farm.zone).iso >= since)
      .length,
  };
  const amounts = amountsOf(answer.value, facts, { ...setup, done }, { waterings, farm, request });
  const advice = { ...amounts, balance };
  if (question !== undefined) return doubted(advice, question);

  const remaining = withoutPlannedToday(advice, waterings, farm);
  return remaining.reasons.some(withholdsAmount)
    ? remaining
    : withRunoff(remaining, { setup, recent: { depths: facts.layers } });
}

/** Today is one. */
const daysSince = (since: string, { today }: FarmConditions): number =>
  LocalDay.parse(since).daysUntil(today) + 1;

/** No amount, because probes tell more. */
export const adviseMeasured = (facts: ParcelFacts): ParcelAdvice =>
  withoutBalance(facts, setupOf(facts), { reasons: [] });

type ParcelSetup = Pick<ParcelFacts, 'installation'>;

const setupOf = ({ installation, settings, layers }: ParcelFacts): ParcelSetup =>
  withFractionsOfSpacing(
    { installation: withFlowOfTurn(installation, settings?.waterTimes), versions: [] },
    layersWithoutGaps(layers),
  );

function balanceOfParcel(
  { facts, waterings, farm, request }: ParcelInputs,
  { installation }: ParcelSetup,
): FullSoilAnswer {
  const layers = layersWithoutGaps(facts.layers);
  return balanceFromFullSoil(
    {
      season: facts.season,
      rootDepthCm: facts.rootDepthCm,
      layers: layers.length === 0 ? null : layers,
      allowedDepletion: facts.settings?.allowedDepletion ?? null,
      fractionWetted: installation?.fractionWetted ?? 1,
      share: netShare(adviceSettings(facts.settings)),
      waterings,
      rain: farm.rainInto(facts.id, facts.settings),
      settings: facts.settings,
    },
    {
      now: farm.now,
      zone: farm.zone,
      weather: farm.weather,
      filledOn: request.filledOn ?? null,
    },
  );
}

function withoutBalance(
  facts: ParcelFacts,
  { installation }: ParcelSetup,
  found: Pick<ParcelAdvice, 'reasons'> & Partial<Pick<ParcelAdvice, 'balanceNeeds'>>,
): ParcelAdvice {
  return {
    parcelId: facts.id,
    settings: adviceSettings(facts.settings),
    ...NO_AMOUNTS,
    fractionWetted: installation?.fractionWetted ?? null,
    balance: null,
    balanceNeeds: [],
    ...found,
  };
}

function amountsOf(
  estimate: FullSoilEstimate,
  facts: ParcelFacts,
  { installation, done }: ParcelSetup & { readonly done: readonly WateringFacts[] },
  { waterings, farm, request }: Omit<ParcelInputs, 'facts'>,
): Omit<ParcelAdvice, 'balance'> {
  const settings = adviceSettings(facts.settings, request);
  const { daysToStress, lossMm } = estimate;
  const expectedMm = keepsRainOff(facts.settings) ? 0 : request.expectedRainMm;
  const rainMm = effectiveRainMm(expectedMm, estimate.deficitMm);
  const times = facts.settings?.waterTimes ?? null;
  const needed = waterFor(estimate, settings, rainMm, installation);
  const fractionWetted = installation?.fractionWetted ?? null;
  const turn = decideTurn(
    times,
    {
      daysToStress,
      deficitMm: estimate.deficitMm - rainMm,
      lossMmPerDay: lossMm,
      appliedPerMm: appliedPerMm(settings, installation),
      waterings,
    },
    farm,
  );
  const { hoursPerDay, longestMin } = runLimits(times, turn, settings.hoursPerDay, farm);
  const water = withinDoses(needed, times, longestMin);
  const daily = splitOverDays(water, hoursPerDay, lossMm * (fractionWetted ?? 1));
  const amounts = roundedAmounts(estimate, water, { daily, needed });
  const usualRoots = facts.season.crop && usualRootsOf(facts.season.crop);
  const { rootDepthCm } = facts;
  const reasons = inOrder([
    reasonWith('BY_BALANCE', {}),
    ...findReasons(EQUIPMENT_REASONS, {
      installation,
      done,
      deficit: estimate,
      water: needed,
      daily,
    }),
    ...findReasons(ROOT_REASONS, { rootDepthCm, usualRoots }),
    ...(rainMm > 0 ? [reasonWith('EXPECTED_RAIN', {})] : []),
  ]);

  return {
    parcelId: facts.id,
    settings: { ...settings, hoursPerDay },
    ...amounts,
    fractionWetted,
    daysToStress: daysToStress === null ? null : roundTo(daysToStress, DAY_DECIMALS),
    ...(turn === null ? {} : { turn }),
    confidence: adviceConfidence(reasons, amounts),
    reasons,
    balanceNeeds: [],
  };
}

const doubted = (advice: ParcelAdvice, reason: Reason): ParcelAdvice => ({
  ...advice,
  ...NO_AMOUNTS,
  reasons: inOrder([...advice.reasons, reason]),
});

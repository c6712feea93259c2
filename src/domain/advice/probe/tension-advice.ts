import type { ProbeFacts, TensionFacts } from '../../facts/probe-facts.ts';
import type { SuspectTension } from '../../facts/suspect-tension.ts';
import { isMostlyUnusable } from '../../facts/trusted-depths.ts';
import { begunWaterings } from '../../facts/watering-facts.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { isFrozen } from '../../soil/frozen-soil.ts';
import { type AdviceResult, NO_AMOUNTS } from '../advice.ts';
import { type FactsOf, type Finders, factsIf, findReasons, inOrder } from '../reason.ts';
import { RESPONSE_REASONS, TIMELINESS_REASONS } from '../reasons/valve-reasons.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { frozenDepths } from './frozen-depths.ts';
import { planUntilStress } from './plan-until-stress.ts';
import { recentRain } from './recent-rain.ts';
import { explainsWetting, judgeResponse, type RecordedWater } from './response-conditions.ts';

/**
 * Tension tells whether to water, not how much: how much water a rise of tension means depends on
 * the soil.
 */
export function adviseByTension(
  facts: ProbeFacts,
  tension: TensionFacts,
  farm: FarmConditions,
): AdviceResult {
  const { now } = farm;
  const {
    module,
    state: { at },
    setup,
    wateringsOnValve,
    wateringsOfParcel,
  } = facts;
  const begun = begunWaterings(wateringsOnValve, now);
  const done = begun.filter(({ status }) => status === 'done');
  const startedPlanned = begun.filter(({ status }) => status === 'planned');
  const fallen = farm.rainInto(module.parcelId, setup.settings);
  const rain = recentRain(fallen, { newestAt: at, depths: [], done });

  // Water from any valve of the parcel may explain a fall of tension, not only that of this probe.
  const water = {
    begun: begunWaterings(wateringsOfParcel, now),
    rain: farm.rainOn(module.parcelId),
  };
  const { suspect: readings = [], ...levels } = tension;
  const suspect = readings.filter((reading) => !isExplained(reading, water));

  const response = judgeResponse(facts.response, water.rain);
  const reasons = inOrder([
    ...findReasons(TENSION_REASONS, {
      suspect,
      dryLevel: tension.dryLevel,
      isFrozen: isMostlyFrozen(facts, farm),
      hasRecentRain: rain.recent !== null,
    }),
    ...findReasons(RESPONSE_REASONS, { response, tooWetSince: null }),
    ...findReasons(TIMELINESS_REASONS, {
      newestAt: at,
      done,
      startedPlanned,
      neededMm: null,
      balanceNeeds: [],
      now,
    }),
  ]);
  const daysToStress = tension.isDry ? 0 : null;

  return {
    advice: {
      moduleId: module.id,
      at,
      settings: null,
      // Tension says when to water, not how much.
      ...NO_AMOUNTS,
      fractionWetted: setup.installation?.fractionWetted ?? null,
      daysToStress,
      planned: planUntilStress(wateringsOnValve, daysToStress, now),
      reasons,
      meanwhile: null,
      tension: levels,
    },
    rain,
    deficit: null,
    state: facts.state.state,
    stress: null,
  };
}

interface TensionInputs {
  readonly suspect: readonly SuspectTension[];
  /** In kPa; null if none is drawn. */
  readonly dryLevel: number | null;
  readonly isFrozen: boolean;
  readonly hasRecentRain: boolean;
}

const TENSION_REASONS: Finders<TensionInputs> = {
  FROZEN: ({ isFrozen }) => factsIf(isFrozen),
  TENSION_AT_ZERO: hasFlag('TENSION_AT_ZERO'),
  TENSION_AT_LIMIT: hasFlag('TENSION_AT_LIMIT'),
  TENSION_FELL: hasFlag('TENSION_FELL'),
  RECENT_RAIN: ({ hasRecentRain }) => factsIf(hasRecentRain),
  NO_DRY_LEVEL: ({ dryLevel }) => factsIf(dryLevel === null),
  TENSION_ONLY: () => factsIf(true),
};

function hasFlag(flag: SuspectTension['reason']) {
  return ({ suspect }: TensionInputs): FactsOf<SuspectTension['reason']> | null => {
    const ofFlag = suspect.filter(({ reason }) => reason === flag);
    return ofFlag.length === 0 ? null : { suspect: ofFlag };
  };
}

/** By half of the thermometers in the soil; `recent` has no depths where it measures that too. */
function isMostlyFrozen(facts: ProbeFacts, farm: FarmConditions): boolean {
  const fresh = facts.soilTemperatures.filter(({ at }) => isFreshAt(at, farm.now));
  if (fresh.length === 0) return isMostlyUnusable(facts.recent.depths, frozenDepths(facts, farm));
  return 2 * fresh.filter(({ celsius }) => isFrozen(celsius)).length >= fresh.length;
}

/**
 * A fall from dry to wet is what water does. Where neither waterings nor rain are ever recorded, the
 * record cannot tell that there was none.
 */
function isExplained({ reason, since }: SuspectTension, water: RecordedWater): boolean {
  if (reason !== 'TENSION_FELL') return false;
  const isRecorded = water.begun.length > 0 || water.rain.length > 0;
  return !isRecorded || explainsWetting(water, since);
}

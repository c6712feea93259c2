import type { ModuleFacts, ProbeFacts, SetupFacts, StateFacts } from '../../facts/probe-facts.ts';
import { doneWaterings, isOnProbe, type ProbeWateringFacts } from '../../facts/watering-facts.ts';
import type { AgronomicState } from '../../moisture/agronomic-state.ts';
import type { UsdaClass } from '../../soil/soil-catalog.ts';
import type { ProbeAdvice } from '../advice.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { unfrozenState } from '../probe/frozen-depths.ts';
import { adviseProbe } from '../probe/probe-advice.ts';
import { reasonOf } from '../reason.ts';
import { attributesOf, type CheckReason, checkFor, isSilence } from '../reason-kinds.ts';
import { textureAtTop } from '../wetted-fraction.ts';
import { ownWitnesses, type Witness } from '../witness/witness.ts';

/** A module as answers about the whole farm use it: without its readings. */
export interface FarmProbe {
  readonly module: ModuleFacts;
  /** Null for a module that measures no water in the soil, or was never in service. */
  readonly advice: ProbeAdvice | null;
  readonly daysToStress: number | null;
  /** Null for a station, or a module that was never in service. */
  readonly state: StateFacts | null;
  /** By which it is compared with others: without frozen depths; null where these are the most. */
  readonly unfrozenState: StateFacts | null;
  /** The state by the depths that are not in doubt; null where they are too few. */
  readonly trustedState: AgronomicState | null;
  /** Null for a module that was never in service. */
  readonly setup: SetupFacts | null;
  /** Of its uppermost soil; null where that is unknown. */
  readonly usdaClass: UsdaClass | null;
  /** The waterings of two weeks back and ahead, oldest first. */
  readonly waterings: readonly ProbeWateringFacts[];
  /** By id, what it shows of its own waterings that were done. */
  readonly witnesses: ReadonlyMap<number, Witness>;
  /** Instant of the newest moisture or tension; without advice, of the newest reading. */
  readonly lastAt: number | null;
  /** It has had no reading for more than 25 hours, or never. */
  readonly isSilent: boolean;
}

const NO_WATERINGS = { waterings: [], witnesses: new Map<number, Witness>() };

export const isWeatherStation = ({ category }: Pick<ModuleFacts, 'category'>): boolean =>
  category === 'WEATHER_STATION';

/** `facts` are undefined for a module that was never in service. */
export function farmProbe(
  module: ModuleFacts,
  facts: ProbeFacts | undefined,
  farm: FarmConditions,
): FarmProbe {
  const unadvised = {
    module,
    advice: null,
    daysToStress: null,
    state: null,
    unfrozenState: null,
    trustedState: null,
    usdaClass: null,
  };
  if (facts === undefined)
    return { ...unadvised, setup: null, ...NO_WATERINGS, lastAt: null, isSilent: true };

  const { setup, freshness, state, evidence } = facts;
  // What the parcel got before the probe was put in, no probe could show.
  const waterings = facts.waterings.filter(isOnProbe);
  const newest = { lastAt: freshness.newestAt, isSilent: !freshness.isFresh };
  // A weather station gets no advice, although it may have a humidity sensor or a tensiometer.
  if (isWeatherStation(module)) return { ...unadvised, setup, ...NO_WATERINGS, ...newest };

  const witnesses = ownWitnesses(doneWaterings(waterings, farm.now), {
    evidence,
    rain: farm.rainOn(module.parcelId),
    now: farm.now,
  });

  const { advice, state: trustedState } = adviseProbe(facts, farm, { expectedRainMm: 0 });
  const { daysToStress } = advice;
  const judged = { daysToStress, state, trustedState, unfrozenState: unfrozenState(facts, farm) };
  const usdaClass = textureAtTop(facts.recent.depths);
  const known = { module, ...judged, setup, usdaClass, waterings, witnesses };
  return measuresWater(module, advice)
    ? { ...known, advice, ...newestInAdvice(advice) }
    : { ...known, advice: null, ...newest };
}

const measuresWater = (
  { category }: ModuleFacts,
  { tension, reasons }: Pick<ProbeAdvice, 'tension' | 'reasons'>,
): boolean =>
  tension !== undefined ||
  (category !== 'TENSIOMETER' && reasonOf(reasons, 'NO_SOIL_MOISTURE') === undefined);

const newestInAdvice = ({ at, reasons }: ProbeAdvice): Pick<FarmProbe, 'lastAt' | 'isSilent'> => ({
  lastAt: at,
  isSilent: reasons.some(isSilence),
});

export const checkBeforeWatering = (
  { advice }: Pick<FarmProbe, 'advice'>,
  needsWater: boolean,
): CheckReason | null =>
  advice && checkFor(advice.reasons, needsWater || advice.turn?.isLate === true);

/** Nobody has said whether its crop rests, so that no amount is given in the cold. */
export const isRestUnknown = ({ advice }: Pick<FarmProbe, 'advice'>): boolean =>
  advice !== null && reasonOf(advice.reasons, 'REST_UNKNOWN') !== undefined;

/** No level tells whether the reading is dry, or the drawn ones contradict each other. */
export const isUnjudged = ({ advice, isSilent }: Pick<FarmProbe, 'advice' | 'isSilent'>): boolean =>
  advice !== null &&
  !isSilent &&
  advice.daysToStress === null &&
  advice.reasons.some(({ kind }) => attributesOf(kind).of === 'levels');

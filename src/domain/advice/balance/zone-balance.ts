import { cropOfDay, type GrowingCrop, type GrowthClock } from '../../balance/crop-growth.ts';
import { cropTables } from '../../balance/crop-tables.ts';
import { type BalanceDay, balanceOfDay } from '../../balance/daily-balance.ts';
import { availableMm, type BalanceLayers } from '../../balance/root-zone-soil.ts';
import {
  type BalanceSubject,
  runBalance,
  stateAtStart,
  surfaceWithin,
} from '../../balance/run-balance.ts';
import { surfaceOfSoil } from '../../balance/soil-evaporation.ts';
import type { CropSeasonFacts } from '../../facts/probe-facts.ts';
import { firstOf } from '../../items.ts';
import { type MulchSettings, shareUnderMulch } from '../../moisture/mulch.ts';
import { failure, ok, type Result } from '../../result.ts';
import { CROP_DEPLETIONS, type Crop, depletionOf } from '../../soil/allowed-depletion.ts';
import { mean } from '../../statistics.ts';
import { BALANCE_NEEDS, type BalanceNeed, type FullSoilBasis } from '../reason.ts';
import { FORESEEABLE_DAYS } from '../watering-advice.ts';
import type { PastWeather, WaterOfZone } from './balance-days.ts';
import { growthClock } from './growth-clock.ts';

/** The root zone that a valve wets, as far as it is known. */
export interface WettedRootZone extends WaterOfZone {
  readonly season: CropSeasonFacts | null;
  readonly rootDepthCm: number | null;
  readonly layers: BalanceLayers | null;
  /** The share that was set; null for that of the crop. */
  readonly allowedDepletion: number | null;
  readonly settings?: MulchSettings | null | undefined;
}

/** A root zone of which all is known that its balance needs. */
export interface BalancedZone {
  readonly crop: GrowingCrop;
  readonly clock: GrowthClock;
  readonly layers: BalanceLayers;
  readonly fractionWetted: number;
  /** The share of the available water that may be used before the next watering. */
  readonly allowedDepletion: number;
  /** What the parcel uses over what the tables say; default 1. */
  readonly useShare?: number | undefined;
  /** What a mulch leaves of the evaporation; default 1. */
  readonly evaporationShare?: number | undefined;
  /** Until today. */
  readonly days: readonly BalanceDay[];
}

export interface ZoneEstimate {
  /** In mm of the wetted zone. */
  readonly deficitMm: number;
  /** After each day. */
  readonly deficitsMm: readonly number[];
  /**
   * Until the allowed depletion is used up if the coming days are like the last ones; null if it
   * does not dry.
   */
  readonly daysToStress: number | null;
  /** A day, of the zone, by transpiration. */
  readonly lossMm: number;
}

/** A deficit that follows from rain, waterings and evapotranspiration since a measured one. */
export interface BalanceEstimate extends ZoneEstimate {
  /** The first local day that is computed. */
  readonly since: string;
  /** Why its soil was full then; absent where readings say how full it was. */
  readonly from?: FullSoilBasis;
  /** The learned share of the use of the tables; null if unknown, absent where none was looked for. */
  readonly waterUse?: number | null | undefined;
}

/** Days of which the pace is taken as that of the coming ones. */
const PACE_DAYS = 3;

/** `start` is null where no weather says when a balance can begin. */
export function knownZone<Start extends { readonly day: string }>(
  start: Start | null,
  { season, rootDepthCm, layers, fractionWetted, allowedDepletion, settings }: WettedRootZone,
  { zone, weather: { latitude = null } }: Pick<PastWeather, 'zone' | 'weather'>,
): Result<
  Omit<BalancedZone, 'days'> & { readonly start: Start; readonly rootDepthCm: number },
  readonly BalanceNeed[]
> {
  const crop = season?.crop ?? null;
  const clock = season && crop && start && growthClock(season, crop, start.day, { zone, latitude });
  if (crop && clock && layers && rootDepthCm !== null && start)
    return ok({
      crop: growingCrop(crop, rootDepthCm),
      clock,
      layers,
      fractionWetted,
      allowedDepletion: depletionOf(allowedDepletion, crop).share,
      evaporationShare: shareUnderMulch(settings),
      start,
      rootDepthCm,
    });

  const isUnknown: Readonly<Partial<Record<BalanceNeed, boolean>>> = {
    crop: crop === null,
    stage: crop !== null && start !== null && clock === null,
    root_depth: rootDepthCm === null,
    soil: layers === null,
    weather: start === null,
  };
  return failure(BALANCE_NEEDS.filter((need) => isUnknown[need]));
}

/** The balance of the wetted zone over its days, from a deficit in it before the first. */
export function zoneBalance(zone: BalancedZone, startMm: number): ZoneEstimate {
  const subject = subjectOf(zone);
  const surfaceMm = surfaceWithin(startMm, subject.options.surface);
  const start = stateAtStart(subject, { rootZoneMm: startMm, belowMm: null }, surfaceMm);
  const results = runBalance(subject, start, zone.days);
  const deficitsMm = results.map(({ state }) => state.rootZoneMm);
  const deficitMm = deficitsMm.at(-1) ?? startMm;
  const lossMm = lossPerDay(zone, results);
  return { deficitMm, deficitsMm, daysToStress: daysToStress(zone, deficitMm, lossMm), lossMm };
}

/**
 * What crop and soil use on each day, in mm of the zone, if it lacked on the evening before as much
 * as was measured.
 */
export function expectedUseMm(
  zone: BalancedZone,
  lacksMm: readonly (number | null)[],
): readonly number[] {
  const subject = subjectOf(zone);
  const { crop, clock, layers, options } = subject;
  let state = stateAtStart(subject, { rootZoneMm: 0, belowMm: null });
  return zone.days.map((day, index) => {
    const rootZoneMm = lacksMm[index - 1] ?? state.rootZoneMm;
    const cropToday = cropOfDay(crop, clock, layers, index);
    const result = balanceOfDay({ ...state, rootZoneMm }, day, cropToday, options);
    state = result.state;
    return result.lossMm;
  });
}

function subjectOf({
  crop,
  clock,
  layers,
  fractionWetted,
  useShare,
  evaporationShare,
}: BalancedZone): BalanceSubject {
  return {
    crop,
    clock,
    layers,
    options: {
      surface: surfaceOfSoil(firstOf(layers)),
      reference: 'grass',
      adjustsDepletion: true,
      zoneFraction: fractionWetted,
      limitsEvaporation: true,
      useShare,
      evaporationShare,
    },
  };
}

/** At the pace of the last days, with the crop as it is today. */
function lossPerDay(
  { crop, clock, layers, fractionWetted, useShare = 1 }: BalancedZone,
  results: readonly { readonly transpirationMm: number }[],
): number {
  const coefficientOn = (index: number): number =>
    cropOfDay(crop, clock, layers, index).coefficient;
  // The last day is today, of which a part is still to come.
  const today = results.length - 1;
  const first = Math.max(0, today - PACE_DAYS);
  const recent = results.slice(first, today).map(({ transpirationMm }, index) => {
    return (transpirationMm * coefficientOn(today)) / coefficientOn(first + index);
  });
  return recent.length === 0 ? 0 : (useShare * mean(recent)) / fractionWetted;
}

function daysToStress(
  { crop, layers, allowedDepletion }: BalancedZone,
  deficitMm: number,
  lossMm: number,
): number | null {
  const readilyMm = allowedDepletion * availableMm(layers, crop.rootsCm.max);
  if (deficitMm >= readilyMm) return 0;
  return lossMm === 0 ? null : Math.min(FORESEEABLE_DAYS, (readilyMm - deficitMm) / lossMm);
}

/**
 * Roots are as deep as somebody has said and do not grow: table 22 gives a range of which a guess
 * would cost several mm.
 */
function growingCrop(crop: Crop, rootDepthCm: number): GrowingCrop {
  const { basal, single, heightM } = cropTables(crop);
  return {
    basis: basal === null ? 'single' : 'dual',
    coefficients: basal ?? single,
    height: { initial: heightM, max: heightM },
    rootsCm: { initial: rootDepthCm, max: rootDepthCm },
    allowedDepletion: CROP_DEPLETIONS[crop],
  };
}

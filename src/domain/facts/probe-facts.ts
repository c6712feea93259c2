import type { CropSeason } from '../balance/crop-season.ts';
import type { WaterUse } from '../balance/water-use.ts';
import type { IrrigationSystem } from '../irrigation/dose.ts';
import type { AgronomicState, AgronomicThresholds } from '../moisture/agronomic-state.ts';
import type { LineDoubt } from '../moisture/line-limits.ts';
import type { MeasurementType } from '../moisture/measurement.ts';
import type { MulchSettings } from '../moisture/mulch.ts';
import type { QualityFlag } from '../moisture/quality-flags.ts';
import type { TimedValue } from '../moisture/series.ts';
import type { TensionLevels } from '../moisture/tension/tension-state.ts';
import type { WaterTimes } from '../moisture/water-times.ts';
import type { Period } from '../periods.ts';
import type { Crop } from '../soil/allowed-depletion.ts';
import type { Slice } from '../soil/slices.ts';
import type { UsdaClass } from '../soil/soil-catalog.ts';
import type { CommissioningFacts } from './commissioning.ts';
import type { DayEnd } from './day-ends.ts';
import type { DayMeans } from './day-means.ts';
import type { DryingRate } from './drying-rate.ts';
import type { CommonJump, ResponseFacts, WateringEvidence } from './response-facts.ts';
import type { SoilTemperature } from './soil-temperature.ts';
import type { SuspectTension } from './suspect-tension.ts';
import type { WateringFacts } from './watering-facts.ts';

/*
 * What answers about soil and water are computed from: instants in ms since 1970 UTC, values as
 * they are stored. They come from the store, or from the answers of a service elsewhere, whose
 * values are rounded.
 */

export interface ModuleFacts {
  readonly id: number;
  readonly uid: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly parcelId: number | null;
}

/** The soil of one depth and what its sensors measured. */
export interface DepthFacts {
  readonly depthCm: number;
  /** Null without a slice of the root zone. */
  readonly slice: Slice | null;
  /** Share of the summary curve, 0 to 1. */
  readonly weight: number;
  /** Means over the slice in m3/m3; null without a soil layer. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
  readonly saturation: number | null;
  /** Means of the sensors at this depth, without dropouts, oldest first. */
  readonly points: readonly TimedValue[];
}

/** The measurements of a probe in a period. */
export interface ProbeSeries {
  /** Before it (ms) hours stand in place of single readings; absent where that changes nothing. */
  readonly hoursBefore?: number;
  readonly type: MeasurementType;
  readonly hasSensors: boolean;
  /** At the end of the period; null if unknown. */
  readonly rootDepthCm: number | null;
  /** From the surface down. */
  readonly depths: readonly DepthFacts[];
  /** The weighted mean of the sensors, without dropouts, oldest first. */
  readonly curve: readonly TimedValue[];
}

/** A sensor whose newest value cannot be the moisture of the soil. */
export interface SuspectReading {
  readonly depthCm: number | null;
  /** In %. */
  readonly value: number;
  readonly reason: QualityFlag;
  /**
   * In %: the driest or wettest that the soil can be, what a sensor read before it fell or drifted,
   * or how far a noisy one strays; null for a stuck sensor.
   */
  readonly limit: number | null;
  /** Since when a stuck sensor has shown the value, or when it fell or began to drift. */
  readonly since: number | null;
}

export interface TensionFacts extends TensionLevels {
  /** The newest tension in kPa. */
  readonly value: number | null;
  /** Null if unknown. */
  readonly isDry: boolean | null;
  /** The usual levels in the texture class that weighs most in the curve. */
  readonly typical?: {
    readonly usdaClass: UsdaClass;
    readonly wetLevel: number;
    readonly dryFrom: number;
    readonly dryTo: number;
  };
  /** Absent where no value is in doubt. */
  readonly suspect?: readonly SuspectTension[];
}

/** The newest value of a probe and the thresholds with which it is compared, in %. */
export interface StateFacts extends AgronomicThresholds {
  readonly state: AgronomicState | null;
  /** As it is shown, with one decimal: the thresholds are compared with that. */
  readonly moisture: number | null;
  readonly at: number | null;
  readonly doubts: readonly SuspectReading[];
  /** Drawn lines that the soil does not explain and nobody confirmed; absent where none is. */
  readonly doubtedLines?: readonly LineDoubt[];
  /** Present for a tensiometer, whose tension is judged, and not its moisture. */
  readonly tension?: TensionFacts;
}

/** The newest reading of a probe, whatever it measures. */
export interface Freshness {
  /** May lie ahead of now, because clocks differ. Null without a reading. */
  readonly newestAt: number | null;
  readonly isFresh: boolean;
}

/** Equipment of a probe or of its parcel while it is in force. */
export interface EquipmentFacts {
  readonly scope: 'module' | 'parcel';
  readonly system: IrrigationSystem;
  /** `validTo` is null while it is in force. */
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly flowMmPerH: number | null;
  readonly irrigatedAreaM2: number | null;
  readonly fractionWetted: number;
  readonly fractionWettedIsDefault: boolean;
  /** The fraction follows from the spacing of its drip lines, in place of the default. */
  readonly isFractionOfSpacing?: true;
  readonly emitterSpacingM: number | null;
  readonly lineSpacingM: number | null;
}

/** Null where a setting is unset. */
export interface SettingsFacts extends MulchSettings {
  readonly validFrom: number | null;
  readonly rootDepthCm: number | null;
  /** A share, from 0 to 1. */
  readonly allowedDepletion: number | null;
  readonly refillPercent: number | null;
  readonly efficiencyPercent: number | null;
  readonly leachingPercent: number | null;
  readonly hoursPerDay: number | null;
  /** Days of the year, MM-DD; `restFrom` may be `never`. */
  readonly restFrom: string | null;
  readonly restUntil: string | null;
  /** Undefined where a service knows none. */
  readonly waterTimes?: WaterTimes | null | undefined;
}

/** The crop of a parcel, as far as it is known. Days are local dates; null where unknown. */
export interface CropSeasonFacts extends Omit<CropSeason, 'crop' | 'rootDepthCm'> {
  readonly crop: Crop | null;
}

/** The equipment and settings of a probe. */
export interface SetupFacts {
  readonly parcelId: number | null;
  /** Null without a parcel, or where a service does not tell. */
  readonly cropSeason: CropSeasonFacts | null;
  /** Null where a service does not tell. */
  readonly commissioning: CommissioningFacts | null;
  /** The equipment now in force. */
  readonly installation: EquipmentFacts | null;
  readonly versions: readonly EquipmentFacts[];
  readonly settings: SettingsFacts | null;
  /** Newest first. Undefined where a service knows no settings. */
  readonly settingsVersions: readonly SettingsFacts[] | undefined;
  /** Waterings, not skipped ones, whose dose is unknown. */
  readonly missingDoses: { readonly count: number; readonly withoutInstallation: number };
}

/** The days before now of which the waterings and the curve of a probe are read. */
export const DRYING_RATE_DAYS = 14;

/** The facts that an advice for one probe needs. */
export interface ProbeFacts {
  readonly module: ModuleFacts;
  readonly freshness: Freshness;
  /** Single readings of the last 25 hours. */
  readonly recent: ProbeSeries;
  /** Share of readings missing in the last week, 0 to 1. */
  readonly missingShare: number;
  /** In the dry spells of the last `DRYING_RATE_DAYS`; null if these are too few. */
  readonly dryingRate: DryingRate | null;
  /**
   * The same days, without depths in doubt; for a silent probe, the days before its newest reading.
   */
  readonly dayEnds: readonly DayEnd[];
  /** The last whole days with readings, without depths in doubt; null without one. */
  readonly dayMeans: DayMeans | null;
  /** The newest hour with a reading of each depth in the same days; null without one. */
  readonly newestByDepth: readonly { readonly depthCm: number; readonly at: number | null }[];
  /** The response of the same days; for a tensiometer, to the waterings on its valve. */
  readonly response: ResponseFacts;
  /** The evidence of the same waterings; null where the probe measures no water in the soil. */
  readonly evidence: readonly WateringEvidence[] | null;
  /** When water arrived at a depth in the same days, of rain or a watering; in no order. */
  readonly wettedAt: readonly number[];
  /** A rise of all depths at once in the same days, which water may explain; null without one. */
  readonly jump: CommonJump | null;
  /** Since when the curve has been far above its field capacity; null where it is not now. */
  readonly wetSince: number | null;
  /**
   * In %, by three wettings of the same days or more, where that of a texture class counts; absent
   * where they do not say.
   */
  readonly offeredCapacity?: number;
  /** The thermometers in the soil, from the surface down. */
  readonly soilTemperatures: readonly SoilTemperature[];
  /**
   * The periods of the last `DRYING_RATE_DAYS`, oldest first, in which heavy rain would have shown:
   * the uppermost sensor had readings, no depth rose and the soil was below field capacity.
   */
  readonly stillPeriods: readonly Period[];
  readonly state: StateFacts;
  readonly setup: SetupFacts;
  /** From `DRYING_RATE_DAYS` before now to two weeks ahead, oldest first. */
  readonly waterings: readonly WateringFacts[];
  /**
   * The waterings before those, as far back as a balance may begin, oldest first. Empty unless the
   * probe has long been silent.
   */
  readonly earlierWaterings: readonly WateringFacts[];
  /**
   * The same days: `waterings`, and where a tension is judged those of the parcel that reach it.
   */
  readonly wateringsOnValve: readonly WateringFacts[];
  /** The waterings of the whole parcel, on whichever valve; empty unless a tension is judged. */
  readonly wateringsOfParcel: readonly WateringFacts[];
  /** Of its parcel, oldest first; absent unless a balance asks for it. */
  readonly waterUse?: readonly WaterUse[];
}

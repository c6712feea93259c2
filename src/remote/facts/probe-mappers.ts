import type { SparklineCurve } from '../../domain/advice/farm/sparkline.ts';
import { NO_SEASON } from '../../domain/balance/crop-season.ts';
import type { ParcelFacts } from '../../domain/facts/parcel-facts.ts';
import type {
  EquipmentFacts,
  Freshness,
  ModuleFacts,
  ProbeSeries,
  SettingsFacts,
  SetupFacts,
  StateFacts,
  TensionFacts,
} from '../../domain/facts/probe-facts.ts';
import { probeSeries, timedValues } from '../../domain/facts/probe-series.ts';
import type { Thermometer } from '../../domain/facts/soil-temperature.ts';
import { withoutCalibrationSteps } from '../../domain/moisture/calibration.ts';
import type { TimedValue } from '../../domain/moisture/series.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import type { ListedModuleBody } from '../../schema/company/company.ts';
import type {
  InstallationVersionBody,
  IrrigationSetupBody,
  ParcelIrrigationBody,
} from '../../schema/irrigation/installation.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../schema/moisture/series.ts';
import type { ProbeSettingsBody } from '../../schema/moisture/setting-fields.ts';
import { suspectReadingOf, suspectTensionOf } from '../../schema/moisture/suspect-bodies.ts';
import { parseInstantOrNull } from '../../schema/wire-format.ts';
import { toCropSeasonFacts } from '../../service/company/seasons.ts';

export const toModuleFacts = ({
  id,
  uid,
  name,
  category,
  parcelId,
}: ListedModuleBody): ModuleFacts => ({ id, uid, name, category, parcelId });

export const toFreshness = ({ freshness }: MoistureSeriesBody): Freshness => ({
  newestAt: parseInstantOrNull(freshness.time),
  isFresh: freshness.isFresh,
});

/** The values of the sensors have more decimals than those of the curve in the answer. */
export function toProbeSeries({
  type,
  data,
  interval_seconds: intervalS,
  rootDepthCm = null,
  sensors = [],
  hoursBefore,
}: MoistureSeriesBody): ProbeSeries {
  const instants = data.map(({ time }) => Date.parse(time));
  // A service may leave out a time.
  if (instants.some(Number.isNaN)) throw new RangeError('A point of the series has no time');

  const series = probeSeries({
    type,
    rootDepthCm,
    sensors: sensors.map(({ depth, topCm, bottomCm, values, calibratedFrom = [], ...sensor }) => ({
      ...sensor,
      depthCm: depth,
      slice: topCm === null || bottomCm === null ? null : { topCm, bottomCm },
      points: withoutSteps(timedValues(instants, values), calibratedFrom, intervalS),
    })),
  });
  return hoursBefore == null ? series : { ...series, hoursBefore: Date.parse(hoursBefore) };
}

function withoutSteps(
  points: readonly TimedValue[],
  calibratedFrom: readonly string[],
  intervalS: number | null,
): readonly TimedValue[] {
  if (calibratedFrom.length === 0) return points;

  const { at, values } = withoutCalibrationSteps(
    calibratedFrom.map((time) => ({ from: Date.parse(time) })),
    { at: points.map((point) => point.at), values: points.map(({ value }) => value) },
    (intervalS ?? 0) * SECOND_MS,
  );
  return timedValues(at, values);
}

/** Empty for a series of another type: a service answers with the only type of a probe. */
export const toThermometers = ({ type, data, sensors = [] }: MoistureSeriesBody): Thermometer[] =>
  type === 'temperature'
    ? sensors.map(({ depth: depthCm, values }) => ({
        depthCm,
        points: timedValues(
          data.map(({ time }) => Date.parse(time)),
          values,
        ),
      }))
    : [];

/** The curve alone, with its values as they are shown. */
export const toSparkline = ({ type, data }: MoistureSeriesBody): SparklineCurve => ({
  type,
  curve: data.flatMap(({ time, value_vwc: moisture, value_tensio: tension }) => {
    // Some loggers send the water potential, which is the negative tension.
    const value = moisture ?? (tension == null ? null : Math.abs(tension));
    return value === null ? [] : [{ at: Date.parse(time), value }];
  }),
});

/** A service of the specification may answer without `doubts`. */
export function toStateFacts({
  value_vwc: moisture,
  time,
  doubts = [],
  tension,
  moduleId: _,
  ...state
}: AgronomicStateBody): StateFacts {
  const facts: StateFacts = {
    ...state,
    moisture,
    at: parseInstantOrNull(time),
    doubts: doubts.map(suspectReadingOf),
  };
  return tension === undefined ? facts : { ...facts, tension: toTensionFacts(tension) };
}

const toTensionFacts = ({
  typical,
  suspect,
  ...levels
}: NonNullable<AgronomicStateBody['tension']>): TensionFacts => ({
  ...levels,
  typical,
  suspect: suspect?.map(suspectTensionOf),
});

type EquipmentBody = Omit<InstallationVersionBody, 'setAt' | 'notes'>;

const toEquipmentFacts = ({
  scope,
  system,
  validFrom,
  validTo,
  flowMmPerH,
  irrigatedAreaM2,
  fractionWetted,
  fractionWettedIsDefault,
  emitterSpacingM,
  lineSpacingM,
}: EquipmentBody): EquipmentFacts => ({
  scope,
  system,
  validFrom: Date.parse(validFrom),
  validTo: parseInstantOrNull(validTo),
  flowMmPerH,
  irrigatedAreaM2,
  fractionWetted,
  fractionWettedIsDefault,
  emitterSpacingM: emitterSpacingM ?? null,
  lineSpacingM: lineSpacingM ?? null,
});

const toSettingsFacts = ({
  validFrom,
  depthWeights: _,
  stonesByDepth: __,
  emitterDepthCm: ___,
  restFrom = null,
  restUntil = null,
  ...settings
}: ProbeSettingsBody): SettingsFacts => ({
  ...settings,
  restFrom,
  restUntil,
  validFrom: parseInstantOrNull(validFrom),
});

export const toSetupFacts = ({
  parcelId,
  installation,
  versions,
  missingDoses: { count, withoutInstallation },
  settings,
  settingsVersions,
  season,
  commissioning,
}: PartialSetupBody): SetupFacts => ({
  parcelId,
  cropSeason: season === undefined ? null : toCropSeasonFacts(season),
  commissioning: commissioning
    ? { at: Date.parse(commissioning.at), isAssumed: commissioning.isAssumed }
    : null,
  installation: installation && toEquipmentFacts(installation),
  versions: versions.map(toEquipmentFacts),
  settings: settings ? toSettingsFacts(settings) : null,
  settingsVersions: settingsVersions?.map(toSettingsFacts),
  missingDoses: { count, withoutInstallation },
});

/** A service that tells neither crop nor soil leaves the balance without them. */
export function toParcelFacts({
  parcelId,
  installation,
  settings,
  season = NO_SEASON,
  soil = [],
}: PartialParcelBody): ParcelFacts {
  return {
    id: parcelId,
    season: toCropSeasonFacts(season),
    rootDepthCm: season.rootDepthCm ?? settings?.rootDepthCm ?? null,
    layers: soil,
    installation: installation && toEquipmentFacts(installation),
    settings: settings ? toSettingsFacts(settings) : null,
  };
}

type PartialParcelBody = Omit<ParcelIrrigationBody, 'settings'> &
  Partial<Pick<ParcelIrrigationBody, 'settings'>>;

/** A service of the specification has no settings. */
type PartialSetupBody = Omit<IrrigationSetupBody, 'settings' | 'settingsVersions'> &
  Partial<Pick<IrrigationSetupBody, 'settings' | 'settingsVersions'>>;

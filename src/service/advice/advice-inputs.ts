import { netShare, type RootZoneSlice } from '../../domain/advice/watering-advice.ts';
import { roundTo } from '../../domain/decimal.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture, MEASUREMENTS } from '../../domain/moisture/measurement.ts';
import { SETTING_DEFAULTS } from '../../domain/moisture/probe-settings.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { IrrigationSetupBody } from '../../schema/irrigation/installation.ts';
import type { ProbeSettingsBody } from '../../schema/moisture/probe-settings.ts';
import type { AgronomicStateBody, MoistureSeriesBody } from '../../schema/moisture/series.ts';
import { toIso } from '../wire-format.ts';
import {
  MAX_RECENT_READINGS,
  type PartReads,
  parseInstantOrNull,
  wateringsBetween,
} from './operation-reads.ts';
import { probeDepths, unroundedSummaryCurve } from './probe-depths.ts';
import { recordedRain } from './weather.ts';

export type AdviceOperations = Pick<
  PartReads,
  | 'getModule'
  | 'getMoistureSeries'
  | 'getAgronomicState'
  | 'getIrrigationSetup'
  | 'getWeather'
  | 'listRain'
  | 'listWaterings'
>;

export const DRYING_RATE_DAYS = 14;

/**
 * A series without a period covers the last week. One or two points of it are enough, because only
 * its share of missing readings is used.
 */
const WEEK_S = 7 * 24 * 3600;

export async function loadAdviceInputs(
  { now, zone }: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
) {
  const { getModule, getMoistureSeries, getAgronomicState, getIrrigationSetup } = operations;
  const module = await getModule({ moduleId });
  const freshPeriod = {
    start: toIso(now - MAX_FRESH_AGE_MS),
    end: toIso(now + 1),
    maxPoints: MAX_RECENT_READINGS,
    depths: true,
  };
  const recent = await getMoistureSeries({ moduleId, ...freshPeriod });

  const lastWeek = await getMoistureSeries({ moduleId, interval: WEEK_S });
  const setup = await getIrrigationSetup({ moduleId });
  const dryingPeriod = { from: now - DRYING_RATE_DAYS * DAY_MS, to: now + 1 };
  const waterings = await wateringsBetween(operations, { moduleId }, dryingPeriod);
  const rain = await recordedRain(operations, zone, dryingPeriod);
  const state = await getAgronomicState({ moduleId });
  const measuresSoilMoisture = isSoilMoisture(recent, module);

  return {
    module,
    measuresSoilMoisture,
    depths: measuresSoilMoisture ? probeDepths(recent, drawnFieldCapacity(state)) : [],
    newestAt: measuresSoilMoisture ? newestReadingAt(recent, state, now) : null,
    /** Share of missing readings over the last week, 0 to 1. */
    missingShare: lastWeek.missingShare,
    rootDepthCm: recent.rootDepthCm ?? null,
    state,
    unroundedValue: unroundedValue(state, recent),
    installation: setup.installation,
    settings: adviceSettings(setup.settings),
    done: waterings.filter(({ status }) => status === 'done'),
    /** They are running, or ended and are not confirmed. */
    startedPlanned: waterings.filter(({ status }) => status === 'planned'),
    rain,
  };
}

/**
 * The instant of the newest reading until now, in ms. The freshness of a series is that of the
 * newest reading of all, which may be later than now.
 */
function newestReadingAt(
  { freshness, data }: MoistureSeriesBody,
  state: AgronomicStateBody,
  now: number,
): number | null {
  const isPast = freshness.time === null || Date.parse(freshness.time) <= now;
  return parseInstantOrNull(isPast ? freshness.time : (data.at(-1)?.time ?? state.time));
}

/** The value of the state has one decimal, and a soil may lose less than that in a day. */
function unroundedValue(
  { value_vwc: value, time }: AgronomicStateBody,
  recent: MoistureSeriesBody,
): number | null {
  if (value === null || time === null) return null;
  const exact = unroundedSummaryCurve(recent).find(({ at }) => at === Date.parse(time))?.value;
  // The state uses the last value of a sensor that has not reported yet, so the two may differ.
  const { decimals } = MEASUREMENTS.humidity;
  return exact !== undefined && roundTo(exact, decimals) === value ? exact : value;
}

export type AdviceInputs = Awaited<ReturnType<typeof loadAdviceInputs>>;

export const rootZoneSlices = ({ depths }: AdviceInputs): RootZoneSlice[] =>
  depths.flatMap(({ slice, fieldCapacity, points }) =>
    slice === null ? [] : [{ ...slice, fieldCapacity, moisture: points.at(-1)?.value ?? null }],
  );

/** A service of the specification may answer without them. */
export const suspectReadingsOf = ({ state }: AdviceInputs): AgronomicStateBody['doubts'] =>
  state.doubts ?? [];

/** The field capacity that a person drew, in m3/m3. */
export const drawnFieldCapacity = ({ fieldCapacity, basis }: AgronomicStateBody): number | null =>
  basis.fieldCapacity === 'annotation' && fieldCapacity !== null ? fieldCapacity / 100 : null;

/** A service of the specification has no settings. */
const adviceSettings = (settings: ProbeSettingsBody | null | undefined) => ({
  refillPercent: settings?.refillPercent ?? SETTING_DEFAULTS.refillPercent,
  efficiencyPercent: settings?.efficiencyPercent ?? SETTING_DEFAULTS.efficiencyPercent,
  leachingPercent: settings?.leachingPercent ?? SETTING_DEFAULTS.leachingPercent,
  hoursPerDay: settings?.hoursPerDay ?? SETTING_DEFAULTS.hoursPerDay,
});

const settingsOn = (
  { settingsVersions = [] }: IrrigationSetupBody,
  at: number,
): ProbeSettingsBody | null =>
  settingsVersions.find(({ validFrom }) => validFrom !== null && Date.parse(validFrom) <= at) ??
  null;

export const netShareOn = (setup: IrrigationSetupBody, at: number): number =>
  netShare(adviceSettings(settingsOn(setup, at)));

/** Undefined if the service has no settings, as one of the specification. */
export const rootDepthOn = (setup: IrrigationSetupBody, at: number): number | null | undefined =>
  setup.settingsVersions === undefined ? undefined : (settingsOn(setup, at)?.rootDepthCm ?? null);

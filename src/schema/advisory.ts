import { z } from 'zod/v3';
import { ALERT_KIND_NAMES } from '../domain/alerts/alert-kinds.ts';
import { ISO_DATE } from '../domain/calendar.ts';
import { IRRIGATION_SYSTEMS } from '../domain/irrigation/dose.ts';
import { INPUT_MODES } from '../domain/irrigation/watering-amount.ts';
import { MEASUREMENT_TYPES } from '../domain/moisture/measurement.ts';
import { CROPS, type Crop, DEPLETION_BASES } from '../domain/soil/allowed-depletion.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { alertState } from './alerts/alert.ts';
import { WATERING_STATUSES } from './irrigation/watering.ts';
import { lineDoubt, suspectReading } from './moisture/series.ts';
import { SCOPES } from './scope.ts';
import {
  DEMAND_RATIO_BASES,
  EVAPOTRANSPIRATION_METHODS,
  WEATHER_INPUTS,
} from './weather/weather.ts';

/**
 * Facts for the summary that the body does not carry. They are rendered when an answer is read, in
 * the reader's language; stored answers and the REST header carry them as JSON.
 */

const LATEST_MS = Date.UTC(2201, 0, 1);

/** ms since 1970 UTC. */
const instant = z.number().int().min(0).max(LATEST_MS);
const count = z.number().int().min(0);
const id = z.number().int();
const decimal = z.string().regex(/^-?\d+([.]\d+)?$/);
const clockTime = z.string().regex(/^\d\d:\d\d(:\d\d)?$/);
const clockTimes = z.array(clockTime).readonly();
const quoted = z.string().regex(/^"[^"]*"$/);
const names = z.array(z.string()).readonly();
const soilSlice = z.object({ topCm: z.number(), bottomCm: z.number() });
const soilSlices = z.array(soilSlice).readonly();
const soilLayers = z.array(
  z.object({
    soilHorizonId: z.number().int().min(1).max(12),
    depthTopCm: z.number(),
    depthBottomCm: z.number(),
  }),
);
const changed = <Value extends z.ZodTypeAny>(value: Value) =>
  z.object({ from: value, to: value }).nullable();
const alertKind = z.enum(ALERT_KIND_NAMES);
const alertLevels = { alertKind, threshold: decimal, hysteresis: decimal };

const isoDay = z.string().regex(ISO_DATE);
const evapotranspirationMethod = {
  method: z.enum(EVAPOTRANSPIRATION_METHODS),
  /** Inputs that Penman-Monteith lacks. */
  missing: z.array(z.enum(WEATHER_INPUTS)).readonly(),
};

const fact = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.object({ kind: z.literal(kind), ...fields });

export const advisory = z.discriminatedUnion('kind', [
  fact('only_probe_of_parcel', { parcel: z.string(), probe: z.string() }),
  fact('name_understood', { text: quoted, name: z.string() }),
  /** `text` as sent, quoted; `clock` as interpreted. */
  fact('skipped_local_time', { text: quoted, clock: clockTime }),
  fact('repeated_local_time', { text: quoted, clock: clockTime }),

  /** Added to a stored answer: `changeId` is the change that undid it since. */
  fact('undone_since', { changeId: id }),
  fact('sensors_with_readings_kept', {
    sensors: z.array(
      z.object({
        type: z.enum(MEASUREMENT_TYPES),
        depth: z.number().nullable(),
        label: z.string().nullable(),
      }),
    ),
  }),
  /** `earlierReadings`: how many it sent before, which are written now. */
  fact('device_assigned', {
    device: z.string(),
    depths: z.array(z.number()),
    earlierReadings: count,
  }),
  fact('device_status', {
    device: z.string(),
    lastSeenAt: instant,
    batteryPercent: z.number().nullable(),
    batteryV: z.number().nullable(),
    rssi: z.number().nullable(),
    snr: z.number().nullable(),
  }),
  /** `newest`: the newest reading of each kind. `others`: how many more devices. */
  fact('unassigned_devices', {
    devices: z.array(
      z.object({
        device: z.string(),
        newest: z.array(z.object({ type: z.string(), value: z.number() })),
      }),
    ),
    others: count,
  }),
  /** `reason`: why the newest message gave nothing. `others`: how many more senders. */
  fact('unread_messages', { sender: z.string(), reason: z.string(), others: count }),
  /** Newest readings that no soil explains. `others`: how many more sensors. */
  fact('doubtful_temperatures', {
    sensors: z.array(
      z.object({ probe: z.string(), depth: z.number().nullable(), celsius: z.number() }),
    ),
    others: count,
  }),
  /** `scopes` are those that would show the rows of the change. */
  fact('rows_withheld', { scopes: z.array(z.enum(SCOPES)) }),
  fact('similar_name', { tool: z.enum(['set_parcel', 'set_module']), existing: z.string() }),
  fact('total', { count }),
  fact('waterings_by_status', {
    counts: z.array(z.object({ status: z.enum(WATERING_STATUSES), count })),
  }),
  fact('waterings_ahead', { count, nextAt: instant, probe: z.string() }),
  fact('older_drawings_omitted', { count }),
  fact('older_episodes_omitted', { omitted: count, total: count }),

  /** `others`: how many more overlap. `probes`: how many were watered in this call. */
  fact('overlapping_watering', {
    id,
    other: z.object({
      id,
      startedAt: instant,
      endedAt: instant.nullable(),
      status: z.enum(WATERING_STATUSES),
    }),
    probe: z.string(),
    others: count,
    probes: count,
  }),
  /** `others`: on how many more probes. */
  fact('run_time_contradicts', {
    amount: z.object({ mode: z.enum(INPUT_MODES), value: z.number() }),
    durationMin: z.number(),
    waterMm: z.number(),
    runMm: z.number(),
    runM3: z.number().nullable(),
    probe: z.string(),
    others: count,
  }),
  fact('needs_confirmation', {}),
  /** Other records have rain of the same day: `id`, and `others` more. */
  fact('rain_counted_once', {
    id,
    mm: z.number(),
    others: count,
    isNewCounted: z.boolean(),
    totalMm: z.number(),
  }),
  /** Listed rows that do not count, and how many more. */
  fact('rain_not_counted', { ids: z.array(id), others: count }),
  /**
   * Rain that sensors may not show yet, or, lost, never will. `effectiveMm`: subtracted from the
   * deficit; null if no amount is advised.
   */
  fact('recent_rain', {
    mm: z.number(),
    isShown: z.boolean(),
    isLost: z.boolean(),
    effectiveMm: z.number().nullable(),
  }),
  /** Rain since the last watering, which ended at `since`; null for none in two weeks. */
  fact('rain_in_readings', { mm: z.number(), effectiveMm: z.number(), since: instant.nullable() }),
  /** Totals by parcel, null for the whole farm, over the period of the answer or the last days. */
  fact('rain_totals', {
    totals: z.array(z.object({ parcel: z.string().nullable(), mm: z.number(), days: count })),
    lastDays: count.nullable(),
  }),
  /** `mm`: the amount before the correction. */
  fact('rain_corrected', { mm: z.number() }),
  /**
   * Other waterings of the same irrigation of a parcel. A field is null unless the correction made
   * it differ.
   */
  fact('other_probes_unchanged', {
    waterings: z.array(
      z.object({
        id,
        probe: z.string(),
        amount: z.object({ mode: z.enum(INPUT_MODES), value: z.number() }).nullable(),
        startedAt: instant.nullable(),
        durationMin: z.number().nullable(),
        status: z.enum(WATERING_STATUSES).nullable(),
        waterMm: z.number().nullable(),
      }),
    ),
    others: count,
  }),
  /** Each part is null where it did not change. */
  fact('watering_corrected', {
    start: changed(instant),
    amount: changed(z.object({ mode: z.enum(INPUT_MODES), value: z.number() })),
    durationMin: changed(count.nullable()),
    dose: changed(
      z.object({ waterMm: z.number().nullable(), waterMmWetted: z.number().nullable() }),
    ),
    isOtherEquipment: z.boolean(),
    status: changed(z.enum(WATERING_STATUSES)),
    isConfirmed: z.boolean(),
    note: z.enum(['added', 'changed', 'removed']).nullable(),
  }),

  /** Without the area, the volume of `count` waterings of the whole parcel gives no dose. */
  fact('parcel_area_unknown', { parcelId: id, parcel: z.string(), count }),
  fact('doses_completed', { count }),
  fact('planned_doses_updated', { count }),
  fact('recorded_doses_unchanged', { count }),
  fact('past_version', { from: instant.nullable(), to: instant }),
  /**
   * `from` is null if the version ended in the past. `reached`: probes that it applies to; `own`:
   * probes with a setup of their own.
   */
  fact('parcel_setup', { from: instant.nullable(), reached: names, own: names }),

  /** `ofSpacing`: what answers use in place of the default; null without a spacing. */
  fact('default_wetted_fraction', {
    system: z.enum(IRRIGATION_SYSTEMS),
    fraction: z.number(),
    ofSpacing: z.number().nullable(),
  }),

  fact('duplicate_schedule', { id }),
  /** Of each start of a schedule on a parcel; null where an area is missing. */
  fact('parcel_volume', {
    volumeM3: z.number(),
    areaM2: z.number().nullable(),
    waterMm: z.number().nullable(),
  }),
  /** Of the watering of a schedule on these probes. */
  fact('runoff', {
    rateMmPerH: z.number(),
    intakeMmPerH: z.number(),
    parts: count,
    minutesPerPart: z.number(),
    pauseMin: z.number(),
    probes: names,
  }),
  fact('nothing_planned', {}),
  fact('waterings_planned', {
    count,
    probes: count,
    withoutDose: count,
    nextAt: instant,
    timezone: z.string().refine(isTimeZone),
  }),
  fact('planned_waterings_changed', {
    moved: count,
    from: clockTimes,
    to: clockTimes,
    updated: count,
    added: count,
    removed: count,
    keptManual: count,
  }),
  /** The change takes several transactions; `modules` probes are still to be changed. */
  fact('planned_waterings_follow', { modules: count }),
  fact('still_waters_today', { times: clockTimes }),
  fact('removed_today', { times: clockTimes }),

  fact('silent_depths', { depths: z.array(z.number().nullable()), weightPercent: z.number() }),
  fact('different_depths', {}),
  fact('no_moisture_for_state', {}),
  fact('no_sensor_for_alert', { alertKind }),
  fact('no_moisture_for_backtest', {}),
  fact('no_moisture_for_drawing', {}),
  fact('no_tension_for_drawing', {}),
  fact('no_moisture_for_review', {}),
  fact('review_by_tension', {}),

  /** `share`: 0 to 1. `crop`: the crop of the parcel, if the share depends on it. */
  fact('allowed_depletion', {
    share: z.number(),
    basis: z.enum(DEPLETION_BASES),
    crop: z.enum(CROPS as [Crop, ...Crop[]]).nullable(),
  }),
  fact('deficit_depth', { bottomCm: z.number() }),
  /** `since`: null for more than two weeks. */
  fact('depths_silent', {
    depths: z.array(z.object({ depthCm: z.number(), since: instant.nullable() })).readonly(),
  }),
  /** All depths rose in the hour that began then, by `points` or more. */
  fact('depths_jumped', { at: instant, points: z.number() }),
  fact('slices_without_value', { slices: soilSlices }),
  fact('slices_in_doubt', { slices: soilSlices }),
  fact('frozen_slices', { slices: soilSlices }),
  fact('slices_without_layer', { slices: soilSlices }),
  /** `residual`: in %, where an exponential fall towards it counts by half. */
  fact('drying_rate', {
    basis: z.enum(['newest', 'days', 'parts']),
    pointsPerDay: z.number(),
    count,
    residual: z.number().nullable(),
  }),

  /** `comingMm` and `lastMm`: reference evapotranspiration in mm a day. */
  fact('demand_ratio', {
    percent: count,
    basis: z.enum(DEMAND_RATIO_BASES),
    comingMm: z.number(),
    comingDays: count,
    lastMm: z.number(),
    lastDays: count,
    ...evapotranspirationMethod,
  }),
  /** `until`: local day. `isCounted`: true if it counts as rain that the caller expects. */
  fact('forecast_rain', {
    mm: z.number(),
    until: isoDay,
    probability: z.number().nullable(),
    isCounted: z.boolean(),
  }),
  /**
   * A planned watering (`eventId`, at `at`) of these probes. `since`: end of the last watering;
   * null for the last three days.
   */
  fact('needless_after_rain', {
    eventId: id,
    at: instant,
    probes: names,
    rainMm: z.number(),
    effectiveMm: z.number(),
    neededMm: z.number(),
    plannedMm: z.number(),
    since: instant.nullable(),
  }),
  fact('reference_evapotranspiration', {
    mm: z.number(),
    days: count,
    ...evapotranspirationMethod,
    pace: z.object({ percent: count, basis: z.enum(DEMAND_RATIO_BASES) }).nullable(),
  }),

  fact('layers_closed', { layers: soilLayers }),
  fact('layers_in_force', { layers: soilLayers }),
  fact('layers_overlapping', { layers: soilLayers }),

  // Alerts: values and thresholds in the unit of the kind, heights of lines in % of volume.
  fact('suspect_readings', { doubts: z.array(suspectReading).readonly() }),
  fact('alert_recipient', { name: z.string() }),
  fact('alert_state', { ...alertLevels, reminderTime: clockTime, state: alertState }),
  fact('alert_never_resolves', { alertKind, resolvesAt: decimal }),
  fact('alert_firing', {
    ...alertLevels,
    since: instant,
    evaluatedAt: instant.nullable(),
    value: z.number().nullable(),
  }),
  fact('more_alerts_firing', { count }),
  fact('probes_with_firing_alert', { probes: z.array(z.string()), others: count }),
  fact('undelivered_mail', { waiting: count, refused: count, lastAnswer: quoted.nullable() }),
  fact('thresholds_crossed', {}),

  fact('settings_without_effect', {}),
  fact('roots_below_sensors', { rootDepthCm: z.number(), deepestCm: z.number() }),
  fact('usual_roots', {
    crop: z.enum(CROPS as [Crop, ...Crop[]]),
    fromCm: z.number(),
    toCm: z.number(),
    rootDepthCm: z.number().nullable(),
  }),
  fact('harvest_ahead', { day: isoDay }),

  fact('below_stress_point', { stressPoint: z.number(), hasLine: z.boolean() }),
  fact('line_in_doubt', lineDoubt.shape),
  fact('line_moved', { threshold: decimal }),
  fact('line_unchanged', {}),
  fact('own_alert_disabled', {}),
  fact('older_alert_disabled', { height: z.number() }),
  fact('own_alert_enabled', { height: z.number() }),
  fact('older_alert_enabled', { height: z.number() }),
  fact('newer_line_counts', { height: z.number() }),
  fact('line_alert_moved', { from: decimal, to: z.number(), isActive: z.boolean() }),
  fact('content_part_removed', { part: z.enum(['style', 'text']) }),
]);
export type Advisory = z.output<typeof advisory>;

/** Skips what is not an advisory, such as a kind that only another program knows. */
export function parseAdvisories(value: unknown): Advisory[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => advisory.safeParse(item).data ?? []);
}

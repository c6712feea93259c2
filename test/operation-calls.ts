/** Arguments in the form of the REST API: ids, ISO 8601, null to clear. */
export type WireFields = Readonly<Record<string, unknown>>;

/** Rows of one company that calls refer to, and values by which its rows can be recognized. */
export interface FarmRows {
  readonly module: number;
  readonly parcel: number;
  readonly event: number;
  /** Of a parcel that has no probe. */
  readonly parcelEvent: number;
  readonly schedule: number;
  readonly rain: number;
  readonly version: number;
  /** A wilting-point line on the module, and the alert that it drives. */
  readonly line: string;
  readonly alert: string;
  /** Annotations to delete, one for each call. */
  readonly notes: readonly string[];
  readonly marker: string;
  readonly depthMm: number;
  readonly moisture: number;
  readonly height: number;
  /** The first 14 digits of the gateways. */
  readonly imei: string;
}

interface OperationCalls {
  /** `nth` distinguishes repeated calls on one farm. */
  valid(rows: FarmRows, nth: number): WireFields;
  readonly refused: WireFields;
  readonly code: string;
}

const AMOUNT = { inputMode: 'duration', durationMin: 30 };
const AT = Date.UTC(2026, 5, 20);
const DAILY = {
  freq: 'daily',
  startTimes: ['04:00'],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-02',
  ...AMOUNT,
};
const EQUIPMENT = { system: 'drip', flowMmPerH: 3 };
const LAYERS = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
export const UNKNOWN_ID = 9999;
export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000001';

const calls = (
  valid: OperationCalls['valid'],
  refused: WireFields,
  code: string,
): OperationCalls => ({
  valid,
  refused,
  code,
});
const nothing = (): WireFields => ({});
/** Labels and default names: the default language differs between the surfaces. */
const inFrench = (): WireFields => ({ lang: 'fr' });
const NO_MODULE = { moduleId: UNKNOWN_ID };
const onModule = ({ module }: FarmRows): WireFields => ({ moduleId: module });
/** Without a period the answer depends on the current time, which differs between runs. */
const OF_MODULE_AND_WEEK = calls(
  ({ module }) => ({
    moduleId: module,
    start: '2026-06-24T10:00:00Z',
    end: '2026-07-01T10:00:00Z',
  }),
  NO_MODULE,
  'not_found',
);
const OF_MODULE = calls(onModule, NO_MODULE, 'not_found');

const OPERATION_CALLS: Readonly<Record<string, OperationCalls>> = {
  log_watering: calls(
    ({ module }, nth) => ({ moduleId: module, startedAt: `2026-06-2${nth}T06:00`, ...AMOUNT }),
    { ...NO_MODULE, startedAt: '2026-06-20T06:00', ...AMOUNT },
    'MODULE_NOT_OWNED',
  ),
  log_parcel_watering: calls(
    ({ parcel }, nth) => ({ parcelId: parcel, startedAt: `2026-06-1${nth}T06:00`, ...AMOUNT }),
    { parcelId: UNKNOWN_ID, startedAt: '2026-06-20T06:00', ...AMOUNT },
    'PARCEL_NOT_FOUND',
  ),
  correct_watering: calls(
    ({ event, depthMm }, nth) => ({
      eventId: event,
      startedAt: '2026-06-10T06:00',
      inputMode: 'depth_mm',
      inputDepthMm: depthMm,
      durationMin: 60 + nth,
    }),
    { eventId: UNKNOWN_ID, startedAt: '2026-06-10T06:00', ...AMOUNT },
    'EVENT_NOT_FOUND',
  ),
  correct_parcel_watering: calls(
    ({ parcelEvent, depthMm }, nth) => ({
      eventId: parcelEvent,
      startedAt: '2026-06-10T06:00',
      inputMode: 'depth_mm',
      inputDepthMm: depthMm,
      durationMin: 60 + nth,
    }),
    { eventId: UNKNOWN_ID, startedAt: '2026-06-10T06:00', ...AMOUNT },
    'EVENT_NOT_FOUND',
  ),
  list_waterings: calls(nothing, { scheduleId: UNKNOWN_ID }, 'not_found'),
  log_rain: calls(
    ({ depthMm, marker }, nth) => ({
      mm: depthMm / 2,
      when: `2026-06-2${nth}T06:00`,
      note: marker,
    }),
    { mm: 501, when: '2026-06-20' },
    'INVALID_RAIN',
  ),
  correct_rain: calls(
    ({ rain, depthMm }, nth) => ({ rainId: rain, mm: depthMm / 2, when: `2026-06-1${nth}` }),
    { rainId: UNKNOWN_ID, mm: 3 },
    'not_found',
  ),
  list_rain: calls(nothing, { parcelId: UNKNOWN_ID }, 'not_found'),
  list_devices: calls(nothing, { limit: 0 }, 'invalid_limit'),
  assign_device: calls(
    ({ module, marker }) => ({ device: `${marker}-0`, moduleId: module, depths: [] }),
    { device: 'A84041FFFF181F0D', moduleId: UNKNOWN_ID },
    'not_found',
  ),
  set_weather: calls(
    ({ moisture }, nth) => ({
      days: [{ day: `2026-06-2${nth}`, temperatureMin: moisture / 2, temperatureMax: moisture }],
    }),
    { days: [{ day: '2026-06-20', temperatureMin: 20, temperatureMax: 10 }] },
    'invalid_body',
  ),
  get_weather: calls(
    () => ({ from: '2026-06-20', to: '2026-06-29' }),
    { from: 'June' },
    'invalid_parameter',
  ),
  create_schedule: calls(
    ({ module, marker }) => ({ targetModuleId: module, label: marker, ...DAILY }),
    DAILY,
    'INVALID_TARGET',
  ),
  update_schedule: calls(
    ({ schedule, marker }) => ({ scheduleId: schedule, label: marker }),
    { scheduleId: UNKNOWN_ID, isActive: false },
    'not_found',
  ),
  list_schedules: calls(nothing, { parcelId: UNKNOWN_ID }, 'not_found'),
  get_irrigation_setup: OF_MODULE,
  set_module_installation: calls(
    ({ module }, nth) => ({
      moduleId: module,
      ...EQUIPMENT,
      effectiveFrom: `2026-04-0${nth + 1}T06:00`,
    }),
    { ...NO_MODULE, ...EQUIPMENT },
    'MODULE_NOT_OWNED',
  ),
  set_parcel_installation: calls(
    ({ parcel }, nth) => ({
      parcelId: parcel,
      ...EQUIPMENT,
      effectiveFrom: `2026-04-0${nth + 1}T06:00`,
    }),
    { parcelId: UNKNOWN_ID, ...EQUIPMENT },
    'PARCEL_NOT_FOUND',
  ),
  correct_installation: calls(
    ({ version, marker }) => ({ versionId: version, notes: marker }),
    { versionId: UNKNOWN_ID, system: 'drip' },
    'not_found',
  ),
  generalize_installation: calls(
    ({ module }) => ({ moduleId: module, dryRun: true }),
    NO_MODULE,
    'not_found',
  ),
  recompute_doses: OF_MODULE,
  set_module_placement: calls(
    ({ module }) => ({ moduleId: module, emitterDistanceCm: 40 }),
    { ...NO_MODULE, emitterDistanceCm: -1 },
    'INVALID_EMITTER_DISTANCE',
  ),
  set_probe_settings: calls(
    ({ module }, nth) => ({ moduleId: module, allowedDepletion: 0.4, hoursPerDay: 5 + (nth % 10) }),
    { ...NO_MODULE, allowedDepletion: 0.4 },
    'not_found',
  ),
  set_parcel_settings: calls(
    ({ parcel }, nth) => ({ parcelId: parcel, hoursPerDay: 5 + (nth % 10) }),
    { parcelId: UNKNOWN_ID, hoursPerDay: 4 },
    'not_found',
  ),
  set_water_times: calls(
    ({ module }, nth) => ({ moduleId: module, weekdays: [1 + (nth % 7)], fromTime: '22:00' }),
    { ...NO_MODULE, weekdays: [1] },
    'not_found',
  ),
  set_parcel_water_times: calls(
    ({ parcel }, nth) => ({ parcelId: parcel, weekdays: [1 + (nth % 7)], noticeHours: 48 }),
    { parcelId: UNKNOWN_ID, weekdays: [1] },
    'not_found',
  ),
  set_source_water_times: calls(
    ({ parcel }, nth) => ({
      source: 'North canal',
      parcels: [`#${parcel}`],
      weekdays: [1 + (nth % 7)],
    }),
    { source: 'Nobody’s canal' },
    'not_found',
  ),
  list_water_sources: calls(nothing, { unknown: 1 }, 'invalid_parameter'),
  list_modules: calls(inFrench, { category: 'ROBOT' }, 'invalid_parameter'),
  get_module: calls(({ module }) => ({ moduleId: module, lang: 'fr' }), NO_MODULE, 'not_found'),
  get_moisture_series: OF_MODULE_AND_WEEK,
  get_agronomic_state: OF_MODULE,
  get_module_health: OF_MODULE,
  list_gateways: calls(inFrench, { limit: 201 }, 'invalid_limit'),
  list_parcels: calls(nothing, { cursor: 'x' }, 'invalid_cursor'),
  get_soil_profile: calls(
    ({ parcel }) => ({ parcelId: parcel }),
    { parcelId: UNKNOWN_ID },
    'not_found',
  ),
  set_soil_profile: calls(
    ({ parcel }) => ({ parcelId: parcel, layers: LAYERS }),
    { parcelId: UNKNOWN_ID, layers: LAYERS },
    'not_found',
  ),
  list_soil_horizons: calls(inFrench, { lang: 'tlh' }, 'invalid_parameter'),
  create_alert: calls(
    ({ module, parcel, height }) => ({ moduleId: module, parcelId: parcel, threshold: height }),
    { ...NO_MODULE, threshold: 101 },
    'invalid_body',
  ),
  create_parcel_alerts: calls(
    ({ parcel, height }) => ({ parcelId: parcel, threshold: height }),
    { parcelId: UNKNOWN_ID, threshold: 20 },
    'not_found',
  ),
  update_alert: calls(
    ({ alert }, nth) => ({ alertId: alert, hysteresis: nth + 1 }),
    { alertId: UNKNOWN_UUID, isActive: false },
    'not_found',
  ),
  list_alerts: calls(nothing, { limit: 201 }, 'invalid_limit'),
  backtest_alert: calls(
    ({ module, height }) => ({ moduleId: module, threshold: height }),
    { ...NO_MODULE, threshold: 20 },
    'not_found',
  ),
  list_annotations: OF_MODULE,
  create_annotation: calls(
    ({ module, marker }) => ({ moduleId: module, type: 'text', p1: [AT, 30], text: marker }),
    { ...NO_MODULE, type: 'segment', p1: [AT, 14] },
    'invalid_body',
  ),
  update_annotation: calls(
    ({ line, height }) => ({ annotationId: line, p1: [AT, height] }),
    { annotationId: UNKNOWN_UUID, text: 'x' },
    'not_found',
  ),
  delete_annotation: calls(
    ({ notes }, nth) => ({ annotationId: notes[nth] }),
    { annotationId: UNKNOWN_UUID },
    'not_found',
  ),
  advise_watering: OF_MODULE,
  advise_parcel_watering: calls(
    ({ parcel }) => ({ parcelId: parcel }),
    { parcelId: UNKNOWN_ID },
    'not_found',
  ),
  review_waterings: OF_MODULE_AND_WEEK,
  suggest_thresholds: OF_MODULE,
  chart_moisture: OF_MODULE_AND_WEEK,
  morning_brief: calls(nothing, { moduleId: 1 }, 'invalid_parameter'),
  farm_overview: calls(nothing, { limit: 0 }, 'invalid_limit'),
  get_farm_page: calls(nothing, { limit: 1 }, 'invalid_parameter'),
  preview_watering: calls(
    ({ module }) => ({ moduleId: module, startedAt: '2026-06-30T05:00:00Z', ...AMOUNT }),
    { ...NO_MODULE, startedAt: '2026-06-30T05:00:00Z', ...AMOUNT },
    'MODULE_NOT_OWNED',
  ),
  set_company: calls(({ marker }) => ({ city: marker }), { timezone: 'UTC' }, 'INVALID_TIMEZONE'),
  set_parcel: calls(
    ({ marker }, nth) => ({ name: `${marker} ${nth}`, type: marker, areaM2: 15_000 }),
    { name: '#9999' },
    'not_found',
  ),
  set_module: calls(
    ({ marker, parcel }, nth) => ({
      name: `${marker} ${nth}`,
      parcelId: parcel,
      sensors: ['humidity 20'],
    }),
    { name: 'Elsewhere', parcelId: UNKNOWN_ID, sensors: ['humidity 20'] },
    'not_found',
  ),
  get_company: calls(nothing, { colour: 'red' }, 'invalid_parameter'),
  create_sign_in_link: calls(nothing, { email: 'nobody@example.org' }, 'not_found'),
  list_users: calls(nothing, { limit: 3 }, 'invalid_parameter'),
  list_changes: calls(nothing, { limit: 201 }, 'invalid_limit'),
  undo: calls(() => ({ changeId: 'latest' }), { changeId: UNKNOWN_ID }, 'not_found'),
  get_enums: calls(inFrench, { lang: 'tlh' }, 'invalid_parameter'),
  import_readings: calls(
    ({ module, moisture }, nth) => ({
      module,
      csv: `time,humidity_10\n2026-06-2${nth}T07:00,${moisture}\n`,
    }),
    { module: UNKNOWN_ID, csv: 'time,humidity_10\n' },
    'not_found',
  ),
  get_parcel_irrigation_setup: calls(
    ({ parcel }) => ({ parcelId: parcel }),
    { parcelId: UNKNOWN_ID },
    'not_found',
  ),
  get_watering: calls(
    ({ event }) => ({ eventId: event }),
    { eventId: UNKNOWN_ID },
    'EVENT_NOT_FOUND',
  ),
  get_parcel_watering: calls(
    ({ parcelEvent }) => ({ eventId: parcelEvent }),
    { eventId: UNKNOWN_ID },
    'EVENT_NOT_FOUND',
  ),
  list_parcel_waterings: calls(nothing, { parcelId: UNKNOWN_ID }, 'not_found'),
  ingest: calls(
    ({ module, moisture, imei }, nth) => ({
      readings: [
        { module, type: 'humidity', depth: 10, time: `2026-06-2${nth}T06:00`, value: moisture },
      ],
      gateways: [{ imei: `${imei}2`, lastSeen: `2026-06-2${nth}T06:00` }],
    }),
    { rows: [] },
    'invalid_body',
  ),
};

export function callsOfOperation(name: string): OperationCalls {
  const found = OPERATION_CALLS[name];
  if (found === undefined) throw new Error(`test/operation-calls.ts has no calls of ${name}.`);
  return found;
}

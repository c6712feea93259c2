import type { Fields } from './three-ways.ts';

/** Whose key a request carries. */
export type Holder = 'owner' | 'without its scope' | 'viewer' | 'nobody';

/** How an error is provoked: what is changed in a sound request, and by whom it is sent. */
export interface Provoked {
  readonly change: Fields;
  readonly holder: Holder;
  /** The value at fault as the message quotes it, where there is one. */
  readonly says: string | null;
}

/** Why a code of the table cannot occur. */
export interface Never {
  readonly never: string;
}

/** A row of the table: codes of one status at one endpoint, each with how it is provoked. */
export interface ErrorRow {
  readonly endpoint: string;
  readonly status: number;
  readonly codes: Readonly<Record<string, Provoked | Never>>;
}

const by = (change: Fields, says: string | null = null, holder: Holder = 'owner'): Provoked => ({
  change,
  says,
  holder,
});
const heldBy = (holder: Holder): Provoked => by({}, null, holder);

/** Of nobody; of another company. */
const UNKNOWN = 99;
export const FOREIGN_MODULE = 3;

/** The operation behind each endpoint of the table, and a request that it answers. */
export const ENDPOINTS: Readonly<Record<string, { readonly operation: string; readonly sound: Fields }>> = {
  'PUT module installation': {
    operation: 'set_module_installation',
    sound: { moduleId: 1, system: 'drip', flowMmPerH: 3, effectiveFrom: '2026-05-01T06:00' },
  },
  'PUT parcel installation': {
    operation: 'set_parcel_installation',
    sound: { parcelId: 1, system: 'drip', flowMmPerH: 3, effectiveFrom: '2026-05-01T06:00' },
  },
  'PUT placement': { operation: 'set_module_placement', sound: { moduleId: 1, emitterDistanceCm: 30 } },
  'POST watering': {
    operation: 'log_watering',
    sound: { moduleId: 1, startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 },
  },
  'PATCH watering': {
    operation: 'correct_watering',
    sound: { eventId: 1, startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 },
  },
  'POST schedule': {
    operation: 'create_schedule',
    sound: {
      ...{ targetModuleId: 1, freq: 'daily', startTimes: ['05:30'], timezone: 'Europe/Paris', startsOn: '2026-07-02' },
      ...{ inputMode: 'duration', durationMin: 30 },
    },
  },
  'POST alert': { operation: 'create_alert', sound: { moduleId: 1, threshold: 14 } },
  'PATCH alert': { operation: 'update_alert', sound: { threshold: 14 } },
  'PATCH annotation': { operation: 'update_annotation', sound: { text: 'Moved' } },
  'GET module': { operation: 'get_module', sound: { moduleId: 1 } },
  'GET annotations': { operation: 'list_annotations', sound: { moduleId: 1 } },
  'PUT soil profile': {
    operation: 'set_soil_profile',
    sound: { parcelId: 1, layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }] },
  },
  'GET weighted series': { operation: 'get_moisture_series', sound: { moduleId: 1 } },
  'GET soil profile': { operation: 'get_soil_profile', sound: { parcelId: 1 } },
  'GET module health': { operation: 'get_module_health', sound: { moduleId: 1 } },
};

const OF_SETUPS = {
  INVALID_SYSTEM: by({ system: 'hose' }, '"hose"'),
  INVALID_EMITTER_FLOW: by({ emitterFlowLph: -1 }, '-1'),
  INVALID_EMITTER_DENSITY: by({ emittersPerM2: 0 }, '0'),
  INVALID_FLOW_RATE: by({ flowMmPerH: 1001 }, '1001'),
  INVALID_FRACTION_WETTED: by({ fractionWetted: 1.5 }, '1.5'),
  INVALID_IRRIGATED_AREA: by({ irrigatedAreaM2: 'large' }, '"large"'),
  INVALID_EFFECTIVE_FROM: by({ effectiveFrom: 'soon' }, '"soon"'),
  EFFECTIVE_FROM_IN_FUTURE: by({ effectiveFrom: '2026-08-01T06:00Z' }, '2026-08-01T06:00'),
  INSTALLATION_VERSION_EXISTS_AT_DATE: by({ effectiveFrom: '1970-01-01T00:00Z' }, '1970-01-01T00:00'),
};

const OF_AMOUNTS = {
  INVALID_INPUT_MODE: by({ inputMode: 'hours' }, '"hours"'),
  INVALID_DURATION: by({ durationMin: 44_641 }, '44641'),
  INVALID_DEPTH: by({ inputMode: 'depth_mm', inputDepthMm: 0 }, '0'),
  INVALID_VOLUME: by({ inputMode: 'volume_m3', inputVolumeM3: -3 }, '-3'),
  MISSING_DURATION: by({ durationMin: null }),
  MISSING_DEPTH: by({ inputMode: 'depth_mm' }),
  MISSING_VOLUME: by({ inputMode: 'volume_m3' }),
};

const OF_WATERINGS = {
  ...OF_AMOUNTS,
  INVALID_ENDED_AT: by({ endedAt: '2026-07-01T07:00' }, '60 minutes'),
  ENDED_BEFORE_STARTED: by({ endedAt: '2026-07-01T05:45', durationMin: undefined }, '15 minutes'),
  INVALID_STARTED_AT: by({ startedAt: 'at dawn' }, '"at dawn"'),
  INVALID_STATUS: by({ status: 'over' }, '"over"'),
};

const NO_END: Never = {
  never:
    'A schedule lasts durationMin from each of its start times: its body has no field endedAt, and one is refused as invalid_body.',
};

const INVALID_MODULE_ID = { invalid_id: by({ moduleId: 'north' }, '"north"') };
const INVALID_PARCEL_ID = { invalid_id: by({ parcelId: 'north' }, '"north"') };
const FOREIGN_TO_WRITE = { MODULE_NOT_OWNED: by({ moduleId: UNKNOWN }, '99') };

/** Source: spec, "Errors", row by row. */
export const ERROR_ROWS: readonly ErrorRow[] = [
  { endpoint: 'PUT module installation', status: 400, codes: { ...OF_SETUPS, ...FOREIGN_TO_WRITE } },
  { endpoint: 'PUT parcel installation', status: 400, codes: OF_SETUPS },
  { endpoint: 'PUT parcel installation', status: 404, codes: { PARCEL_NOT_FOUND: by({ parcelId: UNKNOWN }, '99') } },
  {
    endpoint: 'PUT placement',
    status: 400,
    codes: { INVALID_EMITTER_DISTANCE: by({ emitterDistanceCm: -1 }, '-1') },
  },
  { endpoint: 'POST watering', status: 400, codes: { ...OF_WATERINGS, ...FOREIGN_TO_WRITE } },
  { endpoint: 'PATCH watering', status: 400, codes: OF_WATERINGS },
  { endpoint: 'PATCH watering', status: 404, codes: { EVENT_NOT_FOUND: by({ eventId: UNKNOWN }, '99') } },
  {
    endpoint: 'POST schedule',
    status: 400,
    codes: {
      ...OF_AMOUNTS,
      INVALID_ENDED_AT: NO_END,
      ENDED_BEFORE_STARTED: NO_END,
      INVALID_TARGET: by({ targetParcelId: 1 }),
      INVALID_FREQ: by({ freq: 'monthly' }, '"monthly"'),
      INVALID_INTERVAL: by({ intervalDays: 366 }, '366'),
      INVALID_WEEKDAYS: by({ freq: 'weekly', weekdays: [8] }, '8'),
      INVALID_START_TIMES: by({ startTimes: ['25:00'] }, '"25:00"'),
      INVALID_TIMEZONE: by({ timezone: 'UTC' }, '"UTC"'),
      INVALID_STARTS_ON: by({ startsOn: '2026-02-30' }, '"2026-02-30"'),
      INVALID_ENDS_ON: by({ endsOn: '2026-06-01' }, '2026-06-01'),
      INVALID_CONFIRMATION_POLICY: by({ confirmationPolicy: 'never' }, '"never"'),
      MODULE_NOT_OWNED: by({ targetModuleId: UNKNOWN }, '99'),
    },
  },
  {
    endpoint: 'POST schedule',
    status: 404,
    codes: { PARCEL_NOT_FOUND: by({ targetModuleId: undefined, targetParcelId: UNKNOWN }, '99') },
  },
  { endpoint: 'POST alert', status: 400, codes: { invalid_body: by({ threshold: 'low' }, '"low"') } },
  {
    endpoint: 'POST alert',
    status: 403,
    codes: {
      insufficient_scope: heldBy('without its scope'),
      insufficient_role: heldBy('viewer'),
      forbidden_resource: by({ moduleId: FOREIGN_MODULE }, String(FOREIGN_MODULE)),
      no_user: heldBy('nobody'),
    },
  },
  // The specification leaves this code open.
  { endpoint: 'PATCH alert', status: 400, codes: { invalid_body: by({ threshold: 'low' }, '"low"') } },
  {
    endpoint: 'PATCH annotation',
    status: 400,
    codes: { THRESHOLD_REQUIRES_VWC: by({ style: { fill: 'threshold2' } }, 'mm') },
  },
  {
    endpoint: 'PATCH annotation',
    status: 404,
    codes: { not_found: by({ annotationId: '00000000-0000-4000-8000-000000000001' }, '00000000-0000-4000') },
  },
  { endpoint: 'GET module', status: 400, codes: INVALID_MODULE_ID },
  // The module is the company's and was never commissioned.
  { endpoint: 'GET module', status: 404, codes: { not_found: by({ moduleId: 2 }, '2') } },
  { endpoint: 'GET annotations', status: 400, codes: INVALID_MODULE_ID },
  {
    endpoint: 'PUT soil profile',
    status: 400,
    codes: { ...INVALID_PARCEL_ID, invalid_body: by({ layers: 'loam' }, '"loam"') },
  },
  {
    endpoint: 'GET weighted series',
    status: 400,
    codes: { ...INVALID_MODULE_ID, invalid_date: by({ start: '2026-02-30T06:00' }, '"2026-02-30T06:00"') },
  },
  { endpoint: 'GET soil profile', status: 400, codes: INVALID_PARCEL_ID },
  { endpoint: 'GET module health', status: 400, codes: INVALID_MODULE_ID },
];

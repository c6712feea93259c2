import {
  callsOfOperation,
  type FarmRows,
  UNKNOWN_UUID,
  type WireFields,
} from '../../operation-calls.ts';

export type KeyHolder = 'owner' | 'without its scope' | 'viewer' | 'nobody';

export interface ErrorCase {
  readonly change: WireFields;
  readonly holder: KeyHolder;
  /** The value that the message quotes. */
  readonly quotes: string | null;
}

interface UnreachableCode {
  readonly reason: string;
}

interface ErrorRow {
  readonly endpoint: string;
  readonly status: number;
  readonly codes: Readonly<Record<string, ErrorCase | UnreachableCode>>;
}

const provoke = (
  change: WireFields,
  quotes: string | null = null,
  holder: KeyHolder = 'owner',
): ErrorCase => ({
  change,
  quotes,
  holder,
});
const provokeAs = (holder: KeyHolder): ErrorCase => provoke({}, null, holder);

export const UNKNOWN = 99;
export const FOREIGN_MODULE = 3;
export const FOREIGN_PARCEL = 2;

export const ROWS: FarmRows = {
  module: 1,
  parcel: 1,
  event: 1,
  parcelEvent: 1,
  schedule: 1,
  rain: 1,
  version: 1,
  line: UNKNOWN_UUID,
  alert: UNKNOWN_UUID,
  notes: [],
  marker: 'Moved',
  depthMm: 12.5,
  moisture: 25,
  height: 14,
  imei: '35693803564380',
};

const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };

export const ERROR_ENDPOINTS = Object.fromEntries(
  (
    [
      ['PUT module installation', 'set_module_installation'],
      ['PUT parcel installation', 'set_parcel_installation'],
      ['PUT placement', 'set_module_placement'],
      ['POST watering', 'log_watering', WATERING],
      ['PATCH watering', 'correct_watering', { ...WATERING, inputDepthMm: undefined }],
      ['POST schedule', 'create_schedule'],
      ['POST alert', 'create_alert'],
      ['PATCH alert', 'update_alert', { threshold: 14 }],
      ['PATCH annotation', 'update_annotation', { p1: undefined, text: 'Moved' }],
      ['GET module', 'get_module'],
      ['GET annotations', 'list_annotations'],
      ['PUT soil profile', 'set_soil_profile'],
      ['GET weighted series', 'get_moisture_series'],
      ['GET soil profile', 'get_soil_profile'],
      ['GET module health', 'get_module_health'],
    ] as const
  ).map(([endpoint, operation, changes = {}]) => [
    endpoint,
    {
      operation,
      valid: { ...callsOfOperation(operation).valid(ROWS, 0), ...changes } as WireFields,
    },
  ]),
);

const SETUP_ERRORS = {
  INVALID_SYSTEM: provoke({ system: 'hose' }, '"hose"'),
  INVALID_EMITTER_FLOW: provoke({ emitterFlowLph: -1 }, '-1'),
  INVALID_EMITTER_DENSITY: provoke({ emittersPerM2: 0 }, '0'),
  INVALID_FLOW_RATE: provoke({ flowMmPerH: 1001 }, '1001'),
  INVALID_FRACTION_WETTED: provoke({ fractionWetted: 1.5 }, '1.5'),
  INVALID_IRRIGATED_AREA: provoke({ irrigatedAreaM2: 'large' }, '"large"'),
  INVALID_EFFECTIVE_FROM: provoke({ effectiveFrom: 'soon' }, '"soon"'),
  EFFECTIVE_FROM_IN_FUTURE: provoke({ effectiveFrom: '2026-08-01T06:00Z' }, '2026-08-01T06:00'),
  INSTALLATION_VERSION_EXISTS_AT_DATE: provoke(
    { effectiveFrom: '1970-01-01T00:00Z' },
    '1970-01-01T00:00',
  ),
};

const AMOUNT_ERRORS = {
  INVALID_INPUT_MODE: provoke({ inputMode: 'hours' }, '"hours"'),
  INVALID_DURATION: provoke({ durationMin: 44_641 }, '44641'),
  INVALID_DEPTH: provoke({ inputMode: 'depth_mm', inputDepthMm: 0 }, '0'),
  INVALID_VOLUME: provoke({ inputMode: 'volume_m3', inputVolumeM3: -3 }, '-3'),
  MISSING_DURATION: provoke({ durationMin: null }),
  MISSING_DEPTH: provoke({ inputMode: 'depth_mm' }),
  MISSING_VOLUME: provoke({ inputMode: 'volume_m3' }),
};

const WATERING_ERRORS = {
  ...AMOUNT_ERRORS,
  INVALID_ENDED_AT: provoke({ endedAt: '2026-07-01T07:00' }, '60 minutes'),
  ENDED_BEFORE_STARTED: provoke(
    { endedAt: '2026-07-01T05:45', durationMin: undefined },
    '15 minutes',
  ),
  INVALID_STARTED_AT: provoke({ startedAt: 'at dawn' }, '"at dawn"'),
  INVALID_STATUS: provoke({ status: 'over' }, '"over"'),
};

const NO_END: UnreachableCode = {
  reason:
    'A schedule lasts durationMin from each of its start times: its body has no field endedAt, and one is refused as invalid_body.',
};

const INVALID_MODULE_ID = { invalid_id: provoke({ moduleId: 'north' }, '"north"') };
const INVALID_PARCEL_ID = { invalid_id: provoke({ parcelId: 'north' }, '"north"') };
const FOREIGN_TO_WRITE = { MODULE_NOT_OWNED: provoke({ moduleId: UNKNOWN }, '99') };

/** Source: spec, "Errors", row by row. */
export const ERROR_ROWS: readonly ErrorRow[] = [
  {
    endpoint: 'PUT module installation',
    status: 400,
    codes: { ...SETUP_ERRORS, ...FOREIGN_TO_WRITE },
  },
  { endpoint: 'PUT parcel installation', status: 400, codes: SETUP_ERRORS },
  {
    endpoint: 'PUT parcel installation',
    status: 404,
    codes: { PARCEL_NOT_FOUND: provoke({ parcelId: UNKNOWN }, '99') },
  },
  {
    endpoint: 'PUT placement',
    status: 400,
    codes: { INVALID_EMITTER_DISTANCE: provoke({ emitterDistanceCm: -1 }, '-1') },
  },
  { endpoint: 'POST watering', status: 400, codes: { ...WATERING_ERRORS, ...FOREIGN_TO_WRITE } },
  { endpoint: 'PATCH watering', status: 400, codes: WATERING_ERRORS },
  {
    endpoint: 'PATCH watering',
    status: 404,
    codes: { EVENT_NOT_FOUND: provoke({ eventId: UNKNOWN }, '99') },
  },
  {
    endpoint: 'POST schedule',
    status: 400,
    codes: {
      ...AMOUNT_ERRORS,
      INVALID_ENDED_AT: NO_END,
      ENDED_BEFORE_STARTED: NO_END,
      INVALID_TARGET: provoke({ targetParcelId: 1 }),
      INVALID_FREQ: provoke({ freq: 'monthly' }, '"monthly"'),
      INVALID_INTERVAL: provoke({ intervalDays: 366 }, '366'),
      INVALID_WEEKDAYS: provoke({ freq: 'weekly', weekdays: [8] }, '8'),
      INVALID_START_TIMES: provoke({ startTimes: ['25:00'] }, '"25:00"'),
      INVALID_TIMEZONE: provoke({ timezone: 'UTC' }, '"UTC"'),
      INVALID_STARTS_ON: provoke({ startsOn: '2026-02-30' }, '"2026-02-30"'),
      INVALID_ENDS_ON: provoke({ endsOn: '2026-06-01' }, '2026-06-01'),
      INVALID_CONFIRMATION_POLICY: provoke({ confirmationPolicy: 'never' }, '"never"'),
      MODULE_NOT_OWNED: provoke({ targetModuleId: UNKNOWN }, '99'),
    },
  },
  {
    endpoint: 'POST schedule',
    status: 404,
    codes: {
      PARCEL_NOT_FOUND: provoke({ targetModuleId: undefined, targetParcelId: UNKNOWN }, '99'),
    },
  },
  {
    endpoint: 'POST alert',
    status: 400,
    codes: { invalid_body: provoke({ threshold: 'low' }, '"low"') },
  },
  {
    endpoint: 'POST alert',
    status: 403,
    codes: {
      insufficient_scope: provokeAs('without its scope'),
      insufficient_role: provokeAs('viewer'),
      forbidden_resource: provoke({ moduleId: FOREIGN_MODULE }, String(FOREIGN_MODULE)),
      no_user: provokeAs('nobody'),
    },
  },
  // The specification leaves this code open.
  {
    endpoint: 'PATCH alert',
    status: 400,
    codes: { invalid_body: provoke({ threshold: 'low' }, '"low"') },
  },
  {
    endpoint: 'PATCH annotation',
    status: 400,
    codes: { THRESHOLD_REQUIRES_VWC: provoke({ style: { fill: 'threshold2' } }, 'mm') },
  },
  {
    endpoint: 'PATCH annotation',
    status: 404,
    codes: {
      not_found: provoke(
        { annotationId: '00000000-0000-4000-8000-000000000001' },
        '00000000-0000-4000',
      ),
    },
  },
  { endpoint: 'GET module', status: 400, codes: INVALID_MODULE_ID },
  // The module belongs to the company but was never commissioned.
  { endpoint: 'GET module', status: 404, codes: { not_found: provoke({ moduleId: 2 }, '2') } },
  { endpoint: 'GET annotations', status: 400, codes: INVALID_MODULE_ID },
  {
    endpoint: 'PUT soil profile',
    status: 400,
    codes: { ...INVALID_PARCEL_ID, invalid_body: provoke({ layers: 'loam' }, '"loam"') },
  },
  {
    endpoint: 'GET weighted series',
    status: 400,
    codes: {
      ...INVALID_MODULE_ID,
      invalid_date: provoke({ start: '2026-02-30T06:00' }, '"2026-02-30T06:00"'),
    },
  },
  { endpoint: 'GET soil profile', status: 400, codes: INVALID_PARCEL_ID },
  { endpoint: 'GET module health', status: 400, codes: INVALID_MODULE_ID },
];

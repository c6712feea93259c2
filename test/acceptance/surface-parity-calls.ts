import { tools } from '../../tools/index.ts';
import {
  callsOfOperation,
  type FarmRows,
  UNKNOWN_ID,
  UNKNOWN_UUID,
  type WireFields,
} from '../operation-calls.ts';
import { isDeepRun } from '../property-runs.ts';

export interface KnownRows extends FarmRows {
  /** The cursor in the answer to an earlier call on the same surface. */
  cursorOf(call: string): string;
  idFrom(call: string): string;
}

export interface ParityCall {
  readonly operation: string;
  readonly what: string;
  argumentsFor(known: KnownRows): WireFields;
  readonly refusedWith?: string;
}

type ArgumentsOf = WireFields | ((known: KnownRows) => WireFields);

const call = (
  operation: string,
  what: string,
  args: ArgumentsOf = {},
  refusedWith?: string,
): ParityCall => ({
  operation,
  what,
  argumentsFor: typeof args === 'function' ? args : () => args,
  refusedWith,
});

const MORNING = {
  moduleId: 1,
  startedAt: '2026-07-01T06:00',
  inputMode: 'duration',
  durationMin: 30,
};
const DAILY = {
  freq: 'daily',
  startTimes: ['05:30', '22:15'],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-02',
  inputMode: 'duration',
  durationMin: 20,
};
const SERIES = { moduleId: 1, start: '2026-06-30T00:00:00Z', end: '2026-07-01T00:00:00Z' };
const AT = Date.UTC(2026, 5, 20);
const PAST = { moduleId: 1, start: '2026-06-29T10:00Z', end: '2026-07-01T10:00Z' };
const FIRING = 'create_alert, firing at once';

/** Calls with arguments or answers of a form that the valid calls of all operations do not have. */
const SPECIAL_CALLS: readonly ParityCall[] = [
  call('list_modules', 'in full, in French', { lang: 'fr', detail: 'full' }),
  call('list_modules', 'by parcel and category', { parcelId: 2, category: 'SOIL_PROBE' }),
  call('list_modules', 'first page', { limit: 3 }),
  call('list_modules', 'next page', ({ cursorOf }) => ({
    limit: 3,
    cursor: cursorOf('list_modules, first page'),
  })),
  call('get_module', 'with an invalid id', { moduleId: 0 }, 'invalid_id'),
  call('get_module_health', 'without a gateway', { moduleId: 3 }),
  call('list_parcels', 'in full', { detail: 'full' }),
  call('get_moisture_series', 'by the hour and depth', { ...SERIES, interval: 3600, depths: true }),
  call('get_moisture_series', 'by the former code of tension', { ...SERIES, type: 'tension' }),
  call('get_moisture_series', 'by local dates', {
    ...SERIES,
    start: '2026-06-29',
    end: '2026-07-01',
    maxPoints: 10,
  }),
  call('get_moisture_series', 'without readings', { ...SERIES, moduleId: 2 }),
  call(
    'get_moisture_series',
    'ending before its start',
    { ...SERIES, end: '2026-06-29T00:00' },
    'invalid_date',
  ),
  call(
    'get_moisture_series',
    'on an impossible date',
    { ...SERIES, start: '2026-02-30T00:00Z' },
    'invalid_date',
  ),
  call('get_agronomic_state', 'without readings', { moduleId: 3 }),
  call('chart_moisture', 'of a day', SERIES),
  call('chart_moisture', 'of each depth by local dates, dark', {
    moduleId: 1,
    start: '2026-06-29T20:00',
    end: '2026-06-30T20:00',
    view: 'depths',
    theme: 'dark',
  }),
  call('chart_moisture', 'without readings', { ...SERIES, moduleId: 3 }),
  call('chart_moisture', 'in an unknown view', { ...SERIES, view: 'heatmap' }, 'invalid_parameter'),

  call('log_watering', 'this morning', MORNING),
  call('log_watering', 'with an end, by offsets', {
    moduleId: 2,
    startedAt: '2026-06-30T08:00+02:00',
    endedAt: '2026-06-30T06:45Z',
    inputMode: 'duration',
  }),
  call('log_watering', 'with nulls', {
    moduleId: 1,
    startedAt: '2026-06-29T06:00',
    inputMode: 'depth_mm',
    inputDepthMm: 12.5,
    durationMin: null,
    endedAt: null,
    note: null,
  }),
  call('log_watering', 'planned in an hour that is skipped', {
    moduleId: 3,
    startedAt: '2027-03-28T02:30',
    inputMode: 'volume_m3',
    inputVolumeM3: 3,
    note: 'goutte à goutte',
  }),
  call('log_watering', 'without its amount', { ...MORNING, durationMin: null }, 'MISSING_DURATION'),
  call(
    'log_watering',
    'done tomorrow',
    { ...MORNING, startedAt: '2026-07-02T06:00', status: 'done' },
    'INVALID_STATUS',
  ),
  call('log_watering', 'with an unknown field', { ...MORNING, colour: 'red' }, 'invalid_body'),
  call('correct_watering', 'moved, its note cleared', {
    eventId: 1,
    startedAt: '2026-06-28T07:00',
    inputMode: 'duration',
    durationMin: 50,
    note: null,
  }),
  call('list_waterings', 'first page', { limit: 2 }),
  call('list_waterings', 'next page', ({ cursorOf }) => ({
    limit: 2,
    cursor: cursorOf('list_waterings, first page'),
  })),
  call('list_waterings', 'of a parcel and period', {
    parcelId: 1,
    from: '2026-06-28',
    to: '2026-07-01T08:00+02:00',
  }),
  call('list_waterings', 'without a match', { moduleId: 4 }),
  call(
    'list_waterings',
    'with the cursor of another list',
    ({ cursorOf }) => ({ cursor: cursorOf('list_modules, first page') }),
    'invalid_cursor',
  ),
  call('create_schedule', 'on a parcel, with nulls', {
    targetParcelId: 1,
    targetModuleId: null,
    label: 'Été',
    freq: 'weekly',
    weekdays: [4, 1, 4],
    startTimes: ['06:00'],
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    endsOn: '2026-08-01',
    inputMode: 'depth_mm',
    inputDepthMm: 4,
    intervalDays: null,
    confirmationPolicy: 'manual',
  }),
  call(
    'create_schedule',
    'on two targets',
    { ...DAILY, targetModuleId: 1, targetParcelId: 1 },
    'INVALID_TARGET',
  ),
  call(
    'create_schedule',
    'in UTC',
    { ...DAILY, targetModuleId: 1, timezone: 'UTC' },
    'INVALID_TIMEZONE',
  ),
  call('update_schedule', 'its end and label cleared', ({ idFrom }) => ({
    scheduleId: idFrom('create_schedule, on a parcel, with nulls'),
    endsOn: null,
    label: null,
  })),
  call('update_schedule', 'stopped', { scheduleId: 1, isActive: false }),
  call(
    'update_schedule',
    'weekly without days',
    { scheduleId: 2, freq: 'weekly' },
    'INVALID_WEEKDAYS',
  ),
  call('list_schedules', 'of a probe, active', { moduleId: 1, isActive: true }),
  call('set_module_installation', 'with nulls', {
    moduleId: 3,
    system: 'sprinkler',
    flowMmPerH: 4,
    irrigatedAreaM2: 500,
    notes: null,
    fractionWetted: null,
  }),
  call(
    'set_module_installation',
    'in the future',
    { moduleId: 1, system: 'drip', effectiveFrom: '2026-08-01T06:00' },
    'EFFECTIVE_FROM_IN_FUTURE',
  ),
  call('correct_installation', 'changed and cleared', {
    versionId: 1,
    irrigatedAreaM2: 1200,
    notes: null,
  }),
  call('generalize_installation', 'done', { moduleId: 1, effectiveFrom: '2026-06-15T06:00' }),
  call('set_module_placement', 'cleared', { moduleId: 1, emitterDistanceCm: null, notes: null }),
  call('set_probe_settings', 'set', {
    moduleId: 1,
    rootDepthCm: 60,
    depthWeights: ['10: 1'],
    efficiencyPercent: 80,
  }),
  call('set_probe_settings', 'cleared', { moduleId: 1, rootDepthCm: null, depthWeights: null }),
  call('set_parcel_settings', 'of a crop that rests over New Year', {
    parcelId: 2,
    restFrom: '11-15',
    restUntil: '03-01',
  }),
  call('set_soil_profile', 'closed', { parcelId: 2, layers: [], closeOthers: true }),
  call('advise_watering', 'for half of the deficit', { moduleId: 1, refillPercent: 50 }),
  call('advise_watering', 'by a forecast', {
    moduleId: 1,
    expectedRainMm: 4.5,
    demandPercent: 130,
  }),
  call('advise_watering', 'of a weather station', { moduleId: 4 }),
  call('review_waterings', 'by local dates', {
    moduleId: 1,
    start: '2026-06-28',
    end: '2026-07-01T08:00',
  }),
  call('review_waterings', 'of a year', { ...PAST, start: '2025-06-28' }, 'invalid_date'),
  call('backtest_alert', 'of the alert in force', PAST),
  call(
    'backtest_alert',
    'without an alert in force',
    { ...PAST, moduleId: 2 },
    'invalid_parameter',
  ),
  call('create_alert', 'firing at once', {
    moduleId: 1,
    threshold: 23.05,
    hysteresis: 2.5,
    reminderTime: '06:30:00',
  }),
  call('create_alert', 'that names a parcel', {
    moduleId: 1,
    parcelId: 1,
    threshold: 100,
  }),
  call(
    'create_alert',
    'at an impossible hour',
    { moduleId: 1, threshold: 20, reminderTime: '24:00:00' },
    'invalid_body',
  ),
  call('list_alerts', 'first page', { limit: 2 }),
  call('list_alerts', 'next page', ({ cursorOf }) => ({
    limit: 2,
    cursor: cursorOf('list_alerts, first page'),
  })),
  call('morning_brief', 'while an alert fires'),
  call('farm_overview', 'first page', { limit: 1 }),
  call('farm_overview', 'next page', ({ cursorOf }) => ({
    limit: 1,
    cursor: cursorOf('farm_overview, first page'),
  })),
  call('update_alert', 'lowered, so that it ends', ({ idFrom }) => ({
    alertId: idFrom(FIRING),
    threshold: 12.5,
  })),
  call(
    'update_alert',
    'with an invalid id',
    { alertId: '12', isActive: false },
    'invalid_parameter',
  ),
  call(
    'list_annotations',
    'on an unknown curve',
    { moduleId: 1, chartType: 'rain' },
    'invalid_parameter',
  ),
  call('create_annotation', 'with nulls', {
    moduleId: 1,
    type: 'text',
    p1: [AT, 30],
    p2: null,
    unit: null,
    text: 'Orage',
  }),
  call('create_annotation', 'with a style of its own', {
    moduleId: 1,
    chartType: 'humidity-detail',
    type: 'rect',
    p1: [AT, 10],
    p2: [AT + 3_600_000, 20],
    unit: 'mm',
    style: { fill: 'red', width: 2 },
  }),
  call('update_annotation', 'its text replaced, its second point cleared', ({ idFrom }) => ({
    annotationId: idFrom('create_annotation, with nulls'),
    p2: null,
    text: 'Rien',
  })),
  call('delete_annotation', 'a wilting-point line', ({ line }) => ({ annotationId: line })),
  call('delete_annotation', 'that is deleted', ({ line }) => ({ annotationId: line }), 'not_found'),
  call('list_alerts', 'whose line is deleted', { moduleId: 1 }),
  call('update_alert', 'unknown', { alertId: UNKNOWN_UUID, threshold: 12 }, 'not_found'),
  call('import_readings', 'tried, with columns and rows that are not understood', {
    module: 1,
    dryRun: true,
    timezone: 'Europe/Athens',
    map: 'Probe A=humidity_20 (m3/m3)',
    csv: 'Date;Soil moisture 10cm (%);Probe A;Rain\n20/06/2026 06:00;21,5;0,3;0\n20/06/2026 07:00;wet;;0\n',
  }),
  call('import_readings', 'stored, naming the module in each row', {
    csv: 'module,type,depth,time,value\nNorth 1,humidity,10,2026-06-20T06:00,21.5\nX,humidity,10,2026-06-20T06:00,1\n',
  }),
  call(
    'import_readings',
    'with ambiguous dates',
    { module: 1, csv: 'time,humidity_10\n03/04/2026 06:00,5\n' },
    'invalid_parameter',
  ),
  call('list_schedules', 'of an unknown probe', { moduleId: UNKNOWN_ID }, 'not_found'),
];

/** Later calls see what earlier ones wrote. A deep run has the special ones. */
export const PARITY_CALLS: readonly ParityCall[] = [
  ...tools.flatMap(({ name }) => {
    const { valid, refused, code } = callsOfOperation(name);
    return [call(name, 'valid', (rows) => valid(rows, 0)), call(name, 'refused', refused, code)];
  }),
  ...(isDeepRun ? SPECIAL_CALLS : []),
];

/** What a call can refer to: what stood in the books before, and what an earlier call of the same way answered. */
import type { WireFields } from './test-surfaces.ts';
export interface KnownIds {
  /** Ids of drawings on "North 1": its wilting point at 14 %, and a note. */
  readonly line: string;
  readonly note: string;
  /** Id of the alert that the wilting point drives. */
  readonly alert: string;
  /** The cursor after the first page of a list, which an earlier call asked for. */
  cursorOf(list: string): string;
  /** The id of what an earlier call made. */
  idFrom(call: string): string;
}

/** A call that is made in the same words by every way. */
export interface ParityCall {
  readonly operation: string;
  /** What is special about it; with the operation's name its own name. */
  readonly what: string;
  argumentsFor(known: KnownIds): WireFields;
  /** The code it is refused with; left out where it succeeds. */
  readonly refusedWith?: string;
}

type ArgumentsOf = WireFields | ((known: KnownIds) => WireFields);

const call = (operation: string, what: string, given: ArgumentsOf = {}, refusedWith?: string): ParityCall => ({
  operation,
  what,
  argumentsFor: typeof given === 'function' ? given : () => given,
  ...(refusedWith && { refusedWith }),
});

const UNKNOWN_ID = 99;
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000001';

/** Half an hour this morning, by the company's own clock. */
const MORNING = { moduleId: 1, startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
const DAILY = {
  ...{ freq: 'daily', startTimes: ['05:30', '22:15'], timezone: 'Europe/Paris', startsOn: '2026-07-02' },
  ...{ inputMode: 'duration', durationMin: 20 },
};
const SERIES = { moduleId: 1, start: '2026-06-30T00:00:00Z', end: '2026-07-01T00:00:00Z' };
const AT = Date.UTC(2026, 5, 20);
const PAST = { moduleId: 1, start: '2026-06-29T10:00Z', end: '2026-07-01T10:00Z' };
const FIRING = 'create_alert, that fires at once';

/** In the order in which they are made: what one writes the next ones see. */
export const PARITY_CALLS: readonly ParityCall[] = [
  call('get_company', 'as it stands'),
  call('get_company', 'with an argument there is not', { colour: 'red' }, 'invalid_parameter'),
  call('list_users', 'as they stand'),
  call('list_users', 'with an argument there is not', { limit: 3 }, 'invalid_parameter'),
  call('get_enums', 'in French', { lang: 'fr' }),
  call('get_enums', 'in no language there is', { lang: 'tlh' }, 'invalid_parameter'),
  call('list_soil_horizons', 'in French', { lang: 'fr' }),
  call('list_soil_horizons', 'in no language there is', { lang: 'tlh' }, 'invalid_parameter'),

  call('list_modules', 'whole, in French', { lang: 'fr', detail: 'full' }),
  call('list_modules', 'concise'),
  call('list_modules', 'by a parcel and a kind', { parcelId: 2, category: 'SOIL_PROBE' }),
  call('list_modules', 'a first page', { limit: 3 }),
  call('list_modules', 'the page after it', ({ cursorOf }) => ({ limit: 3, cursor: cursorOf('list_modules') })),
  call('list_modules', 'none found', { search: 'nowhere' }),
  call('list_modules', 'of a parcel nobody has', { parcelId: UNKNOWN_ID }, 'not_found'),
  call('list_modules', 'of no kind there is', { category: 'ROBOT' }, 'invalid_parameter'),
  call('get_module', 'with sensors, in French', { moduleId: 1, lang: 'fr' }),
  call('get_module', 'that has nothing', { moduleId: 2 }),
  call('get_module', 'nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('get_module', 'not named', { moduleId: 0 }, 'invalid_id'),
  call('get_module_health', 'through its gateway', { moduleId: 1 }),
  call('get_module_health', 'without one', { moduleId: 3 }),
  call('get_module_health', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('list_gateways', 'as they stand', { lang: 'fr' }),
  call('list_gateways', 'none found', { search: '00000' }),
  call('list_gateways', 'too many a page', { limit: 201 }, 'invalid_limit'),
  call('list_parcels', 'whole', { detail: 'full' }),
  call('list_parcels', 'a first page', { limit: 1 }),
  call('list_parcels', 'the page after it', ({ cursorOf }) => ({ limit: 1, cursor: cursorOf('list_parcels') })),
  call('list_parcels', 'after a broken cursor', { cursor: 'x' }, 'invalid_cursor'),

  call('get_moisture_series', 'by the hour, each depth', { ...SERIES, interval: 3600, depths: true }),
  call('get_moisture_series', 'of a temperature nobody read', { ...SERIES, type: 'temperature' }),
  call('get_moisture_series', 'by the former code of tension', { ...SERIES, type: 'tension' }),
  call('get_moisture_series', 'by local dates', { ...SERIES, start: '2026-06-29', end: '2026-07-01', maxPoints: 10 }),
  call('get_moisture_series', 'of a day without readings', { ...SERIES, moduleId: 2 }),
  call('get_moisture_series', 'that ends first', { ...SERIES, end: '2026-06-29T00:00' }, 'invalid_date'),
  call('get_moisture_series', 'of a date there is not', { ...SERIES, start: '2026-02-30T00:00Z' }, 'invalid_date'),
  call('get_agronomic_state', 'against its line', { moduleId: 1 }),
  call('get_agronomic_state', 'without readings', { moduleId: 3 }),
  call('get_agronomic_state', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),

  call('chart_moisture', 'of a day', SERIES),
  call('chart_moisture', 'of each depth by local dates, in the dark', {
    ...{ moduleId: 1, start: '2026-06-29T20:00', end: '2026-06-30T20:00', view: 'depths', theme: 'dark' },
  }),
  call('chart_moisture', 'without readings', { ...SERIES, moduleId: 3 }),
  call('chart_moisture', 'in no view there is', { ...SERIES, view: 'heatmap' }, 'invalid_parameter'),
  call('chart_moisture', 'that ends first', { ...SERIES, end: '2026-06-29T00:00' }, 'invalid_date'),
  call('chart_moisture', 'of a probe not named', { ...SERIES, moduleId: 0 }, 'invalid_id'),
  call('chart_moisture', 'of a module nobody has', { ...SERIES, moduleId: UNKNOWN_ID }, 'not_found'),

  call('log_watering', 'with minutes, by the company’s clock', MORNING),
  call('log_watering', 'with an end, by offsets', {
    ...{ moduleId: 2, startedAt: '2026-06-30T08:00+02:00', endedAt: '2026-06-30T06:45Z', inputMode: 'duration' },
  }),
  call('log_watering', 'with nulls', {
    ...{ moduleId: 1, startedAt: '2026-06-29T06:00', inputMode: 'depth_mm', inputDepthMm: 12.5 },
    ...{ durationMin: null, endedAt: null, note: null },
  }),
  call('log_watering', 'planned into an hour there is not', {
    ...{
      moduleId: 3,
      startedAt: '2027-03-28T02:30',
      inputMode: 'volume_m3',
      inputVolumeM3: 3,
      note: 'goutte à goutte',
    },
  }),
  call(
    'log_watering',
    'that ends first',
    { ...MORNING, durationMin: null, endedAt: '2026-07-01T05:00' },
    'ENDED_BEFORE_STARTED',
  ),
  call('log_watering', 'without its amount', { ...MORNING, durationMin: null }, 'MISSING_DURATION'),
  call('log_watering', 'done ahead', { ...MORNING, startedAt: '2026-07-02T06:00', status: 'done' }, 'INVALID_STATUS'),
  call('log_watering', 'on a module nobody has', { ...MORNING, moduleId: UNKNOWN_ID }, 'MODULE_NOT_OWNED'),
  call('log_watering', 'with a field there is not', { ...MORNING, colour: 'red' }, 'invalid_body'),
  call('correct_watering', 'moved, its note emptied', {
    ...{ eventId: 1, startedAt: '2026-06-28T07:00', inputMode: 'duration', durationMin: 50, note: null },
  }),
  call('correct_watering', 'an occurrence, skipped', {
    ...{ eventId: 2, startedAt: '2026-07-06T03:30:00Z', inputMode: 'duration', status: 'skipped' },
  }),
  call('correct_watering', 'nobody has', { ...MORNING, moduleId: undefined, eventId: 9999 }, 'EVENT_NOT_FOUND'),
  call('correct_watering', 'without its mode', { eventId: 1, startedAt: '2026-06-28T07:00' }, 'INVALID_INPUT_MODE'),
  call('list_waterings', 'a first page', { limit: 2 }),
  call('list_waterings', 'the page after it', ({ cursorOf }) => ({ limit: 2, cursor: cursorOf('list_waterings') })),
  call('list_waterings', 'of a parcel and a period', { parcelId: 1, from: '2026-06-28', to: '2026-07-01T08:00+02:00' }),
  call('list_waterings', 'of a schedule', { scheduleId: 1, status: 'skipped' }),
  call('list_waterings', 'none found', { moduleId: 4 }),
  call('list_waterings', 'of a period that ends first', { from: '2026-07-01', to: '2026-06-01' }, 'invalid_parameter'),
  call('list_waterings', 'of a schedule nobody has', { scheduleId: UNKNOWN_ID }, 'not_found'),
  call(
    'list_waterings',
    'after another list’s cursor',
    ({ cursorOf }) => ({ cursor: cursorOf('list_modules') }),
    'invalid_cursor',
  ),

  call('create_schedule', 'on a probe', { targetModuleId: 1, ...DAILY }),
  call('create_schedule', 'on a parcel, with nulls', {
    ...{
      targetParcelId: 1,
      targetModuleId: null,
      label: 'Été',
      freq: 'weekly',
      weekdays: [4, 1, 4],
      startTimes: ['06:00'],
    },
    ...{
      timezone: 'Europe/Paris',
      startsOn: '2026-07-01',
      endsOn: '2026-08-01',
      inputMode: 'depth_mm',
      inputDepthMm: 4,
    },
    ...{ intervalDays: null, confirmationPolicy: 'manual' },
  }),
  call('create_schedule', 'on nothing', DAILY, 'INVALID_TARGET'),
  call('create_schedule', 'on two targets', { ...DAILY, targetModuleId: 1, targetParcelId: 1 }, 'INVALID_TARGET'),
  call('create_schedule', 'on a module nobody has', { ...DAILY, targetModuleId: UNKNOWN_ID }, 'MODULE_NOT_OWNED'),
  call('create_schedule', 'on a parcel nobody has', { ...DAILY, targetParcelId: UNKNOWN_ID }, 'PARCEL_NOT_FOUND'),
  call('create_schedule', 'in UTC', { ...DAILY, targetModuleId: 1, timezone: 'UTC' }, 'INVALID_TIMEZONE'),
  call('update_schedule', 'its end and label emptied', { scheduleId: 3, endsOn: null, label: null }),
  call('update_schedule', 'stopped', { scheduleId: 2, isActive: false }),
  call('update_schedule', 'made weekly without days', { scheduleId: 2, freq: 'weekly' }, 'INVALID_WEEKDAYS'),
  call('update_schedule', 'nobody has', { scheduleId: UNKNOWN_ID, isActive: false }, 'not_found'),
  call('list_schedules', 'all'),
  call('list_schedules', 'of a probe, running', { moduleId: 1, isActive: true }),
  call('list_schedules', 'none found', { moduleId: 4 }),
  call('list_schedules', 'of a parcel nobody has', { parcelId: UNKNOWN_ID }, 'not_found'),

  call('get_irrigation_setup', 'of its own', { moduleId: 1 }),
  call('get_irrigation_setup', 'none', { moduleId: 4 }),
  call('get_irrigation_setup', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('set_module_installation', 'from a local date', {
    ...{ moduleId: 1, system: 'drip', emitterFlowLph: 2, emittersPerM2: 1.5, effectiveFrom: '2026-05-01T08:00' },
  }),
  call('set_module_installation', 'a first one, with nulls', {
    ...{ moduleId: 3, system: 'sprinkler', flowMmPerH: 4, irrigatedAreaM2: 500, notes: null, fractionWetted: null },
  }),
  call(
    'set_module_installation',
    'at the start of another',
    { moduleId: 1, system: 'drip', effectiveFrom: '2026-05-01T06:00Z' },
    'INSTALLATION_VERSION_EXISTS_AT_DATE',
  ),
  call(
    'set_module_installation',
    'ahead',
    { moduleId: 1, system: 'drip', effectiveFrom: '2026-08-01T06:00' },
    'EFFECTIVE_FROM_IN_FUTURE',
  ),
  call(
    'set_module_installation',
    'on a module nobody has',
    { moduleId: UNKNOWN_ID, system: 'drip' },
    'MODULE_NOT_OWNED',
  ),
  call('set_parcel_installation', 'from now on', { parcelId: 1, system: 'micro_sprinkler', flowMmPerH: 5 }),
  call(
    'set_parcel_installation',
    'that wets nothing',
    { parcelId: 1, system: 'drip', fractionWetted: 0 },
    'INVALID_FRACTION_WETTED',
  ),
  call(
    'set_parcel_installation',
    'on a parcel nobody has',
    { parcelId: UNKNOWN_ID, system: 'drip' },
    'PARCEL_NOT_FOUND',
  ),
  call('correct_installation', 'some of it, some emptied', { versionId: 1, irrigatedAreaM2: 1200, notes: null }),
  call(
    'correct_installation',
    'with an area of nothing',
    { versionId: 1, irrigatedAreaM2: 0 },
    'INVALID_IRRIGATED_AREA',
  ),
  call('correct_installation', 'nobody has', { versionId: UNKNOWN_ID, system: 'drip' }, 'not_found'),
  call('recompute_doses', 'of a probe', { moduleId: 3 }),
  call('recompute_doses', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('generalize_installation', 'told only', { moduleId: 1, dryRun: true, dropSiblings: true }),
  call('generalize_installation', 'done', { moduleId: 1, effectiveFrom: '2026-06-15T06:00' }),
  call('generalize_installation', 'of what has none', { moduleId: 4 }, 'NO_INSTALLATION'),
  call('set_module_placement', 'beside the emitter', { moduleId: 1, emitterDistanceCm: 0, notes: 'au pied' }),
  call('set_module_placement', 'emptied', { moduleId: 1, emitterDistanceCm: null, notes: null }),
  call(
    'set_module_placement',
    'before the emitter',
    { moduleId: 1, emitterDistanceCm: -1 },
    'INVALID_EMITTER_DISTANCE',
  ),

  call('get_soil_profile', 'none', { parcelId: 2 }),
  call('set_soil_profile', 'of two layers', {
    parcelId: 2,
    layers: [
      { soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 40 },
      { soilHorizonId: 9, depthTopCm: 40, depthBottomCm: 90 },
    ],
  }),
  call('set_soil_profile', 'closed', { parcelId: 2, layers: [], closeOthers: true }),
  call(
    'set_soil_profile',
    'upside down',
    { parcelId: 2, layers: [{ soilHorizonId: 6, depthTopCm: 40, depthBottomCm: 0 }] },
    'invalid_body',
  ),
  call(
    'set_soil_profile',
    'of a parcel nobody has',
    { parcelId: UNKNOWN_ID, layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 40 }] },
    'not_found',
  ),
  call('get_soil_profile', 'of a parcel nobody has', { parcelId: UNKNOWN_ID }, 'not_found'),

  call('advise_watering', 'that dries', { moduleId: 1 }),
  call('advise_watering', 'to refill half of it', { moduleId: 1, refillPercent: 50 }),
  call('advise_watering', 'without readings', { moduleId: 3 }),
  call('advise_watering', 'of what measures no soil', { moduleId: 4 }),
  call('advise_watering', 'to refill nothing', { moduleId: 1, refillPercent: 0 }, 'invalid_parameter'),
  call('advise_watering', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('review_waterings', 'by local dates', { moduleId: 1, start: '2026-06-28', end: '2026-07-01T08:00' }),
  call('review_waterings', 'the newest one', { ...PAST, start: '2026-06-20T00:00Z', limit: 1 }),
  call('review_waterings', 'of what was never watered', { ...PAST, moduleId: 4 }),
  call('review_waterings', 'that ends first', { ...PAST, end: '2026-06-28' }, 'invalid_date'),
  call('review_waterings', 'of a year', { ...PAST, start: '2025-06-28' }, 'invalid_date'),
  call('review_waterings', 'too many', { ...PAST, limit: 201 }, 'invalid_limit'),
  call('review_waterings', 'of a module nobody has', { ...PAST, moduleId: UNKNOWN_ID }, 'not_found'),
  call('morning_brief', 'of the whole farm'),
  call('morning_brief', 'with an argument there is not', { moduleId: 1 }, 'invalid_parameter'),

  call('list_alerts', 'born from a line'),
  call('backtest_alert', 'as the line has it', PAST),
  call('backtest_alert', 'higher, by local dates', {
    ...{ moduleId: 1, threshold: 22.75, hysteresis: 0, reminderTime: '06:00:00' },
    ...{ start: '2026-06-29', end: '2026-07-01T11:30' },
  }),
  call('backtest_alert', 'of nothing that is in force', { ...PAST, moduleId: 2 }, 'invalid_parameter'),
  call('backtest_alert', 'that ends first', { ...PAST, end: '2026-06-28' }, 'invalid_parameter'),
  call('backtest_alert', 'of a date there is not', { ...PAST, start: '2026-02-30T00:00Z' }, 'invalid_parameter'),
  call('backtest_alert', 'of a probe not named', { ...PAST, moduleId: 0 }, 'invalid_id'),
  call('backtest_alert', 'of a module nobody has', { ...PAST, moduleId: UNKNOWN_ID }, 'not_found'),
  call('create_alert', 'that fires at once', {
    ...{ moduleId: 1, threshold: 23.05, hysteresis: 2.5, reminderTime: '06:30:00' },
  }),
  call('create_alert', 'on a probe without readings', { moduleId: 2, threshold: 18 }),
  call('create_alert', 'of a parcel alone, with nulls', { moduleId: null, parcelId: 1, threshold: 100 }),
  call('create_alert', 'below nothing', { moduleId: 1, threshold: -1 }, 'invalid_body'),
  call('create_alert', 'at no hour there is', { threshold: 20, reminderTime: '24:00:00' }, 'invalid_body'),
  call('create_alert', 'on a module nobody has', { moduleId: UNKNOWN_ID, threshold: 20 }, 'not_found'),
  call('list_alerts', 'a first page', { limit: 2 }),
  call('list_alerts', 'the page after it', ({ cursorOf }) => ({ limit: 2, cursor: cursorOf('list_alerts') })),
  call('list_alerts', 'of a probe, watched', { moduleId: 1, isActive: true }),
  call('list_alerts', 'none found', { moduleId: 4 }),
  call('list_alerts', 'of a module nobody has', { moduleId: UNKNOWN_ID }, 'not_found'),
  call('list_alerts', 'too many a page', { limit: 201 }, 'invalid_limit'),
  call('morning_brief', 'while an alert fires'),
  call('chart_moisture', 'with its alerts', SERIES),
  call('update_alert', 'lowered, so that it ends', ({ idFrom }) => ({ alertId: idFrom(FIRING), threshold: 12.5 })),
  call('update_alert', 'its line moved along', ({ alert }) => ({ alertId: alert, threshold: 14.25, hysteresis: 3 })),
  call('update_alert', 'disabled', ({ idFrom }) => ({ alertId: idFrom(FIRING), isActive: false })),
  call('update_alert', 'with nothing', ({ alert }) => ({ alertId: alert })),
  call('update_alert', 'above all', ({ alert }) => ({ alertId: alert, threshold: 100.5 }), 'invalid_body'),
  call('update_alert', 'with its probe', ({ alert }) => ({ alertId: alert, moduleId: 2 }), 'invalid_body'),
  call('update_alert', 'not named', { alertId: '12', isActive: false }, 'invalid_parameter'),
  call('update_alert', 'nobody made', { alertId: UNKNOWN_UUID, isActive: false }, 'not_found'),
  call('list_alerts', 'disabled', { isActive: false }),

  call('list_annotations', 'on the summary curve', { moduleId: 1 }),
  call('list_annotations', 'none, by the former code of tension', { moduleId: 1, chartType: 'tension' }),
  call('list_annotations', 'on no curve there is', { moduleId: 1, chartType: 'rain' }, 'invalid_parameter'),
  call('create_annotation', 'with nulls', {
    moduleId: 1,
    type: 'text',
    p1: [AT, 30],
    p2: null,
    unit: null,
    text: 'Orage',
  }),
  call('create_annotation', 'a rectangle with a style of its own', {
    ...{ moduleId: 1, chartType: 'humidity-detail', type: 'rect', p1: [AT, 10], p2: [AT + 3_600_000, 20], unit: 'mm' },
    style: { fill: 'red', width: 2 },
  }),
  call(
    'create_annotation',
    'a threshold in mm',
    { moduleId: 1, type: 'h-line', p1: [AT, 14], unit: 'mm', style: { fill: 'threshold2' } },
    'THRESHOLD_REQUIRES_VWC',
  ),
  call('create_annotation', 'without its second point', { moduleId: 1, type: 'segment', p1: [AT, 14] }, 'invalid_body'),
  call('update_annotation', 'moved', ({ line }) => ({ annotationId: line, p1: [AT, 16.5] })),
  call('update_annotation', 'its second point emptied', ({ note }) => ({ annotationId: note, p2: null, text: 'Rien' })),
  call(
    'update_annotation',
    'to a threshold it cannot be',
    ({ note }) => ({ annotationId: note, style: { fill: 'threshold1' } }),
    'invalid_body',
  ),
  call('update_annotation', 'nobody drew', { annotationId: UNKNOWN_UUID, text: 'x' }, 'not_found'),
  call('delete_annotation', 'a wilting point', ({ line }) => ({ annotationId: line })),
  call('delete_annotation', 'that is gone', ({ line }) => ({ annotationId: line }), 'not_found'),
  call('list_alerts', 'whose line is gone', { moduleId: 1 }),
];

import { WATERING } from '../base-farm.ts';
import { DAY, HOUR } from '../time.ts';
import type { Json } from '../tool-results.ts';
import { NOW } from './local-tools.ts';

export type AskTool = (name: string, args?: Record<string, unknown>) => Promise<Json>;

const NORTH_1 = { module: 'North 1' };
const SOUTH_1 = { module: 'South 1' };
const NORTH_BLOCK = { parcel: 'North block' };

async function callEveryRead(call: AskTool): Promise<void> {
  for (const args of [{}, { lang: 'fr' }]) await call('get_enums', args);
  await call('get_company');
  for (const detail of ['concise', 'full']) {
    await call('list_parcels', { detail });
    await call('list_modules', { detail });
    await call('list_modules', { detail, limit: 1 });
  }
  await call('list_modules', {
    parcel: 'South block',
    category: 'WEATHER_STATION',
    search: 'mast',
    lang: 'fr',
  });
  await call('list_modules', { search: 'nothing of that name' });
  for (const module of ['North 1', 'North 2', 'South 1', 'Mast']) {
    for (const name of [
      'get_module',
      'get_irrigation_setup',
      'list_waterings',
      'get_module_health',
    ])
      await call(name, { module });
    await call('get_moisture_series', { module });
    await call('get_moisture_series', {
      module,
      type: 'temperature',
      depths: true,
      start: '2026-06-01',
    });
    for (const name of ['get_agronomic_state', 'list_annotations', 'list_alerts'])
      await call(name, { module });
    await call('advise_watering', { module, refillPercent: 80 });
    await call('review_waterings', { module, start: '2026-06-25' });
    await call('suggest_thresholds', { module });
  }
  await call('chart_moisture', NORTH_1);
  for (const parcel of ['North block', 'South block']) await call('get_soil_profile', { parcel });
  await call('list_soil_horizons', { lang: 'fr' });
  for (const name of [
    'list_gateways',
    'list_devices',
    'morning_brief',
    'farm_overview',
    'list_users',
  ])
    await call(name);
  const first = await call('list_waterings', { limit: 1 });
  if (first.next_cursor) await call('list_waterings', { limit: 1, cursor: first.next_cursor });
}

/** Calls every tool on a newly imported base farm, with all reads in between. */
export async function callEveryTool(call: AskTool): Promise<void> {
  await callEveryRead(call);
  const csv = 'Date;Soil moisture 10cm (%);Rain\n30/06/2026 06:00;21,5;0\n30/06/2026 07:00;wet;0\n';
  for (const dryRun of [true, false]) await call('import_readings', { ...NORTH_1, csv, dryRun });
  await call('assign_device', { device: 'A84041FFFF181F0D', ...NORTH_1, depths: [10] });
  const { event } = await call('log_watering', { ...WATERING, note: 'valve 3' });
  await call('log_watering', WATERING);
  await call('log_watering', {
    ...SOUTH_1,
    startedAt: '2026-06-30 21:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12,
  });
  await call('log_watering', {
    module: '3',
    startedAt: 'tomorrow 5:00',
    inputMode: 'depth_mm',
    inputDepthMm: 9,
  });
  const { rain } = await call('log_rain', {
    mm: 12,
    when: 'last night',
    note: 'gauge by the gate',
  });
  await call('log_rain', { mm: 15, when: 'yesterday', parcel: 'North block' });
  await call('correct_rain', { rainId: rain.id, mm: 11.5 });
  await call('list_rain', { parcel: 'North block' });
  const correction = { eventId: event.id, startedAt: 'today 5:00', inputMode: 'duration' };
  await call('correct_watering', { ...correction, clear: ['note'] });
  await call('correct_watering', { ...correction, status: 'skipped' });
  await call('set_module_placement', {
    ...NORTH_1,
    emitterDistanceCm: 0,
    notes: 'left of the tree',
  });
  await call('set_module_placement', { ...NORTH_1, clear: ['emitterDistanceCm', 'notes'] });
  await call('set_probe_settings', {
    ...NORTH_1,
    allowedDepletion: 0.35,
    efficiencyPercent: 87.5,
    hoursPerDay: 5.5,
  });
  await call('set_probe_settings', {
    ...NORTH_1,
    rootDepthCm: 62.5,
    depthWeights: ['10: 0.5', '20: 0.25'],
  });
  await call('set_probe_settings', {
    ...NORTH_1,
    clear: ['allowedDepletion', 'depthWeights', 'efficiencyPercent'],
  });
  await call('set_probe_settings', {
    ...NORTH_1,
    refillPercent: 80,
    effectiveFrom: '2026-05-02 12:00',
  });
  await call('set_probe_settings', {
    ...NORTH_BLOCK,
    restFrom: '15 November',
    restUntil: '1er mars',
  });
  await call('set_water_times', {
    ...NORTH_BLOCK,
    everyHours: 192,
    turnAt: '2026-07-04 06:00',
    untilTime: '18:00',
    noticeHours: 48,
    flowLPerH: '20 L/s',
    leastMm: '40 mm',
    largestMm: 90,
    longestRunMin: '2 h',
    pauseMin: 30,
    seasonFrom: '1 April',
    seasonUntil: '30 septembre',
  });
  await call('set_water_times', {
    ...NORTH_BLOCK,
    movedFrom: '2026-07-12 06:00',
    movedTo: '2026-07-13 06:00',
  });
  await call('set_water_times', {
    source: 'Canal Viejo',
    parcels: [NORTH_BLOCK.parcel],
    hoursPerDay: '10 h',
    everyHours: 96,
    turnAt: '2026-07-03 06:00',
  });
  await call('set_water_times', { ...NORTH_BLOCK, clear: ['source'] });
  await call('set_water_times', { ...NORTH_1, weekdays: [2, 5], fromTime: '22:00' });
  await call('set_water_times', { ...NORTH_1, clear: ['weekdays', 'fromTime'] });
  const { versions } = await call('set_module_installation', { ...SOUTH_1, system: 'manual' });
  await call('recompute_doses', SOUTH_1);
  await call('correct_installation', { versionId: versions[0].id, irrigatedAreaM2: 4000 });
  await call('recompute_doses', SOUTH_1);
  const { id: scheduleId } = await call('create_schedule', {
    ...SOUTH_1,
    freq: 'weekly',
    weekdays: [1, 4],
    startTimes: ['05:00'],
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    inputMode: 'duration',
    durationMin: 30,
  });
  await call('update_schedule', { scheduleId, startTimes: ['06:00'], label: 'summer' });
  await call('list_schedules');
  await call('list_schedules', { ...NORTH_1, isActive: false });
  await call('update_schedule', { scheduleId, isActive: false, clear: ['label'] });
  const layers = [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }];
  await call('set_soil_profile', { ...NORTH_BLOCK, layers });
  const { id: annotationId } = await call('create_annotation', {
    ...NORTH_1,
    type: 'h-line',
    p1: [1782892800000, 14],
    style: { fill: 'threshold2' },
    text: 'wilting point',
  });
  await call('update_annotation', { annotationId, p1: [1782892800000, 15] });
  await call('backtest_alert', { ...NORTH_1, threshold: 16 });
  const { id: alertId } = await call('create_alert', { ...NORTH_1, threshold: 16 });
  await call('backtest_alert', { ...NORTH_1, threshold: 18, hysteresis: 2, start: '2026-06-01' });
  await call('update_alert', { alertId, threshold: 18, reminderTime: '07:30:00' });
  await callEveryRead(call);
  await call('update_alert', { alertId, isActive: false });
  await call('delete_annotation', { annotationId });
  await call('set_parcel_installation', {
    ...NORTH_BLOCK,
    system: 'gravity',
    effectiveFrom: 'yesterday 12:00',
  });
  await call('generalize_installation', { ...NORTH_1, dropSiblings: true, dryRun: true });
  await call('generalize_installation', { ...NORTH_1, dropSiblings: true });
  await call('undo');
  await call('list_changes', { limit: 5 });
  await call('create_sign_in_link');
  for (const change of [{ city: 'Nîmes' }, {}, { clear: ['city'] }])
    await call('set_company', change);
  const outline = ['43.61, 3.87', '43.61, 3.88', '43.62, 3.88'];
  for (const fields of [{ outline }, {}, { areaM2: 12_500, clear: ['outline'] }])
    await call('set_parcel', { name: 'Mas 7', ...fields });
  for (const fields of [
    { sensors: ['tensio 30'] },
    { parcel: 'Mas 7' },
    { latitude: 43.61, longitude: 3.87 },
  ])
    await call('set_module', { name: 'T 7', ...fields });
  await callEveryRead(call);
}

/**
 * Calls with summaries that need readings, firing alerts, drawn levels, several doses and changes
 * of the clocks.
 */
export async function callWithReadings(call: AskTool): Promise<void> {
  await call('get_moisture_series', { ...NORTH_1, start: '2026-06-28', maxPoints: 12 });
  await call('get_moisture_series', { ...NORTH_1, type: 'temperature' });
  await call('get_moisture_series', { ...NORTH_1, start: '2026-05-01', end: '2026-06-01' });
  await call('backtest_alert', { ...NORTH_1, threshold: 20.5, hysteresis: 2, start: '2026-06-01' });
  const { id: alertId } = await call('create_alert', {
    ...NORTH_1,
    threshold: 22.5,
    hysteresis: 80,
  });
  await call('list_alerts', NORTH_1);
  await call('backtest_alert', { ...NORTH_1, threshold: 22 });
  await call('get_agronomic_state', NORTH_1);
  await call('set_module', { name: 'North 1', sensors: ['humidity 10', 'temperature 10'] });
  const draw = (value: number, fill: string) =>
    call('create_annotation', { ...NORTH_1, type: 'h-line', p1: [NOW, value], style: { fill } });
  await draw(12.5, 'threshold2');
  await draw(11, 'threshold1');
  await call('get_agronomic_state', NORTH_1);
  const newer = await draw(13.5, 'threshold2');
  await call('list_annotations', NORTH_1);
  await call('delete_annotation', { annotationId: newer.id });
  const corners = { p1: [NOW - 1.25 * DAY, 20.25], p2: [NOW - 2 * HOUR, 18] };
  await call('create_annotation', { ...NORTH_1, type: 'rect', ...corners });
  await call('create_alert', { parcel: 'North block', threshold: 15 });
  await call('update_alert', { alertId, isActive: false });
  await call('list_alerts');
  const log = (args: Record<string, unknown>) => call('log_watering', { ...WATERING, ...args });
  await log({ module: 'South block', startedAt: 'yesterday 23:30', durationMin: 75 });
  await log({
    startedAt: '2026-03-29 02:30',
    inputMode: 'depth_mm',
    durationMin: undefined,
    inputDepthMm: 7.5,
  });
  await log({ startedAt: '2025-10-26 02:30', durationMin: 90 });
  const daily = {
    ...NORTH_BLOCK,
    freq: 'daily',
    startTimes: ['05:00', '18:00'],
    intervalDays: 2,
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    endsOn: '2026-12-24',
    inputMode: 'depth_mm',
    inputDepthMm: 4.5,
  };
  const { id: scheduleId } = await call('create_schedule', daily);
  await call('create_schedule', daily);
  const { data } = await call('list_waterings', { ...NORTH_BLOCK, status: 'planned', limit: 1 });
  const { id: eventId, startedAt, inputMode } = data[0];
  await call('correct_watering', { eventId, startedAt, inputMode, inputDepthMm: 5.25 });
  await call('update_schedule', {
    scheduleId,
    startTimes: ['04:30', '19:00'],
    confirmationPolicy: 'manual',
  });
  await call('list_schedules', { limit: 1 });
  const upper = { soilHorizonId: 3, depthTopCm: 0, depthBottomCm: 30 };
  const lower = { soilHorizonId: 7, depthTopCm: 30, depthBottomCm: 90 };
  await call('set_soil_profile', { ...NORTH_BLOCK, layers: [upper, lower] });
  await call('set_soil_profile', {
    ...NORTH_BLOCK,
    layers: [{ soilHorizonId: 4, depthTopCm: 20, depthBottomCm: 50 }],
  });
  await call('get_soil_profile', NORTH_BLOCK);
  const install = (args: object) => call('set_module_installation', { ...NORTH_1, ...args });
  await install({ system: 'drip', flowMmPerH: 1.25, effectiveFrom: '2026-06-30 12:00' });
  await install({ system: 'pivot', effectiveFrom: '2026-05-02 12:00' });
  await log({
    startedAt: '2026-05-03 6:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12.5,
    durationMin: 30,
  });
  await call('set_module_placement', { ...NORTH_1, emitterDistanceCm: 12 });
  await call('get_irrigation_setup', NORTH_1);
  await log({ startedAt: '2026-06-29 6:00', inputMode: 'depth_mm', inputDepthMm: 12.5 });
  await call('create_alert', { ...NORTH_1, threshold: 21.5 });
  for (const module of ['North 1', 'North 2']) {
    await call('advise_watering', { module });
    await call('advise_watering', { module, refillPercent: 62.5 });
    await call('review_waterings', { module, limit: 1 });
    await call('chart_moisture', { module, start: '2026-06-28', view: 'depths' });
  }
  await call('morning_brief');
  await call('update_schedule', { scheduleId, isActive: false });
  await call('morning_brief');
}

import type { Json } from './program.ts';
export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<Json>;

/** Calls every tool on a newly imported base farm, with all reads in between. `watering` is on "North 1". */
export async function callEveryTool(ask: CallTool, watering: Record<string, unknown>): Promise<void> {
  const readAll = async () => {
    for (const lang of [undefined, 'fr']) await ask('get_enums', lang ? { lang } : {});
    await ask('get_company');
    for (const detail of ['concise', 'full']) {
      await ask('list_parcels', { detail });
      await ask('list_modules', { detail });
      await ask('list_modules', { detail, limit: 1 });
    }
    await ask('list_modules', { parcel: 'South block', category: 'WEATHER_STATION', search: 'mast', lang: 'fr' });
    await ask('list_modules', { search: 'nothing of that name' });
    for (const module of ['North 1', 'North 2', 'South 1', 'Mast']) {
      await ask('get_module', { module });
      await ask('get_irrigation_setup', { module });
      await ask('list_waterings', { module });
      await ask('get_module_health', { module });
      await ask('get_moisture_series', { module });
      await ask('get_moisture_series', { module, type: 'temperature', depths: true, start: '2026-06-01' });
      await ask('get_agronomic_state', { module });
      await ask('list_annotations', { module });
      await ask('list_alerts', { module });
      await ask('advise_watering', { module, refillPercent: 80 });
      await ask('review_waterings', { module, start: '2026-06-25' });
      await ask('chart_moisture', { module });
    }
    for (const parcel of ['North block', 'South block']) await ask('get_soil_profile', { parcel });
    await ask('list_soil_horizons', { lang: 'fr' });
    await ask('list_gateways');
    await ask('morning_brief');
    await ask('list_users');
    const first = await ask('list_waterings', { limit: 1 });
    if (first.next_cursor) await ask('list_waterings', { limit: 1, cursor: first.next_cursor });
  };

  await readAll();
  const { event } = await ask('log_watering', { ...watering, note: 'valve 3' });
  await ask('log_watering', watering);
  await ask('log_watering', {
    module: 'South 1',
    startedAt: '2026-06-30 21:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12,
  });
  await ask('log_watering', { module: '3', startedAt: 'tomorrow 5:00', inputMode: 'depth_mm', inputDepthMm: 9 });
  await ask('correct_watering', {
    eventId: event.id,
    startedAt: 'today 5:00',
    inputMode: 'duration',
    clear: ['note'],
  });
  await ask('correct_watering', {
    eventId: event.id,
    startedAt: 'today 5:00',
    inputMode: 'duration',
    status: 'skipped',
  });
  await ask('set_module_placement', { module: 'North 1', emitterDistanceCm: 0, notes: 'left of the tree' });
  await ask('set_module_placement', { module: 'North 1', clear: ['emitterDistanceCm', 'notes'] });
  const { versions } = await ask('set_module_installation', { module: 'South 1', system: 'manual' });
  await readAll();
  await ask('recompute_doses', { module: 'South 1' });
  await ask('correct_installation', { versionId: versions[0].id, irrigatedAreaM2: 4000 });
  await ask('recompute_doses', { module: 'South 1' });
  const schedule = await ask('create_schedule', {
    module: 'South 1',
    freq: 'weekly',
    weekdays: [1, 4],
    startTimes: ['05:00'],
    timezone: 'Europe/Paris',
    startsOn: '2026-07-01',
    inputMode: 'duration',
    durationMin: 30,
  });
  await ask('update_schedule', { scheduleId: schedule.id, startTimes: ['06:00'], label: 'summer' });
  await ask('list_schedules');
  await ask('list_schedules', { module: 'North 1', isActive: false });
  await ask('update_schedule', { scheduleId: schedule.id, isActive: false, clear: ['label'] });
  await ask('set_soil_profile', {
    parcel: 'North block',
    layers: [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
  });
  const line = await ask('create_annotation', {
    module: 'North 1',
    type: 'h-line',
    p1: [1782892800000, 14],
    style: { fill: 'threshold2' },
    text: 'wilting point',
  });
  await ask('update_annotation', { annotationId: line.id, p1: [1782892800000, 15] });
  await ask('backtest_alert', { module: 'North 1', threshold: 16 });
  const alert = await ask('create_alert', { module: 'North 1', threshold: 16 });
  await ask('backtest_alert', { module: 'North 1', threshold: 18, hysteresis: 2, start: '2026-06-01' });
  await ask('update_alert', { alertId: alert.id, threshold: 18, reminderTime: '07:30:00' });
  await readAll();
  await ask('update_alert', { alertId: alert.id, isActive: false });
  await ask('delete_annotation', { annotationId: line.id });
  await ask('set_parcel_installation', {
    parcel: 'North block',
    system: 'gravity',
    effectiveFrom: 'yesterday 12:00',
  });
  await ask('generalize_installation', { module: 'North 1', dropSiblings: true, dryRun: true });
  await ask('generalize_installation', { module: 'North 1', dropSiblings: true });
  await readAll();
}

import { DatabaseSync } from '@photostructure/sqlite';
import { makeFarm } from '../../../demo/farm/demo-store.ts';
import { demoHistory } from '../../../demo/farm/history.ts';
import { openStore } from '../../../src/store/store.ts';
import { templateStore } from '../../stores/template-stores.ts';
import { copyOfStore } from '../../temporary-places.ts';
import { bodyOf, type Json } from '../../tool-results.ts';
import { type CallTool, NOW } from '../local-tools.ts';

const SEED = 7;

/** Rows get ids from here on, so that none can be taken for another figure of an answer. */
const FIRST_ID = 700_000;

async function makeDemoFarm(db: string): Promise<void> {
  await (await openStore({ db })).close();
  beginIdsAt(db, FIRST_ID);
  await makeFarm(db, demoHistory(NOW, SEED));
}

const madeDemoFarm = templateStore(makeDemoFarm);

/** A copy of the farm of `acequia demo`. */
export const newDemoFarm = async (): Promise<string> => copyOfStore(await madeDemoFarm());

function beginIdsAt(db: string, first: number): void {
  const file = new DatabaseSync(db, { timeout: 10_000 });
  const tables = file
    .prepare("select name from sqlite_master where type = 'table' and sql like '%autoincrement%'")
    .all() as { name: string }[];
  const insert = file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
  for (const [index, { name }] of tables.entries()) insert.run(name, first + 1000 * index);
  file.close();
}

const BLOCK = 'North block';
const PROBE = 'North 1';
const UNEQUIPPED = 'South 1';
const TENSIOMETER = 'South tension';

const minutes = (startedAt: string, durationMin = 40) => ({
  startedAt,
  durationMin,
  inputMode: 'duration',
});
const daily = {
  freq: 'daily',
  startTimes: ['05:30'],
  timezone: 'Europe/Paris',
  startsOn: '2026-07-02',
  inputMode: 'duration',
  durationMin: 30,
};

/** Enters what people enter on most days, with nothing missing and nothing suspect. */
export async function makePlainWrites(call: CallTool): Promise<void> {
  const logged = bodyOf(await call('log_watering', { module: PROBE, ...minutes('today 06:00') }));
  const schedule = bodyOf(await call('create_schedule', { module: PROBE, ...daily }));
  const alert = bodyOf(await call('create_alert', { module: PROBE, threshold: 23 }));

  await call('correct_watering', { eventId: logged.event.id, durationMin: 55 });
  await call('correct_watering', { eventId: logged.event.id, status: 'skipped' });
  await call('log_watering', { parcel: BLOCK, ...minutes('today 07:00') });
  await call('log_rain', { mm: 9, when: 'yesterday' });
  await call('update_schedule', { scheduleId: schedule.id, startTimes: ['06:00'] });
  await call('update_alert', { alertId: alert.id, threshold: 24 });
  await call('create_annotation', { module: PROBE, type: 'text', at: 'today 06:00', text: 'ok' });
  await call('set_probe_settings', { module: PROBE, efficiencyPercent: 90 });
  await call('set_water_times', { parcel: BLOCK, everyHours: 192, turnAt: 'today 20:00' });
  await call('set_parcel', { name: BLOCK, plantedOn: '2026-03-01', rootDepthCm: 80 });
  await call('undo', {});
}

/** Calls of each tool, some of which lack something, in the order in which they are made. */
export async function callDemoFarm(call: CallTool): Promise<void> {
  const body = async (tool: string, args: object): Promise<Json> =>
    bodyOf(await call(tool, { ...args }));
  const calls = async (tool: string, ...args: object[]): Promise<void> => {
    for (const each of args) await body(tool, each);
  };

  for (const tool of ['morning_brief', 'farm_overview', 'get_company', 'list_users', 'get_enums'])
    await body(tool, {});
  await calls('list_waterings', { limit: 1 }, { module: PROBE }, { status: 'planned' });
  await calls('list_parcels', {}, { limit: 1 });
  await calls('list_modules', {}, { limit: 1 });
  await calls('list_gateways', {});
  await calls('list_soil_horizons', {});
  await calls('list_devices', {});
  await calls('list_rain', {}, { parcel: BLOCK });
  await calls('list_alerts', {});
  await calls('list_schedules', {});
  await calls('list_changes', { limit: 3 });

  for (const module of [PROBE, 'North 2', UNEQUIPPED, TENSIOMETER, 'Weather mast']) {
    const target = { module };
    for (const tool of [
      'get_module',
      'get_module_health',
      'get_irrigation_setup',
      'get_moisture_series',
      'chart_moisture',
      'get_agronomic_state',
      'advise_watering',
      'review_waterings',
      'suggest_thresholds',
      'show_moisture',
      'backtest_alert',
    ])
      await call(tool, tool === 'backtest_alert' ? { ...target, threshold: 24 } : target);
  }
  await calls('advise_watering', { module: PROBE, expectedRainMm: 8, refillPercent: 80 });
  await call('advise_watering', { parcel: BLOCK });
  await calls('get_soil_profile', { parcel: BLOCK });
  await calls('list_annotations', { module: PROBE });

  const logged = await body('log_watering', { module: PROBE, ...minutes('today 06:00') });
  await calls('log_watering', { module: PROBE, ...minutes('today 06:10') });
  await calls('log_watering', { module: UNEQUIPPED, ...minutes('today 06:00') });
  await calls('log_watering', { parcel: BLOCK, ...minutes('today 07:00') });
  await calls('log_watering', { parcel: BLOCK, ...minutes('today 07:10') });
  await calls('log_watering', {
    module: PROBE,
    startedAt: 'today 08:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12,
  });
  await calls('log_watering', {
    parcel: 'South block',
    startedAt: 'today 08:00',
    inputMode: 'volume_m3',
    inputVolumeM3: 12,
  });
  await calls('preview_watering', { module: PROBE, ...minutes('today 09:00') });
  const eventId = logged.event.id;
  await calls(
    'correct_watering',
    { eventId, durationMin: 55 },
    { eventId, status: 'skipped' },
    { eventId, note: 'valve 3' },
    { eventId, status: 'done' },
  );
  const ofParcel = await body('list_waterings', { parcel: BLOCK, limit: 1, status: 'done' });
  await calls('correct_watering', { eventId: ofParcel.data[0].id, durationMin: 50 });
  await calls('list_waterings', { parcel: BLOCK });

  const rain = await body('log_rain', { parcel: BLOCK, mm: 12, when: 'yesterday' });
  await calls(
    'log_rain',
    { mm: 9, when: 'yesterday' },
    { parcel: BLOCK, mm: 4, when: 'today 03:00' },
  );
  await calls('correct_rain', { rainId: rain.rain.id, mm: 13 }, { rainId: rain.rain.id, mm: 0 });
  await calls('list_rain', { parcel: BLOCK });

  const schedule = await body('create_schedule', { module: PROBE, ...daily });
  await calls(
    'create_schedule',
    { module: PROBE, ...daily },
    { parcel: BLOCK, ...daily, inputMode: 'volume_m3', inputVolumeM3: 20, durationMin: undefined },
  );
  await calls('create_schedule', { module: UNEQUIPPED, ...daily, confirmationPolicy: 'manual' });
  await calls(
    'update_schedule',
    { scheduleId: schedule.id, startTimes: ['06:00', '20:00'] },
    { scheduleId: schedule.id, isActive: false },
  );
  await calls('list_schedules', {}, { limit: 1 });
  await calls('list_waterings', { status: 'planned', limit: 3 });

  await calls('set_module_installation', { module: UNEQUIPPED, system: 'sprinkler' });
  await calls('advise_watering', { module: UNEQUIPPED });
  await calls('correct_installation', { module: UNEQUIPPED, flowMmPerH: 4 });
  await calls('set_module_installation', {
    module: 'North 2',
    system: 'drip',
    emitterFlowLph: 2,
    emitterSpacingM: 0.5,
    lineSpacingM: 2,
    effectiveFrom: '2026-05-01',
  });
  await calls('set_parcel_installation', { parcel: 'South block', system: 'drip', flowMmPerH: 3 });
  await calls('generalize_installation', { module: 'North 2', dryRun: true });
  await calls('recompute_doses', { module: PROBE });
  await calls('set_module_placement', { module: PROBE, emitterDistanceCm: 20 });
  await calls('get_irrigation_setup', { module: UNEQUIPPED }, { parcel: BLOCK });
  await calls(
    'set_probe_settings',
    { module: PROBE, rootDepthCm: 80 },
    { module: PROBE, rootDepthCm: 80 },
    { parcel: BLOCK, allowedDepletion: 0.4 },
    { module: PROBE, restFrom: '06-01', restUntil: '08-01' },
  );
  await calls('advise_watering', { module: PROBE });
  await calls('set_probe_settings', { module: PROBE, clear: ['restFrom', 'restUntil'] });
  await calls(
    'set_water_times',
    { module: PROBE, everyHours: 192, turnAt: 'today 20:00', noticeHours: 48, leastMm: 40 },
    { module: PROBE, noticeHours: 4, movedFrom: 'today 20:00', movedTo: 'tomorrow 06:00' },
  );
  await calls('advise_watering', { module: PROBE });
  await calls('set_water_times', { module: PROBE, weekdays: [1, 4], fromTime: '22:00' });
  await calls('advise_watering', { module: PROBE });
  await calls('set_water_times', {
    module: PROBE,
    clear: ['weekdays', 'fromTime', 'noticeHours', 'leastMm'],
  });

  const alert = await body('create_alert', { module: PROBE, threshold: 40, hysteresis: 2 });
  await calls('update_alert', { alertId: alert.id ?? alert.alerts?.[0]?.id, threshold: 41 });
  await calls('list_alerts', { module: PROBE });
  const line = await body('create_annotation', {
    module: PROBE,
    type: 'h-line',
    value: 14,
    style: { fill: 'threshold2' },
  });
  await calls('create_annotation', {
    module: PROBE,
    type: 'h-line',
    value: 45,
    style: { fill: 'threshold1' },
  });
  await calls('create_annotation', {
    module: TENSIOMETER,
    chartType: 'tensio',
    type: 'h-line',
    value: 40,
    style: { fill: 'dry' },
  });
  await calls('advise_watering', { module: PROBE }, { module: TENSIOMETER });
  await calls('update_annotation', { annotationId: line.id, value: 15 });
  await calls('list_annotations', { module: PROBE }, { module: PROBE, limit: 1 });
  await calls('delete_annotation', { annotationId: line.id });

  await calls('set_company', { city: 'Nîmes' }, { city: 'Nîmes' });
  await calls('set_parcel', { name: BLOCK, plantedOn: '2026-03-01' }, { name: 'North blok' });
  await calls(
    'set_module',
    { name: 'North 3', sensors: ['humidity 30'], rootDepthCm: 50 },
    { name: 'Nort 3', sensors: ['humidity 30'], parcel: BLOCK },
  );
  await calls('set_soil_profile', {
    parcel: BLOCK,
    layers: [{ soilHorizonId: 'Loam', depthTopCm: 0, depthBottomCm: 30 }],
  });
  await calls('assign_device', { device: 'A84041FFFF181F0D', module: PROBE, depths: [10] });
  await calls('import_readings', {
    csv: 'time,humidity_10\n2026-06-30 06:00,24',
    module: PROBE,
    dryRun: true,
  });

  await calls('morning_brief', {});
  await calls('farm_overview', {});
  await calls('undo', {});
  await calls('list_changes', {}, { limit: 1 });
  await call('create_sign_in_link', { email: 'ana@example.org' });
  await call('show_farm', {});
}

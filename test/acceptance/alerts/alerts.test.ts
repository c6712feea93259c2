import { describe, expect, it } from 'vitest';
import { importReadingsCsv } from '../imported-data.ts';
import { CLOCK } from '../program.ts';
import { stdioFarm } from '../stdio-farm.ts';

const NOW = Date.parse(CLOCK);
const HOUR = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

const probe = (name: string) => ({
  uid: name,
  name,
  category: 'SOIL_PROBE',
  commissionedAt: '2025-01-11T09:00:00Z',
  sensors: [10, 20].map((depth) => ({ type: 'humidity', depth })),
});

const farm = stdioFarm({
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: ['Oak', 'Elm', 'Ash'].map(probe),
});

/** Imports readings of both depths of a probe, as [hours before now, value]. */
async function importValues(
  name: string,
  readings: readonly (readonly [hours: number, value: number])[],
): Promise<void> {
  const rows = readings.flatMap(([hours, value]) =>
    [10, 20].map((depth) => `${name},humidity,${depth},${iso(NOW - hours * HOUR)},${value}`),
  );
  await importReadingsCsv(farm.db, ['module,type,depth,time,value', ...rows].join('\n'), { clock: CLOCK });
}

const alertOn = async (module: string) => (await farm.body('list_alerts', { module })).data[0];

describe('an alert, through the program', () => {
  it('is armed, fires as readings are imported, is seen wherever its probe is, and resolves', async () => {
    await importValues('Oak', [[4, 30]]);
    const made = await farm.body('create_alert', { module: 'Oak', threshold: 20 });
    expect(made).toMatchObject({ threshold: '20', hysteresis: '5', reminderTime: '08:00:00', isActive: true });
    expect(made.recipients).toHaveLength(1);
    expect((await alertOn('Oak')).state).toMatchObject({ status: 'quiet', value_vwc: 30 });

    await importValues('Oak', [
      [3, 26],
      [2, 18.4],
    ]);
    expect((await alertOn('Oak')).state).toEqual({
      status: 'firing',
      firing: true,
      since: iso(NOW - 2 * HOUR),
      value_vwc: 18.4,
      time: iso(NOW - 2 * HOUR),
    });
    const heard = 'Its alert is firing since today 10:00: 18.4 % is below 20 %.';
    expect(await farm.summary('get_moisture_series', { module: 'Oak' })).toContain(heard);
    expect(await farm.summary('get_agronomic_state', { module: 'Oak' })).toContain(heard);
    const watering = { module: 'Oak', startedAt: 'today 11:00', inputMode: 'duration', durationMin: 40 };
    expect(await farm.summary('log_watering', watering)).toContain(heard);
    expect(await farm.summary('list_alerts', { module: 'Oak' })).toContain('Oak below 20 %, firing since today 10:00');

    await importValues('Oak', [[1, 25]]);
    expect((await alertOn('Oak')).state).toMatchObject({ status: 'quiet', firing: false, since: null, value_vwc: 25 });
    expect(await farm.summary('get_moisture_series', { module: 'Oak' })).not.toContain('alert');
    expect(await farm.summary('list_alerts', { module: 'Oak' })).toContain('Not sent yet: 2 messages of theirs');
  });

  it('is tuned on the past and changed once, and can be taken back', async () => {
    await importValues('Elm', [
      [30, 30],
      [20, 18],
      [15, 30],
      [10, 14],
      [1, 30],
    ]);
    const made = await farm.body('create_alert', { module: 'Elm', threshold: 20 });
    const trial = await farm.body('backtest_alert', { module: 'Elm', threshold: 15, hysteresis: 3 });
    expect(trial).toMatchObject({
      episodes: [{ start: iso(NOW - 10 * HOUR), end: iso(NOW - HOUR), lowest: 14, hoursBelow: 9, reminders: 0 }],
      hoursBelow: 9,
      reminders: 0,
      inForce: { alertId: made.id, threshold: '20', hysteresis: '5', episodes: 2, hoursBelow: 14 },
    });
    const change = { alertId: made.id, threshold: 15, hysteresis: 3, idempotencyKey: 'chosen' };
    expect(await farm.body('update_alert', change)).toMatchObject({ threshold: '15', hysteresis: '3' });
    expect(await farm.summary('update_alert', { alertId: made.id, isActive: false })).toContain('is disabled');
    expect(await alertOn('Elm')).toMatchObject({ isActive: false, state: null });
  });

  it('is refused with the codes of the spec and a hint, and nothing is written', async () => {
    const refused = { code: 'invalid_body', hint: expect.any(String) };
    for (const threshold of ['dry', 'NaN', '1e400', -1, 101])
      expect(await farm.refusal('create_alert', { module: 'Ash', threshold })).toMatchObject(refused);
    for (const wrong of [{ hysteresis: -1 }, { reminderTime: '25:00:00' }])
      expect(await farm.refusal('create_alert', { module: 'Ash', threshold: 20, ...wrong })).toMatchObject(refused);
    expect(await farm.refusal('create_alert', { module: '4711', threshold: 20 })).toMatchObject({ code: 'not_found' });
    expect((await farm.body('list_alerts', { module: 'Ash' })).data).toEqual([]);
  });
});

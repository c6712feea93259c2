import { describe, expect } from 'vitest';
import type { BacktestBody } from '../../../src/schema/alerts/alert.ts';
import { HOUR, iso, it, type TestFarm } from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import { createOakAlert, sameValue, sendReadings } from './alert-farm.ts';

/** An instant of July 2026 in the local time of Paris, UTC+2. */
const paris = (day: number, hour: number, minute = 0): number =>
  Date.UTC(2026, 6, day, hour - 2, minute);

async function watched(farm: TestFarm, from: number): Promise<TestProbe> {
  farm.now = from;
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, from, 30));
  await createOakAlert(farm);
  return oak;
}

async function look(farm: TestFarm, oak: TestProbe, at: number, sent = at): Promise<void> {
  farm.now = at;
  await sendReadings(farm, oak, sameValue(oak, sent, 19));
  await farm.tick();
}

const reminders = (farm: TestFarm): Promise<string[]> =>
  farm.write(async (db) =>
    (
      await db
        .selectFrom('outbox')
        .select('created_at')
        .where('kind', '=', 'reminder')
        .orderBy('seq')
        .execute()
    ).map(({ created_at }) => iso(created_at)),
  );

const replayed = (farm: TestFarm, from: number) =>
  farm.tool<BacktestBody>('backtest_alert', {
    module: 'Oak',
    threshold: 20,
    start: iso(from),
    end: iso(farm.now + 1),
  });

describe('the reminders of an alert', () => {
  it('equal those of a backtest if it fires shortly before midnight and is evaluated after it', async ({
    farm,
  }) => {
    const from = paris(1, 22);
    const oak = await watched(farm, from);
    await look(farm, oak, paris(2, 0, 5), paris(1, 23, 50));
    for (let at = paris(2, 1); at <= paris(4, 9); at += HOUR) await look(farm, oak, at);
    expect(await reminders(farm)).toEqual([paris(2, 8), paris(3, 8), paris(4, 8)].map(iso));
    expect(await replayed(farm, from)).toMatchObject({
      reminders: 3,
      inForce: { reminders: 3 },
      episodes: [{ start: iso(paris(1, 23, 50)), reminders: 3 }],
    });
  });

  it('start the day after the report if that is long after the start', async ({ farm }) => {
    const oak = await watched(farm, paris(1, 9));
    for (let at = paris(1, 10); at < paris(2, 7); at += HOUR)
      await sendReadings(farm, oak, sameValue(oak, at, 19));
    await look(farm, oak, paris(2, 7));
    for (let at = paris(2, 8); at <= paris(3, 9); at += HOUR) await look(farm, oak, at);
    expect(await reminders(farm)).toEqual([iso(paris(3, 8))]);
  });

  it('follow a new time zone of the company without a new reading', async ({ farm }) => {
    const oak = await watched(farm, paris(1, 9));
    await look(farm, oak, paris(1, 20));
    await farm.tool('set_company', { timezone: 'Asia/Tokyo' });
    await farm.tick();
    // 08:00 in Tokyo is 01:00 in Paris.
    for (const hour of [0, 1, 8]) {
      farm.now = paris(2, hour);
      await farm.tick();
    }
    expect(await reminders(farm)).toEqual([iso(paris(2, 1))]);
  });

  it('continue after one run with the clock a year ahead', async ({ farm }) => {
    const oak = await watched(farm, paris(1, 9));
    await look(farm, oak, paris(1, 10));
    farm.now = paris(1, 11) + 365 * 24 * HOUR;
    await farm.tick();
    farm.now = paris(2, 7);
    await farm.tick();
    await look(farm, oak, paris(2, 8));
    expect((await reminders(farm)).filter((at) => at.startsWith('2026'))).toEqual([
      iso(paris(2, 8)),
    ]);
  });

  it('start again for each episode', async ({ farm }) => {
    const oak = await watched(farm, paris(1, 9));
    await look(farm, oak, paris(1, 10));
    await look(farm, oak, paris(2, 8));
    farm.now = paris(2, 9);
    await sendReadings(farm, oak, sameValue(oak, farm.now, 30));
    await farm.tick();
    await look(farm, oak, paris(2, 10));
    await look(farm, oak, paris(2, 23));
    await look(farm, oak, paris(3, 8));
    expect(await reminders(farm)).toEqual([paris(2, 8), paris(3, 8)].map(iso));
  });
});

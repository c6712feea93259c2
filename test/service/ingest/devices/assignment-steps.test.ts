import { describe, expect } from 'vitest';
import { iso, MINUTE, type TestFarm } from '../../../farm.ts';
import {
  afterEachTransaction,
  dyingAfterCommit,
  statementsOfWrites,
} from '../../../transactions.ts';
import { itOnOaks, storedReadings, undoChange } from './oak-farm.ts';

/** More than two transactions write. */
const WAITING = 1_100;
const MAX_PER_TRANSACTION = 500;

const it = itOnOaks(['humidity'], [{ uid: 'Mast', name: 'Mast', category: 'WEATHER_STATION' }]);

const sent = (farm: TestFarm, minutesAgo: number) => ({
  device: 'one',
  type: 'humidity',
  value: 25,
  time: iso(farm.now - minutesAgo * MINUTE),
});

const minutes = Array.from({ length: WAITING }, (_, n) => 10 + n);

const sendBeforeAssignment = (farm: TestFarm) =>
  farm.wire('ingest', { readings: minutes.map((minutesAgo) => sent(farm, minutesAgo)) });

const assign = (farm: TestFarm, module: string) =>
  farm.tool<{ earlierReadings: number }>('assign_device', { device: 'one', module });

const countIn = (farm: TestFarm, table: 'readings' | 'device_readings' | 'rain') =>
  farm.store.readAll(
    async (all) =>
      (
        await all
          .selectFrom(table)
          .select('company_id' as never)
          .execute()
      ).length,
  );

const readingsOf = async (farm: TestFarm) => ({
  written: await countIn(farm, 'readings'),
  waiting: await countIn(farm, 'device_readings'),
});

/** How many readings the largest transaction of `body` adds, or removes. */
async function largestTransaction(farm: TestFarm, body: () => Promise<unknown>): Promise<number> {
  const count = () => countIn(farm, 'readings');
  let before = await count();
  const differences = (await afterEachTransaction(farm, count, body)).map((after) => {
    const difference = Math.abs(after - before);
    before = after;
    return difference;
  });
  return Math.max(...differences);
}

describe('an assignment with many waiting readings', () => {
  it('writes some in each transaction, as do its undo and the undo of that', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    const largest = [
      await largestTransaction(farm, async () => {
        expect((await assign(farm, 'Oak 1')).earlierReadings).toBe(WAITING);
      }),
    ];
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });

    for (const isAssigned of [false, true, false]) {
      largest.push(await largestTransaction(farm, () => undoChange(farm)));
      const written = isAssigned ? WAITING : 0;
      expect(await readingsOf(farm)).toEqual({ written, waiting: WAITING - written });
    }
    expect(Math.max(...largest)).toBeLessThanOrEqual(MAX_PER_TRANSACTION);
  });

  it('that leaves all of them out compares them before its undo takes the lock', async ({
    farm,
  }) => {
    await sendBeforeAssignment(farm);
    const args = { device: 'one', module: 'Oak 1', since: iso(farm.now) };
    expect((await farm.tool('assign_device', args)).earlierReadings).toBe(0);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: 0 });

    const [, undo] = await statementsOfWrites(farm, () => undoChange(farm));
    const compared = undo?.filter((sql) => /^select .*"device_readings".*"at" (in|=)/.test(sql));
    expect(compared).toEqual([]);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: WAITING });
  });

  it('by set_module writes all of them too, and is undone', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    const args = { name: 'Oak 1', device: 'one 20' };
    expect(await largestTransaction(farm, () => farm.tool('set_module', args))).toBeLessThanOrEqual(
      MAX_PER_TRANSACTION,
    );
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    await undoChange(farm);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: WAITING });
  });

  it('leaves the readings of others as they were when it is undone', async ({ farm }) => {
    const byHand = { module: 'Oak 1', type: 'humidity', depth: 20, value: 30 };
    const time = iso(farm.now - 300.5 * MINUTE);
    await farm.wire('ingest', { readings: [{ ...byHand, time }] });
    await sendBeforeAssignment(farm);
    await assign(farm, 'Oak 1');
    await undoChange(farm);
    expect(await readingsOf(farm)).toEqual({ written: 1, waiting: WAITING });
  });

  it('takes back the rain of a day that two transactions wrote', async ({ farm }) => {
    const rain = minutes.map((minutesAgo, n) => ({
      device: 'one',
      mm: (WAITING - n) / 100,
      isDayTotal: true,
      time: iso(farm.now - minutesAgo * MINUTE),
    }));
    await farm.wire('ingest', { rain });
    await assign(farm, 'Mast');
    const written = await countIn(farm, 'rain');
    expect(written).toBeGreaterThan(0);

    await undoChange(farm);
    expect(await countIn(farm, 'rain')).toBe(0);
    await undoChange(farm);
    expect(await countIn(farm, 'rain')).toBe(written);
  });

  const completions: [string, (farm: TestFarm) => Promise<unknown>][] = [
    ['a round of the jobs', (farm) => farm.tick()],
    [
      'the next messages of the device',
      async (farm) => {
        for (const _ of [1, 2]) await farm.wire('ingest', { readings: [sent(farm, 10)] });
      },
    ],
  ];
  it.for(completions)('that broke off is completed by %s', async ([, complete], { farm }) => {
    await sendBeforeAssignment(farm);
    await dyingAfterCommit(farm, () => assign(farm, 'Oak 1'), 1);
    expect(await readingsOf(farm)).toEqual({
      written: MAX_PER_TRANSACTION,
      waiting: WAITING - MAX_PER_TRANSACTION,
    });

    await complete(farm);
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    await undoChange(farm);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: WAITING });
  });

  it('that broke off is undone', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    await dyingAfterCommit(farm, () => assign(farm, 'Oak 1'), 1);
    await dyingAfterCommit(farm, () => undoChange(farm));
    expect(await readingsOf(farm)).toEqual({
      written: MAX_PER_TRANSACTION,
      waiting: WAITING - MAX_PER_TRANSACTION,
    });

    await assign(farm, 'Oak 2');
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    expect(new Set(await storedReadings(farm))).toEqual(new Set(['Oak 2 25']));
  });
});

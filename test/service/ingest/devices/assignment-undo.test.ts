import { describe, expect } from 'vitest';
import { type Advised, advisoriesOf, FARM_NOW, iso, MINUTE, type TestFarm } from '../../../farm.ts';
import { itOnOaks, storedReadings, undoChange } from './oak-farm.ts';

const it = itOnOaks(['humidity', 'temperature']);

interface Sent {
  readonly device?: string;
  readonly module?: string;
  readonly type?: string;
  readonly depth?: number;
  readonly value: number;
  readonly minutesAgo: number;
}

const send = (farm: TestFarm, readings: readonly Sent[]) =>
  farm.wire('ingest', {
    readings: readings.map(({ minutesAgo, ...reading }) => ({
      type: 'humidity',
      time: iso(farm.now - minutesAgo * MINUTE),
      ...reading,
    })),
  });

const sent = (value: number, minutesAgo: number, more: Partial<Sent> = {}): Sent => ({
  device: 'one',
  value,
  minutesAgo,
  ...more,
});

const byHand = (value: number, minutesAgo: number): Sent => ({
  module: 'Oak 1',
  depth: 20,
  value,
  minutesAgo,
});

const assign = (farm: TestFarm, module: string, args: object = {}) =>
  farm.tool('assign_device', { device: 'one', module, ...args });

const daySums = (farm: TestFarm) =>
  farm.write((db) => db.selectFrom('reading_days').select('sum').execute());

const takenBackBy = (undone: Advised) => advisoriesOf(undone, 'device_readings_taken_back');

describe('the undo of an assignment', () => {
  it('takes back what the device has sent since, until it is assigned', async ({ farm }) => {
    await send(farm, [byHand(30, 90), sent(24, 80)]);
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20)]);
    await send(farm, [sent(26, 10), sent(19, 10, { type: 'temperature' })]);

    const undone = await undoChange(farm);
    expect(takenBackBy(undone)).toMatchObject([
      { device: 'one', module: 'Oak 1', count: 3, waitingCount: 3, isAssigned: false },
    ]);
    expect(advisoriesOf(undone, 'device_readings_stay')).toEqual([]);
    expect(await storedReadings(farm)).toEqual(['Oak 1 30']);
    expect(await daySums(farm)).toEqual([{ sum: 30 }]);

    await assign(farm, 'Oak 2');
    expect(await storedReadings(farm)).toEqual([
      'Oak 1 30',
      'Oak 2 24',
      'Oak 2 25',
      'Oak 2 26',
      'Oak 2 19',
    ]);
  });

  it('is undone, and done again', async ({ farm }) => {
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20)]);
    await undoChange(farm);
    await undoChange(farm);
    expect(await storedReadings(farm)).toEqual(['Oak 1 25']);
    await send(farm, [sent(26, 10)]);
    expect(takenBackBy(await undoChange(farm))).toMatchObject([{ count: 1 }]);
    expect(await storedReadings(farm)).toEqual([]);
    await undoChange(farm);
    expect(await storedReadings(farm)).toEqual(['Oak 1 25', 'Oak 1 26']);
  });

  interface OtherWriter {
    readonly name: string;
    readonly write: (farm: TestFarm) => Promise<unknown>;
    /** After the last reading of the device. */
    readonly writeAgain?: (farm: TestFarm) => Promise<unknown>;
    /** How many changes are newer than the assignment. */
    readonly changes?: number;
  }
  const others: OtherWriter[] = [
    { name: 'a reading by hand', write: (farm) => send(farm, [byHand(30, 15)]) },
    { name: 'the same batch', write: (farm) => send(farm, [sent(27, 14), byHand(30, 15)]) },
    {
      name: 'another device',
      write: (farm) =>
        farm.wire('ingest', {
          readings: [
            { device: 'two', type: 'humidity', value: 30, time: iso(farm.now - 15 * MINUTE) },
          ],
          devices: [{ device: 'two', module: 'Oak 1', depths: [20] }],
        }),
      writeAgain: (farm) => send(farm, [sent(30, 15, { device: 'two' })]),
    },
    {
      name: 'a file',
      write: (farm) =>
        farm.tool('import_readings', {
          module: 'Oak 1',
          csv: `time,humidity_20\n${iso(farm.now - 15 * MINUTE)},30`,
        }),
      changes: 1,
    },
  ];
  it.for(others)('says of which period the readings stay after $name', async (other, { farm }) => {
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20), sent(19, 20, { type: 'temperature' })]);
    await other.write(farm);
    await send(farm, [sent(26, 10)]);
    await other.writeAgain?.(farm);

    const undone = await undoChange(farm, other.changes);
    expect(takenBackBy(undone)).toMatchObject([{ count: 1 }]);
    expect(advisoriesOf(undone, 'device_readings_stay')).toMatchObject([
      { module: 'Oak 1', from: FARM_NOW - 20 * MINUTE, to: FARM_NOW - 10 * MINUTE },
    ]);
    expect(await storedReadings(farm)).toEqual(
      expect.arrayContaining(['Oak 1 25', 'Oak 1 30', 'Oak 1 26']),
    );
    expect(await storedReadings(farm)).not.toContain('Oak 1 19');
  });

  it('takes back all where others wrote before the first reading of the device', async ({
    farm,
  }) => {
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20)]);
    await send(farm, [byHand(30, 300)]);
    expect(takenBackBy(await undoChange(farm))).toMatchObject([{ count: 1 }]);
    expect(await storedReadings(farm)).toEqual(['Oak 1 30']);
  });

  it('leaves what the device sent late among earlier readings, and names it', async ({ farm }) => {
    await send(farm, [byHand(30, 300), byHand(31, 60)]);
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20)]);
    await send(farm, [sent(24, 200)]);
    const undone = await undoChange(farm);
    expect(takenBackBy(undone)).toMatchObject([{ count: 1 }]);
    expect(advisoriesOf(undone, 'device_readings_stay')).toHaveLength(1);
    expect(await storedReadings(farm)).toEqual(['Oak 1 30', 'Oak 1 24', 'Oak 1 31']);
  });

  it('takes back more than one transaction deletes', async ({ farm }) => {
    await assign(farm, 'Oak 1');
    await send(
      farm,
      Array.from({ length: 1_100 }, (_, n) => sent(25, 10 + n)),
    );
    expect(takenBackBy(await undoChange(farm))).toMatchObject([{ count: 1_100 }]);
    expect(await storedReadings(farm)).toEqual([]);
    expect(await daySums(farm)).toEqual([]);
  });

  const completions: {
    readonly by: string;
    readonly complete: (farm: TestFarm) => Promise<unknown>;
    readonly place: readonly string[];
  }[] = [
    { by: 'a round of the jobs', complete: (farm) => farm.tick(), place: [] },
    {
      by: 'the next assignment',
      complete: (farm) => assign(farm, 'Oak 2'),
      place: ['Oak 2 26'],
    },
    {
      by: 'a probe that is given its device',
      complete: (farm) => farm.tool('set_module', { name: 'Oak 2', device: 'one 20' }),
      place: ['Oak 2 26'],
    },
  ];
  it.for(completions)(
    'that broke off is completed by $by',
    async ({ complete, place }, { farm }) => {
      await assign(farm, 'Oak 1');
      await send(farm, [sent(25, 20)]);
      await undoChange(farm);
      await undoChange(farm);
      await send(farm, [sent(26, 10)]);
      await farm.write(async (db) => {
        await db
          .updateTable('device_periods')
          .set({ undone_assignment: '{"fields":[],"depths":[20]}', until_at: farm.now })
          .execute();
        await db.updateTable('devices').set({ module_id: null, depths: null }).execute();
      });

      await complete(farm);
      expect(await storedReadings(farm)).toEqual(['Oak 1 25', ...place]);
    },
  );

  it('counts it where the device measured before', async ({ farm }) => {
    await assign(farm, 'Oak 2');
    await send(farm, [sent(24, 30)]);
    await assign(farm, 'Oak 1');
    await send(farm, [sent(25, 20)]);
    expect(takenBackBy(await undoChange(farm))).toMatchObject([{ isAssigned: true }]);
    await send(farm, [sent(26, 10)]);
    expect(await storedReadings(farm)).toEqual(['Oak 2 24', 'Oak 2 25', 'Oak 2 26']);
  });

  it('reads fields anew that were taken for something else', async ({ farm }) => {
    const field = (value: number, minutesAgo: number): Sent =>
      sent(value, minutesAgo, { type: 'field:Soil_T' });
    await send(farm, [field(48.2, 90)]);
    await assign(farm, 'Oak 1', { fields: ['Soil_T = moisture 20 cm %'] });
    await send(farm, [field(50, 20)]);
    await undoChange(farm);
    await assign(farm, 'Oak 1', { fields: ['Soil_T = temperature 20 cm °F'] });
    await send(farm, [field(59, 10)]);
    expect(await storedReadings(farm)).toEqual(['Oak 1 9', 'Oak 1 10', 'Oak 1 15']);
    await undoChange(farm);
    await assign(farm, 'Oak 1', { fields: ['Soil_T = moisture 20 cm %'] });
    expect(await storedReadings(farm)).toEqual(['Oak 1 48.2', 'Oak 1 50', 'Oak 1 59']);
  });
});

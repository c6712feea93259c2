import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newImportedSensor } from '../../../src/service/ingest/collected-readings.ts';
import { ReadingBatchWriter } from '../../../src/service/ingest/reading-batches.ts';
import type { Store } from '../../../src/store/store.ts';
import { MINUTE } from '../../farm.ts';
import { type ImportFarm, newImportFarm } from './import-farm.ts';

const SENSORS = 100;
const READINGS_PER_SENSOR = 500;
const START = Date.UTC(2026, 0, 1);

interface Row {
  readonly sensor: number;
  readonly instant: number;
}

const IN_ORDER_OF_TIME: Row[] = Array.from({ length: SENSORS * READINGS_PER_SENSOR }, (_, row) => ({
  sensor: row % SENSORS,
  instant: Math.floor(row / SENSORS),
}));
const IN_ORDER_OF_SENSORS = IN_ORDER_OF_TIME.toSorted(
  (a, b) => a.sensor - b.sensor || a.instant - b.instant,
);

let farm: ImportFarm;
beforeEach(async () => {
  farm = await newImportFarm();
});
afterEach(() => farm.remove());

/** `values` has the value of the sensor 0 for each pass through the rows. */
async function writeReadings(
  rows: readonly Row[],
  values: readonly number[],
  afterTransaction: () => Promise<void> = async () => undefined,
) {
  const store: Pick<Store, 'write'> = {
    write: async (...args) => {
      const result = await farm.store.write(...args);
      await afterTransaction();
      return result;
    },
  };
  const sensors = Array.from({ length: SENSORS }, (_, index) => newImportedSensor(index + 1));
  const batches = new ReadingBatchWriter(store as Store, farm.companyId, {
    onWritten: () => undefined,
  });
  for (const value of values)
    for (const { sensor, instant } of rows) {
      batches.add(sensors[sensor]!, START + instant * 15 * MINUTE, value + sensor);
      if (batches.isFull) await batches.write();
    }
  await batches.write();
  await batches.settle();
  return batches;
}

const countsBySensor = async (): Promise<Map<number, number>> => {
  const rows = await farm.store.read(farm.companyId, (db) =>
    db
      .selectFrom('readings')
      .select(({ fn }) => ['sensor_id as sensorId', fn.countAll<number>().as('count')])
      .groupBy('sensor_id')
      .execute(),
  );
  return new Map(rows.map(({ sensorId, count }) => [sensorId, count]));
};

/** The sum, over the transactions, of the sensors that each writes. */
async function sensorsWritten(rows: readonly Row[]): Promise<number> {
  let written = 0;
  let before = new Map<number, number>();
  await writeReadings(rows, [20], async () => {
    const counts = await countsBySensor();
    for (const [sensorId, count] of counts) if (before.get(sensorId) !== count) written++;
    before = counts;
  });
  return written;
}

const totals = () =>
  farm.store.read(farm.companyId, async (db) => {
    const totalOf = (table: 'reading_hours' | 'reading_days') =>
      db
        .selectFrom(table)
        .select(({ fn }) => [fn.sum<number>('count').as('count'), fn.sum<number>('sum').as('sum')])
        .executeTakeFirstOrThrow();
    const readings = await db
      .selectFrom('readings')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('value').as('sum')])
      .executeTakeFirstOrThrow();
    return { readings, hours: await totalOf('reading_hours'), days: await totalOf('reading_days') };
  });

describe('the readings of a file of many sensors', () => {
  // With 10,000 readings in order of time a transaction would write all sensors, five times as many
  // in all.
  for (const [order, rows] of [
    ['in order of time', IN_ORDER_OF_TIME],
    ['backwards', IN_ORDER_OF_TIME.toReversed()],
  ] as const)
    it(`${order} are written in transactions of few sensors, like those in order of sensors`, async () => {
      const written = await sensorsWritten(rows);
      await farm.remove();
      farm = await newImportFarm();
      expect(written).toBeLessThan(1.5 * (await sensorsWritten(IN_ORDER_OF_SENSORS)));
    });

  it('have their sums of hours and days after each transaction', async () => {
    let transactions = 0;
    await writeReadings(IN_ORDER_OF_TIME, [20], async () => {
      const { readings, hours, days } = await totals();
      expect([hours, days]).toEqual([readings, readings]);
      transactions++;
    });
    expect(transactions).toBeGreaterThan(1);
  });

  it('replace those of the same instant in earlier transactions, and are counted as repeated', async () => {
    const batches = await writeReadings(IN_ORDER_OF_TIME, [20, 30]);
    const { length } = IN_ORDER_OF_TIME;
    expect(batches).toMatchObject({ writtenCount: 2 * length, repeatCount: length });
    const { readings } = await totals();
    expect(readings.sum).toBe(IN_ORDER_OF_TIME.reduce((sum, { sensor }) => sum + 30 + sensor, 0));
  });
});

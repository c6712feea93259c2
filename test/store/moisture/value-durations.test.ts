import { expect } from 'vitest';
import {
  lastOtherValueAt,
  valueDurations,
  valueDurationsOfSensor,
} from '../../../src/store/moisture/value-durations.ts';
import { DAY, FARM_NOW, HOUR, it, MINUTE } from '../../farm.ts';
import { installProbe, moistureSensorsAt } from '../../service/moisture/probe-farm.ts';

const START = FARM_NOW - 40 * DAY;

/** A value that changes now and then, with a gap of more than a day, and stays at last. */
function readings(): [number, number][] {
  const rows: [number, number][] = [];
  let value = 20;
  for (let n = 0; n < 40 * 24; n++) {
    if (n % 37 === 0 && n < 600) value += n % 2 === 0 ? 0.5 : -0.3;
    if (n < 200 || n > 240) rows.push([START + n * HOUR, value]);
  }
  return rows;
}

it('reads how long a sensor has repeated its values in short statements as in one', async ({
  farm,
}) => {
  const probe = await installProbe(farm, { sensors: moistureSensorsAt(10, 30) });
  const rows = readings();
  await probe.record(0, rows);
  const [id, empty] = probe.sensorIds as [number, number];
  await farm.store.read(1, async (db) => {
    for (const start of [START, START + 7 * DAY + MINUTE, FARM_NOW - 6 * DAY]) {
      const { unchangedSince, longestEarlierMs, smallestStep } = (
        await valueDurations(db, [id], start, FARM_NOW)
      )[0]!;
      const inOne = { unchangedSince, longestEarlierMs, smallestStep };
      expect(await valueDurationsOfSensor(db, id, start, FARM_NOW)).toEqual(inOne);
    }
    expect(await valueDurationsOfSensor(db, empty, START, FARM_NOW)).toBeNull();

    const [newestAt, newest] = rows.at(-1)!;
    const other = rows.findLast(([, value]) => value !== newest)![0];
    expect(await lastOtherValueAt(db, id, newestAt, START, FARM_NOW)).toBe(other);
    expect(await lastOtherValueAt(db, id, newestAt, other + 1, FARM_NOW)).toBeNull();
  });
});

it('blocks for a small part of what one statement takes, for a sensor that is stuck for a month', async ({
  farm,
}) => {
  const probe = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  const [id] = probe.sensorIds as [number];
  await probe.record(
    0,
    Array.from({ length: 30 * 24 * 60 }, (_, n) => [FARM_NOW - n * MINUTE, 22]),
  );
  const longest = async (body: Parameters<typeof farm.store.read>[1]): Promise<number> => {
    const statements: number[] = [];
    await farm.store.read(1, body, {
      observer: {
        onConnectionAcquired: () => undefined,
        onBegin: () => undefined,
        onQuery: (_, ms) => void statements.push(ms),
      },
    });
    return Math.max(...statements);
  };
  const end = FARM_NOW + 1;
  // The shortest of several tries, because other processes only lengthen them.
  let [inOne, inSlices] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < 5 || (tries < 40 && inSlices >= inOne / 2); tries++) {
    const whole = await longest((db) => valueDurations(db, [id], FARM_NOW - 30 * DAY, end));
    const part = await longest((db) => valueDurationsOfSensor(db, id, FARM_NOW - 30 * DAY, end));
    [inOne, inSlices] = [Math.min(inOne, whole), Math.min(inSlices, part)];
  }
  expect(inSlices).toBeLessThan(inOne / 2);
});

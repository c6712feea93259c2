import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/periods.ts';
import {
  hoursOfSensors,
  lastReadingsOfSensors,
  readingsOfSensors,
} from '../../../src/store/moisture/sensor-columns.ts';
import { recordRows } from '../stored-readings.ts';
import { onEachStore } from '../temporary-stores.ts';

onEachStore((withStore) => {
  it('calibrates readings and hours, also the hour in which a calibration begins', () =>
    withStore(async (store) => {
      await store.write(1, async (db) => {
        const module = await db
          .insertInto('modules')
          .values({ uid: 'A1' })
          .returning('id')
          .executeTakeFirstOrThrow();
        const { id } = await db
          .insertInto('sensors')
          .values({ module_id: module.id, type: 'humidity', depth: 20 })
          .returning('id')
          .executeTakeFirstOrThrow();
        await recordRows(
          db,
          [0, 15, 30, 45, 60, 75].map((minute) => [id, minute * MINUTE_MS, 20]),
        );

        const from = 20 * MINUTE_MS;
        const points = [{ readPercent: 20, truePercent: 26 }];
        const sensors = [{ id, calibration: [{ from, points }] }];
        const period = { start: 0, end: 2 * HOUR_MS };
        expect((await readingsOfSensors(db, sensors, period)).get(id)?.values).toEqual([
          20, 20, 26, 26, 26, 26,
        ]);
        expect((await hoursOfSensors(db, sensors, period)).get(id)).toEqual({
          at: [0, HOUR_MS],
          counts: [4, 2],
          values: [92, 52],
        });
        expect((await lastReadingsOfSensors(db, sensors, HOUR_MS, 3)).get(id)).toEqual({
          newestAt: 75 * MINUTE_MS,
          at: [15 * MINUTE_MS, 30 * MINUTE_MS, 45 * MINUTE_MS],
          values: [20, 26, 26],
        });
      });
    }));
});

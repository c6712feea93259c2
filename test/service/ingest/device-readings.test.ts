import { describe, expect } from 'vitest';
import type { IngestResult } from '../../../src/schema/imports/ingest-batch.ts';
import { assignDevice, listDevices } from '../../../src/service/ingest/device-assignment.ts';
import { it as base, iso, MINUTE, type TestFarm } from '../../farm.ts';

const EUI = '70B3D57ED0000001';

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [{ uid: 'North 1', sensors: [10, 30].map((depth) => ({ type: 'humidity', depth })) }],
    });
    await use(farm);
  },
});

const send = (farm: TestFarm, rows: object[], payload?: string) =>
  farm.wire<IngestResult>('ingest', {
    readings: rows.map((row) => ({ type: 'humidity', time: iso(farm.now - MINUTE), value: 21, ...row })),
    ...(payload !== undefined && { devices: [{ device: EUI, payload }] }),
  });

const assign = (farm: TestFarm, ...depths: number[]) =>
  farm.write((db) => assignDevice(db, EUI, 'North 1', depths, farm.now));

const stored = (farm: TestFarm) =>
  farm.write((db) =>
    db
      .selectFrom('readings')
      .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
      .select(['depth', 'value'])
      .orderBy('depth')
      .execute(),
  );

describe('readings of a device', () => {
  it('are kept once until it is assigned, then written with the next batch', async ({ farm }) => {
    for (let time = 0; time < 2; time++)
      expect(await send(farm, [{ device: EUI }, { device: EUI, position: 1, value: 22 }], '{"a":1}')).toMatchObject({
        readings: { written: 0, refused: 0, kept: 2 },
      });
    expect(await farm.write(listDevices)).toMatchObject([
      { device: EUI, module: null, kept: 2, payload: '{"a":1}', lastSeenAt: farm.now },
    ]);
    expect(await assign(farm, 10, 30)).toMatchObject({ device: EUI, kept: 2 });
    expect((await send(farm, [])).readings).toMatchObject({ written: 2, kept: 0 });
    expect(await stored(farm)).toEqual([
      { depth: 10, value: 21 },
      { depth: 30, value: 22 },
    ]);
    expect((await send(farm, [])).readings).toMatchObject({ written: 0, unchanged: 0 });
    expect(await farm.write(listDevices)).toMatchObject([{ kept: 0, depths: [10, 30], payload: null }]);
  });

  it('go to the depth that the reading names, or to that of the device', async ({ farm }) => {
    await assign(farm, 30);
    const rows = [
      { device: '70-b3-d5-7e-d0-00-00-01', value: 20 },
      { device: EUI, depth: 10 },
    ];
    expect((await send(farm, rows)).readings).toMatchObject({ written: 2 });
    expect(await stored(farm)).toEqual([
      { depth: 10, value: 21 },
      { depth: 30, value: 20 },
    ]);
    expect(await send(farm, [{ device: EUI, position: 1 }])).toMatchObject({
      readings: { refused: 1 },
      refused: [{ reason: 'the module has no such sensor' }],
    });
  });

  it('are refused without a time, and so is one of neither a module nor a device', async ({ farm }) => {
    expect((await send(farm, [{ device: EUI, time: 'soon' }, {}])).readings).toMatchObject({ refused: 2, kept: 0 });
  });
});

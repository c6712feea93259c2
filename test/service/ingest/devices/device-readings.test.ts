import { describe, expect } from 'vitest';
import type { AssignedDevice, ListedDevice } from '../../../../src/schema/ingest/device.ts';
import type { IngestResult } from '../../../../src/schema/ingest/ingest-batch.ts';
import { advisoriesOf, it as base, DAY, HOUR, iso, MINUTE, type TestFarm } from '../../../farm.ts';
import { renderText } from '../../../language/render-text.ts';

const EUI = '70B3D57ED0000001';

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [
        { uid: 'North 1', sensors: [10, 30].map((depth) => ({ type: 'humidity', depth })) },
      ],
    });
    await use(farm);
  },
});

const send = (farm: TestFarm, rows: object[], payload?: string) =>
  farm.wire<IngestResult>('ingest', {
    readings: rows.map((row) => ({
      type: 'humidity',
      time: iso(farm.now - MINUTE),
      value: 21,
      ...row,
    })),
    ...(payload === undefined ? {} : { devices: [{ device: EUI, payload }] }),
  });

const assign = (farm: TestFarm, ...depths: number[]) =>
  farm.wire<AssignedDevice>('assign_device', {
    device: EUI,
    moduleId: farm.idOf('North 1'),
    depths,
  });

const listed = async (farm: TestFarm) =>
  (await farm.wire<{ data: ListedDevice[] }>('list_devices')).data;

const newestChange = async (farm: TestFarm) =>
  (await farm.wire<{ data: { id: number }[] }>('list_changes', { limit: 1 })).data[0]!;

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
  it('are kept once until it is assigned, then written', async ({ farm }) => {
    for (const counts of [
      { storedUnassigned: 2, unchanged: 0 },
      { storedUnassigned: 0, unchanged: 2 },
    ])
      expect(
        await send(farm, [{ device: EUI }, { device: EUI, position: 1, value: 22 }], '{"a":1}'),
      ).toMatchObject({
        readings: { written: 0, refused: 0, ...counts },
      });
    expect(await listed(farm)).toMatchObject([
      {
        device: EUI,
        module: null,
        storedUnassigned: 2,
        payload: '{"a":1}',
        lastSeenAt: iso(farm.now),
      },
    ]);
    expect(await assign(farm, 10, 30)).toMatchObject({ device: EUI, earlierReadings: 2 });
    expect(await stored(farm)).toEqual([
      { depth: 10, value: 21 },
      { depth: 30, value: 22 },
    ]);
    expect((await send(farm, [])).readings).toMatchObject({ written: 0, unchanged: 0 });
    expect(await listed(farm)).toMatchObject([
      { storedUnassigned: 0, depths: [10, 30], payload: null },
    ]);
  });

  it('are kept once if one batch repeats them, with the last value', async ({ farm }) => {
    const repeated = [20, 20, 21].map((value) => ({ device: EUI, value }));
    expect((await send(farm, repeated)).readings).toMatchObject({
      storedUnassigned: 1,
      unchanged: 2,
      refused: 0,
    });
    expect((await send(farm, [{ device: EUI, value: 22 }])).readings).toMatchObject({
      storedUnassigned: 1,
      unchanged: 0,
    });
    expect(await listed(farm)).toMatchObject([{ storedUnassigned: 1, newest: [{ value: 22 }] }]);
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

  it('are rejected without a time, and so is one of neither a module nor a device', async ({
    farm,
  }) => {
    expect((await send(farm, [{ device: EUI, time: 'soon' }, {}])).readings).toMatchObject({
      refused: 2,
      storedUnassigned: 0,
    });
  });
});

describe('more readings of a device than are kept', () => {
  it('push out the oldest of them', async ({ farm }) => {
    const row = (n: number) => ({ device: EUI, time: iso(farm.now - (6_000 - n) * MINUTE) });
    const rows = Array.from({ length: 5_500 }, (_, n) => row(n));
    await send(farm, rows.slice(0, 3_000));
    await send(farm, rows.slice(3_000));
    expect(await listed(farm)).toMatchObject([{ storedUnassigned: 5_000 }]);
    await assign(farm, 30);
    const first = farm.write((db) =>
      db.selectFrom('readings').select('at').orderBy('at').executeTakeFirst(),
    );
    expect(await first).toEqual({ at: farm.now - 5_500 * MINUTE });
  });
});

describe('more devices than are kept', () => {
  it('are rejected with the reason if all were listed, until one was silent for 30 days', async ({
    farm,
  }) => {
    const rows = Array.from({ length: 202 }, (_, n) => ({ device: `d${n}` }));
    expect(await send(farm, rows)).toMatchObject({
      readings: { storedUnassigned: 200, refused: 2 },
      reasons: [
        {
          reason: expect.stringContaining('the limit of 200 unassigned devices is reached'),
          count: 2,
        },
      ],
      refused: [{ location: 'readings[200]' }, { location: 'readings[201]' }],
    });
    await listed(farm);
    farm.now += 20 * DAY;
    expect((await send(farm, rows.slice(1, 201))).readings).toMatchObject({
      storedUnassigned: 199,
      refused: 1,
    });
    farm.now += 11 * DAY;
    expect((await send(farm, rows.slice(200))).readings).toMatchObject({
      storedUnassigned: 1,
      refused: 1,
    });
    const names = (await listed(farm)).map(({ device }) => device);
    expect(names).toHaveLength(200);
    expect(names).not.toContain('d0');
  });
});

describe('a device', () => {
  it('is assigned in a conversation, to a probe that is added with it, and undone with it', async ({
    farm,
  }) => {
    await send(farm, [{ device: EUI }]);
    const added = await farm.tool<{ module: { id: number } }>('set_module', {
      name: 'Hill',
      sensors: ['humidity 30'],
      device: `${EUI.toLowerCase()} 30 cm`,
    });
    expect(advisoriesOf(added, 'device_assigned')).toMatchObject([
      { device: EUI, depths: [30], earlierReadings: 1 },
    ]);
    expect(await listed(farm)).toMatchObject([
      { device: EUI, moduleId: added.module.id, depths: [30], storedUnassigned: 0 },
    ]);
    expect(await stored(farm)).toEqual([{ depth: 30, value: 21 }]);
    const { id } = await newestChange(farm);
    await send(farm, [{ device: EUI, time: iso(farm.now) }]);
    await expect(farm.tool('undo')).rejects.toMatchObject({
      code: 'CHANGE_NOT_UNDOABLE',
      message: `The change (#${id}, set_module) cannot be undone: reading depends on it.`,
    });
    expect(await stored(farm)).toHaveLength(2);
  });

  it('leaves no reading with a wrong probe once its assignment is undone', async ({ farm }) => {
    const waiting = [{ device: EUI }, { device: EUI, position: 1, value: 22 }];
    await send(farm, waiting);
    await assign(farm, 10, 30);
    const sums = () =>
      farm.write((db) => db.selectFrom('reading_days').select('sum').orderBy('sum').execute());
    await farm.tool('undo', { changeId: String((await newestChange(farm)).id) });
    expect(await stored(farm)).toEqual([]);
    expect(await sums()).toEqual([]);
    expect(await listed(farm)).toMatchObject([{ module: null, storedUnassigned: 2 }]);
    await farm.tool('undo', { changeId: String((await newestChange(farm)).id) });
    expect(await sums()).toEqual([{ sum: 21 }, { sum: 22 }]);
    expect(await listed(farm)).toMatchObject([{ depths: [10, 30], storedUnassigned: 0 }]);
  });

  it('leaves the rain of totals since with the station once its assignment is undone', async ({
    farm,
  }) => {
    await farm.importFile({ modules: [{ uid: 'Yard', category: 'WEATHER_STATION', sensors: [] }] });
    const sendTotal = (minutesAgo: number, mm: number) => {
      const row = {
        device: 'gauge',
        mm,
        time: iso(farm.now - minutesAgo * MINUTE),
        isDayTotal: true,
      };
      return farm.wire('ingest', { rain: [row] });
    };
    await sendTotal(30, 2);
    const { data } = await farm.wire<{ data: { id: number; uid: string }[] }>('list_modules');
    const yard = { device: 'gauge', moduleId: data.find(({ uid }) => uid === 'Yard')!.id };
    await expect(farm.wire('assign_device', { ...yard, depths: [10] })).rejects.toMatchObject({
      message: 'The module has no sensor at 10 cm.',
      hint: expect.stringContaining('No sensor of the module has a depth. Leave it out'),
    });
    await farm.wire('assign_device', yard);
    await sendTotal(0, 3);
    const undo = await farm.tool<{ undone: object }>('undo', {
      changeId: String((await newestChange(farm)).id),
    });
    expect(undo.undone).toMatchObject({ effects: { counts: { 'device changed': 1 } } });
    expect(advisoriesOf(undo, 'device_readings_stay')).toMatchObject([{ module: 'Yard' }]);
    expect(await farm.tool('list_rain')).toMatchObject({ data: [{ mm: 3 }] });
    expect(await listed(farm)).toMatchObject([
      { device: 'gauge', moduleId: null, storedUnassigned: 1 },
    ]);
  });

  it('ends an alert on its readings once its assignment is undone', async ({ farm }) => {
    const times = (first: number, last: number) =>
      Array.from({ length: first - last + 1 }, (_, n) => iso(farm.now - (first - n) * HOUR));
    const own = times(30, 24).map((time) => ({
      module: 'North 1',
      depth: 30,
      type: 'humidity',
      time,
      value: 25,
    }));
    await farm.wire('ingest', { readings: own });
    await farm.tool('create_alert', { module: 'North 1', threshold: 20 });
    await send(
      farm,
      times(8, 1).map((time) => ({ device: EUI, time, value: 5 })),
    );
    await assign(farm, 30);
    const state = async () =>
      (await farm.tool<{ data: { state: object }[] }>('list_alerts')).data[0]!.state;
    await farm.tick();
    expect(await state()).toMatchObject({ status: 'firing' });
    await farm.tool('undo', { changeId: String((await newestChange(farm)).id) });
    await farm.tick();
    expect(await state()).toMatchObject({ status: 'quiet' });
  });

  it('is assigned to another probe by the next call, and back by an undo', async ({ farm }) => {
    await assign(farm, 30);
    await farm.tool('set_module', { name: 'North 1', device: `${EUI} 10` });
    await farm.tool('set_module', { name: 'North 1', device: `${EUI} 10,30` });
    expect(await listed(farm)).toMatchObject([{ depths: [10, 30] }]);
    await farm.tool('undo');
    expect(await listed(farm)).toMatchObject([{ depths: [10] }]);
    await farm.tool('undo');
    expect(await listed(farm)).toMatchObject([{ depths: [30] }]);
    await farm.tool('undo', { changeId: String((await newestChange(farm)).id) });
    expect(await listed(farm)).toMatchObject([{ depths: [10] }]);
  });

  it('is refused where another one measures, unless it is to replace that one', async ({
    farm,
  }) => {
    const place = { moduleId: farm.idOf('North 1'), depths: [30] };
    await send(farm, [{ device: EUI }, { device: 'new one', value: 22 }]);
    await assign(farm, 30);
    await expect(farm.wire('assign_device', { ...place, device: 'new one' })).rejects.toMatchObject(
      {
        message: `The device "${EUI}" measures there already at 30 cm.`,
        hint: expect.stringContaining(`"new one 30 replaces ${EUI}"`),
        field: 'device',
      },
    );
    await farm.wire('assign_device', { ...place, device: 'new one', depths: [10] });
    await farm.tool('set_module', { name: 'North 1', device: `new one 30 replaces ${EUI}` });
    expect(await listed(farm)).toMatchObject([
      { device: EUI, moduleId: null },
      { device: 'new one', depths: [30] },
    ]);
  });

  it('is refused where another one measures one of several quantities', async ({ farm }) => {
    await farm.tool('set_module', { name: 'Both', sensors: ['humidity 20', 'temperature 20'] });
    await send(farm, [{ device: EUI }, { device: 'wet' }]);
    await farm.tool('set_module', { name: 'Both', device: `${EUI} 20` });
    await expect(farm.tool('set_module', { name: 'Both', device: 'wet 20' })).rejects.toMatchObject(
      {
        message: `The device "${EUI}" measures there already at 20 cm.`,
      },
    );
  });

  it('may measure another quantity than one that was not heard', async ({ farm }) => {
    const sensors = ['humidity 20', 'temperature 20'];
    const { module } = await farm.tool<{ module: { id: number } }>('set_module', {
      name: 'Both',
      sensors,
    });
    await farm.wire('assign_device', { device: 'silent', moduleId: module.id, depths: [20] });
    await send(farm, [{ device: 'warm', type: 'temperature' }]);
    await farm.tool('set_module', { name: 'Both', device: 'warm 20' });
    expect(await listed(farm)).toMatchObject([
      { device: 'silent' },
      { device: 'warm', depths: [20] },
    ]);
  });

  it('is refused where another one names the same depth in its readings', async ({ farm }) => {
    const place = { moduleId: farm.idOf('North 1'), depths: [] };
    await send(farm, [
      { device: 'logger', depth: 10 },
      { device: 'logger 2', depth: 10 },
      { device: 'logger 3', depth: 30 },
    ]);
    await farm.wire('assign_device', { ...place, device: 'logger' });
    await expect(
      farm.wire('assign_device', { ...place, device: 'logger 2' }),
    ).rejects.toMatchObject({
      hint: expect.stringContaining('"logger 2 replaces logger"'),
    });
    await farm.wire('assign_device', { ...place, device: 'logger 3' });
  });

  it('replaces the one that is named, also where nothing is in its way', async ({ farm }) => {
    await send(farm, [{ device: 'Old probe' }, { device: 'new one' }]);
    const place = { moduleId: farm.idOf('North 1'), depths: [30] };
    await farm.wire('assign_device', { ...place, device: 'Old probe', depths: [10] });
    const assignment = { ...place, device: 'new one', replaces: 'old probe' };
    await farm.wire('assign_device', assignment);
    expect(await listed(farm)).toMatchObject([
      { moduleId: null },
      { device: 'new one', depths: [30] },
    ]);
    await farm.wire('assign_device', assignment);
    for (const replaces of ['no such', 'new one'])
      await expect(farm.wire('assign_device', { ...assignment, replaces })).rejects.toMatchObject({
        message: `No other device called "${replaces}" is assigned to this module.`,
      });
  });

  it('may measure another quantity at the same depth', async ({ farm }) => {
    await farm.tool('set_module', { name: 'Both', sensors: ['humidity 20', 'temperature 20'] });
    await send(farm, [{ device: EUI }, { device: 'warm', type: 'temperature' }, { device: 'wet' }]);
    await farm.tool('set_module', { name: 'Both', device: `${EUI} 20` });
    await farm.tool('set_module', { name: 'Both', device: 'warm 20' });
    expect(await listed(farm)).toMatchObject([
      { device: 'wet' },
      { device: EUI },
      { device: 'warm', depths: [20] },
    ]);
  });

  it('that measures the soil is refused at a weather station, and its moisture is no humidity of the air', async ({
    farm,
  }) => {
    await farm.importFile({
      modules: [
        {
          uid: 'Yard',
          category: 'WEATHER_STATION',
          sensors: [{ type: 'humidity' }, { type: 'temperature' }],
        },
      ],
    });
    const { data } = await farm.wire<{ data: { id: number; uid: string }[] }>('list_modules');
    const yard = { moduleId: data.find(({ uid }) => uid === 'Yard')!.id };
    await send(farm, [{ device: EUI }, { device: EUI, type: 'temperature' }]);
    await expect(farm.wire('assign_device', { ...yard, device: EUI })).rejects.toMatchObject({
      message: 'This device sends the moisture of the soil, and the module is a weather station.',
    });
    await farm.wire('assign_device', { ...yard, device: 'silent' });
    expect(
      (await send(farm, [{ device: 'silent' }, { device: 'silent', depth: null }])).readings,
    ).toMatchObject({
      written: 1,
      refused: 1,
    });
  });

  it('needs no depth where the module has one', async ({ farm }) => {
    await send(farm, [{ device: 'Soil north' }]);
    await farm.tool('set_module', {
      name: 'Single',
      sensors: ['humidity 20', 'temperature 20'],
      device: 'soil north',
    });
    expect(await listed(farm)).toMatchObject([{ device: 'Soil north', depths: [20] }]);
  });

  it('may have a name that ends in a number', async ({ farm }) => {
    await farm.wire('ingest', {
      readings: [{ device: 'Soil 2', type: 'humidity', time: iso(farm.now - MINUTE), value: 20 }],
    });
    await farm.tool('set_module', { name: 'North 1', device: 'Soil 2 30' });
    expect(await listed(farm)).toMatchObject([{ device: 'Soil 2', depths: [30] }]);
  });

  it('is named with its depths as a person says them', async ({ farm }) => {
    await assign(farm, 10);
    const namedDepths: [string, number[]][] = [
      ['at 30 cm', [30]],
      ['30cm', [30]],
      ['à 30 cm', [30]],
      ['a 10 y 30 cm', [10, 30]],
      ['(10, 30 cm)', [10, 30]],
    ];
    for (const [words, depths] of namedDepths) {
      await farm.tool('set_module', { name: 'North 1', device: `${EUI} ${words}` });
      expect(await listed(farm)).toMatchObject([{ device: EUI, depths }]);
    }
    await expect(
      farm.tool('set_module', { name: 'North 1', device: `${EUI} 10-30` }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('"10-30" is not a depth in cm.'),
      field: 'device',
    });
  });

  it('that never sent is refused, with the nearest that did', async ({ farm }) => {
    await send(farm, [{ device: EUI }, { device: 'garden' }]);
    const device = `${EUI.replace('D0', 'DO')} at 30 cm`;
    await expect(farm.tool('set_module', { name: 'North 1', device })).rejects.toMatchObject({
      message: expect.stringContaining('No device is called "70B3D57EDO000001".'),
      hint: expect.stringContaining(`Did you mean "${EUI}"? The others are "garden".`),
      field: 'device',
    });
    expect(await listed(farm)).toMatchObject([{ moduleId: null }, { moduleId: null }]);
  });

  it('says only the readings that are written', async ({ farm }) => {
    const values = [21, -24.1, 999].map((value, n) => ({
      device: EUI,
      value,
      time: iso(farm.now - n * MINUTE),
    }));
    expect(await send(farm, [...values, { device: EUI, type: 'temperature' }])).toMatchObject({
      readings: { storedUnassigned: 2, refused: 2 },
      reasons: [{ reason: expect.stringContaining('0'), count: 2 }],
    });
    expect(await assign(farm, 30)).toMatchObject({ earlierReadings: 1 });
    expect(await stored(farm)).toEqual([{ depth: 30, value: 21 }]);
  });

  it('is refused where the module has no sensor at its depth, and nothing else is stored', async ({
    farm,
  }) => {
    await send(farm, [{ device: EUI }]);
    for (const device of [`${EUI} 20`, '30', ''])
      await expect(
        farm.tool('set_module', { name: 'New', sensors: ['humidity 30'], device }),
      ).rejects.toMatchObject({
        field: 'device',
      });
    expect(await listed(farm)).toMatchObject([{ moduleId: null }]);

    // Depths are given in cm, in the United States too.
    const { message, hint, texts } = await assign(farm, 4).catch((error) => error);
    expect([message, renderText(texts.message, 'us')]).toEqual(
      Array(2).fill('The module has no sensor at 4 cm.'),
    );
    expect(hint).toContain('has sensors at 10, 30 cm. Give one of these');
    expect(renderText(texts.hint, 'us')).toContain('has sensors at 10 and 30 cm. Give one');
  });

  it('that is not assigned is named in the morning brief', async ({ farm }) => {
    const unassigned = async () =>
      advisoriesOf(await farm.tool('morning_brief'), 'unassigned_devices');
    expect(await unassigned()).toEqual([]);
    await send(farm, [{ device: EUI, value: 24 }], '{}');
    expect(await unassigned()).toMatchObject([
      { devices: [{ device: EUI, newest: [{ type: 'humidity', value: 24 }] }], others: 0 },
    ]);
  });
});

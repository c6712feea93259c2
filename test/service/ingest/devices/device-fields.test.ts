import { describe, expect } from 'vitest';
import type { AssignedDevice, ListedDevice } from '../../../../src/schema/ingest/device.ts';
import type { IngestResult } from '../../../../src/schema/ingest/ingest-batch.ts';
import { findPreset, mapOfPresets } from '../../../../src/service/ingest/payload/presets.ts';
import { readPayload } from '../../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../../src/service/ingest/payload/unread-message.ts';
import { advisoriesOf, it as base, iso, MINUTE, type TestFarm } from '../../../farm.ts';

const [FIRST, SECOND] = ['70B3D57ED0000001', '70B3D57ED0000002'] as const;

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    const sensors = (depths: number[]) =>
      depths.flatMap((depth) => ['humidity', 'temperature'].map((type) => ({ type, depth })));
    await farm.importFile({
      modules: [
        { uid: 'Bed', name: 'Bed', sensors: sensors([20, 40]) },
        { uid: 'Hill', sensors: sensors([30]) },
      ],
    });
    await use(farm);
  },
});

const uplinkOf = (farm: TestFarm, device: string, decoded: object, minutesAgo: number) => ({
  end_device_ids: { dev_eui: device },
  received_at: iso(farm.now - minutesAgo * MINUTE),
  uplink_message: {
    f_port: 2,
    frm_payload: 'Dh4AAA==',
    decoded_payload: decoded,
    version_ids: { brand_id: 'makerfabs', model_id: 'agrosense' },
  },
});

/** Sends one uplink of The Things Stack as its webhook does. */
async function send(
  farm: TestFarm,
  device: string,
  decoded: object,
  minutesAgo = 5,
  source = 'ttn/any',
) {
  const map = mapOfPresets([findPreset(source)], undefined);
  const payload = Buffer.from(JSON.stringify(uplinkOf(farm, device, decoded, minutesAgo)));
  const message = { topic: null, payload };
  const parsed = readPayload(map, message, farm.now);
  const unread = unreadItems({ map, message, via: source, parsed, now: farm.now });
  const items = parsed.kind === 'items' ? parsed : { readings: [], devices: [] };
  const { readings, devices } = items;
  return farm.wire<IngestResult>('ingest', { readings, devices, unread, source });
}

async function assign(farm: TestFarm, device: string, uid: string, args: object = {}) {
  const { data } = await farm.wire<{ data: { id: number; uid: string }[] }>('list_modules');
  const moduleId = data.find((module) => module.uid === uid)!.id;
  return farm.wire<AssignedDevice>('assign_device', { device, moduleId, ...args });
}

async function undoNewest(farm: TestFarm): Promise<void> {
  const { data } = await farm.wire<{ data: { id: number }[] }>('list_changes', { limit: 1 });
  await farm.tool('undo', { changeId: String(data[0]!.id) });
}

const list = (farm: TestFarm) =>
  farm.wire<{ data: ListedDevice[]; unread: object[] }>('list_devices');

const stored = async (farm: TestFarm) =>
  (
    await farm.write((db) =>
      db
        .selectFrom('readings')
        .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
        .select(['type', 'depth', 'value'])
        .orderBy('type')
        .orderBy('depth')
        .orderBy('at')
        .execute(),
    )
  ).map(({ type, depth, value }) => `${type} ${depth} ${value}`);

const CHOICE = ['soil_moist = humidity 20 cm %; temp1 = temperature 20 cm'];

describe('the fields of a device that no preset knows', () => {
  it('wait with their values, and are read once a person chose them', async ({ farm }) => {
    const sent = { soil_moist: 24.3, temp1: 19.1, ec: 120, note: 'ok' };
    expect(await send(farm, FIRST, sent)).toMatchObject({
      readings: { storedUnassigned: 3, refused: 0 },
    });
    expect(await send(farm, FIRST, sent)).toMatchObject({
      readings: { storedUnassigned: 0, unchanged: 3 },
    });
    expect(await list(farm)).toMatchObject({
      data: [
        {
          device: FIRST,
          moduleId: null,
          newest: [
            { type: 'field:ec', value: 120 },
            { type: 'field:soil_moist', value: 24.3 },
            { type: 'field:temp1', value: 19.1 },
          ],
        },
      ],
      unread: [],
    });

    expect(await assign(farm, FIRST, 'Bed', { fields: CHOICE })).toMatchObject({
      depths: [20],
      fields: ['soil_moist = moisture 20 cm %', 'temp1 = temperature 20 cm'],
      earlierReadings: 2,
    });
    await send(farm, FIRST, { soil_moist: 25, temp1: 19, ec: 121 }, 1);
    expect(await stored(farm)).toEqual([
      'humidity 20 24.3',
      'humidity 20 25',
      'temperature 20 19.1',
      'temperature 20 19',
    ]);
    expect(await list(farm)).toMatchObject({
      data: [{ module: 'Bed', newest: [{ type: 'field:ec', value: 121 }], storedUnassigned: 2 }],
      unread: [],
    });
  });

  it('are read whichever webhook of the network they come by', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3 }, 5, 'ttn/dragino-lse01');
    await assign(farm, FIRST, 'Bed', { fields: ['soil_moist = moisture 20 cm'] });
    const later = await send(farm, FIRST, { soil_moist: 25 }, 1, 'ttn/sensecap-s2105');
    expect(later.readings).toMatchObject({ written: 1, refused: 0 });
  });

  it('of the second device of a model need nothing, or only other depths', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3, temp1: 19.1 });
    await assign(farm, FIRST, 'Bed', { fields: CHOICE });
    await send(farm, SECOND, { soil_moist: 31.5, temp1: 17 });
    expect((await list(farm)).data).toMatchObject([
      {
        device: SECOND,
        newest: [
          { type: 'humidity', depth: 20, value: 31.5 },
          { type: 'temperature', depth: 20, value: 17 },
        ],
      },
      { device: FIRST },
    ]);
    expect(await assign(farm, SECOND, 'Bed', { depths: [40] })).toMatchObject({
      depths: [40],
      fields: ['soil_moist = moisture 40 cm %', 'temp1 = temperature 40 cm'],
      earlierReadings: 2,
    });
    expect(await stored(farm)).toContain('humidity 40 31.5');
    await expect(assign(farm, SECOND, 'Bed', { depths: [20, 40] })).rejects.toMatchObject({
      message: 'The fields of this device are of 40 cm: give as many depths.',
    });
  });

  it('are of the only depth of the module where it has none at theirs', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3 });
    await assign(farm, FIRST, 'Bed', { fields: ['soil_moist = moisture 20 cm'] });
    await send(farm, SECOND, { soil_moist: 31.5 });
    expect(await assign(farm, SECOND, 'Hill')).toMatchObject({ depths: [30] });
  });

  it('may be chosen later', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3, deep: 0.28 });
    await assign(farm, FIRST, 'Bed', { fields: ['soil_moist = humidity 20 cm'] });
    await send(farm, FIRST, { soil_moist: 25, deep: 0.29 }, 1);
    expect(
      await assign(farm, FIRST, 'Bed', { fields: ['DEEP = moisture at 40 cm in m3/m3'] }),
    ).toMatchObject({
      depths: [20, 40],
      fields: ['soil_moist = moisture 20 cm', 'deep = moisture 40 cm m3/m3'],
      earlierReadings: 2,
    });
    expect(await stored(farm)).toEqual([
      'humidity 20 24.3',
      'humidity 20 25',
      'humidity 40 28',
      'humidity 40 29',
    ]);
  });

  it('wait again once the choice is undone, and so does the next device of the model', async ({
    farm,
  }) => {
    await send(farm, FIRST, { soil_moist: 24.3, temp1: 19.1 });
    await assign(farm, FIRST, 'Bed', { fields: CHOICE });
    await undoNewest(farm);
    expect(await stored(farm)).toEqual([]);
    await send(farm, SECOND, { soil_moist: 31.5 });
    const fields = ({ newest }: ListedDevice) => newest.map(({ type }) => type);
    expect((await list(farm)).data.map(fields).sort()).toEqual([
      ['field:soil_moist'],
      ['field:soil_moist', 'field:temp1'],
    ]);
    await undoNewest(farm);
    expect(await stored(farm)).toEqual(['humidity 20 24.3', 'temperature 20 19.1']);
  });
});

describe('an assistant', () => {
  it('gets the call with the fields that came, and may give them in one text', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3, temp1: 19.1 });
    expect(await farm.tool('list_devices')).toMatchObject({
      next: `assign_device(device: ${FIRST}, module, fields: soil_moist = moisture DEPTH cm %; temp1 = temperature DEPTH cm)`,
    });
    const args = { device: FIRST.toLowerCase(), module: 'Bed', fields: CHOICE[0] };
    expect(await farm.tool('assign_device', args)).toMatchObject({
      device: FIRST,
      module: 'Bed',
      depths: [20],
      earlierReadings: 2,
      fields: ['soil_moist = moisture 20 cm %', 'temp1 = temperature 20 cm'],
    });
    expect(await farm.tool('assign_device', args)).toMatchObject({ earlierReadings: 0 });
    expect(await stored(farm)).toHaveLength(2);
  });

  it('hears of unknown fields where it assigns with set_module, and needs them once a model', async ({
    farm,
  }) => {
    await send(farm, FIRST, { soil_moist: 24.3 });
    await send(farm, SECOND, { soil_moist: 30 });
    await farm.tool('set_module', { name: 'Slope', sensors: ['humidity 30 cm'] });
    const assigning = (device: string) => farm.tool('set_module', { name: 'Slope', device });
    await expect(assigning(`${FIRST} 30`)).rejects.toMatchObject({
      message: expect.stringContaining('These came: soil_moist 24.3.'),
    });
    await assign(farm, FIRST, 'Bed', { fields: ['soil_moist = moisture 20 cm'] });
    await assigning(`${SECOND} 30`);
    expect(await stored(farm)).toEqual(['humidity 20 24.3', 'humidity 30 30']);
  });
});

describe('a device with fields that nobody chose', () => {
  it('is assigned again with the same words, with others and without any', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 24.3, temp1: 19.1, EC: 121 });
    await assign(farm, FIRST, 'Bed', {
      fields: ['soil_moist = moisture 20 cm; temp1 = temperature 40 cm'],
    });
    await assign(farm, FIRST, 'Bed', { fields: CHOICE });
    await assign(farm, FIRST, 'Bed', { fields: CHOICE });
    await assign(farm, FIRST, 'Bed');
    await send(farm, FIRST, { soil_moist: 25, temp1: 19, EC: 122 }, 1);
    expect(await stored(farm)).toEqual([
      'humidity 20 24.3',
      'humidity 20 25',
      'temperature 20 19',
      'temperature 40 19.1',
    ]);
  });

  it('says which of its values have no sensor', async ({ farm }) => {
    await farm.importFile({
      modules: [{ uid: 'Slope', name: 'Slope', sensors: [{ type: 'humidity', depth: 20 }] }],
    });
    await send(farm, FIRST, { soil_moist: 24.3, temp1: 19.1 });
    await expect(assign(farm, FIRST, 'Slope', { fields: CHOICE })).rejects.toMatchObject({
      message: 'The module has no sensor of temperature at 20 cm for the field "temp1".',
    });
    await assign(farm, FIRST, 'Bed', { fields: CHOICE });
    await send(farm, SECOND, { soil_moist: 31.5, temp1: 17 });
    const assigned = await farm.tool('assign_device', { device: SECOND, module: 'Slope' });
    expect(assigned).toMatchObject({ earlierReadings: 1 });
    expect(advisoriesOf(assigned, 'device_readings_left_out')).toMatchObject([
      { withoutSensor: ['temperature at 20 cm'] },
    ]);
  });
});

describe('a choice that cannot be', () => {
  it.for([
    ['moist = humidity 20 cm', /sends no field "moist"\. These came: .*soil_moist 0\.24/],
    ['soil_moist = humidity 20 cm %', /may be a fraction .*soil_moist 0\.24/],
    ['bat_mv = humidity 20 cm', /"bat_mv" cannot be that: value is not moisture.*bat_mv 3612/],
    ['soil_moist = humidity 20 cm kPa', /does not say what a field measures/],
    ['soil_moist = wetness', /does not say what a field measures/],
    ['soil_moist = humidity m3/m3', /"soil_moist" has no depth/],
    ['soil_moist = humidity 35 cm m3/m3', /no sensor at 35 cm/],
    [
      'soil_moist = humidity 20 cm m3/m3; Soil_T = humidity 20 cm %',
      /^The fields? "soil_moist" and the field "Soil_T" would be one sensor: moisture at 20 cm\.$/,
    ],
    ['soil_moist = ?', /Replace the question mark.*"soil_moist"/],
  ] as const)('is refused: %s', async ([text, message], { farm }) => {
    await send(farm, FIRST, { soil_moist: 0.24, bat_mv: 3612, Soil_T: 8.4 });
    await expect(assign(farm, FIRST, 'Bed', { fields: [text] })).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
    expect((await list(farm)).data).toMatchObject([{ moduleId: null }]);
  });

  it('is missing: the fields that came are named, with what to say', async ({ farm }) => {
    await send(farm, FIRST, { soil_moist: 0.24, temp1: 19 });
    await expect(assign(farm, FIRST, 'Bed', { depths: [20] })).rejects.toMatchObject({
      message:
        'Nobody has said yet what the fields of this device measure. These came: soil_moist 0.24 and temp1 19.',
      hint: expect.stringContaining(
        'soil_moist = moisture DEPTH cm m3/m3; temp1 = temperature DEPTH cm',
      ),
    });
  });
});

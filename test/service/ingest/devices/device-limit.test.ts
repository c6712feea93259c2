import { describe, expect } from 'vitest';
import type { ListedDevice } from '../../../../src/schema/ingest/device.ts';
import type { IngestResult } from '../../../../src/schema/ingest/ingest-batch.ts';
import { DAY, iso, it, MINUTE, type TestFarm } from '../../../farm.ts';
import { executeStatements, rowsOf } from '../../../stores/stores.ts';

const MAX_DEVICES = 200;

const namesFrom = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

const send = (farm: TestFarm, sender: string, ...devices: string[]) =>
  sendReadings(farm, sender, { devices, perDevice: 1 });

async function sendReadings(
  farm: TestFarm,
  sender: string,
  { devices, perDevice }: { readonly devices: readonly string[]; readonly perDevice: number },
) {
  farm.now += MINUTE;
  const readings = devices.flatMap((device) =>
    Array.from({ length: perDevice }, (_, minutes) => {
      const time = iso(farm.now - (minutes + 1) * MINUTE);
      return { device, type: 'humidity', time, value: 21 };
    }),
  );
  const caller = { caller: { id: sender } };
  return (await farm.wire<IngestResult>('ingest', { readings }, caller)).readings;
}

const list = async (farm: TestFarm, query: object = {}): Promise<ListedDevice[]> =>
  (await farm.wire<{ data: ListedDevice[] }>('list_devices', { ...query })).data;

/** Unlike the list, which a person looks at. */
const storedNames = async (farm: TestFarm): Promise<string[]> =>
  (await rowsOf<{ name: string }>(farm.db, 'select name from devices order by name')).map(
    ({ name }) => name,
  );

describe('a key that sends under ever new names', () => {
  it('cannot keep a device of another key out', async ({ farm }) => {
    for (let batch = 0; batch < 3; batch++)
      await send(farm, 'key:flood', ...namesFrom(`flood${batch}-`, MAX_DEVICES));
    await list(farm);

    expect(await send(farm, 'key:pump', 'pump')).toMatchObject({ storedUnassigned: 1, refused: 0 });
    expect(await send(farm, 'mqtt', 'soil')).toMatchObject({ storedUnassigned: 1, refused: 0 });
    await send(farm, 'key:flood', ...namesFrom('more', MAX_DEVICES));

    const names = await storedNames(farm);
    expect(names).toHaveLength(MAX_DEVICES);
    expect(names).toEqual(expect.arrayContaining(['pump', 'soil']));
  });

  it('replaces no device of another key with its share by a batch of several stages', async ({
    farm,
  }) => {
    const pumps = namesFrom('pump', MAX_DEVICES / 2);
    await send(farm, 'key:pump', ...pumps);
    await send(farm, 'key:flood', ...namesFrom('flood', MAX_DEVICES / 2));

    const devices = namesFrom('more', 150);
    expect(await sendReadings(farm, 'key:flood', { devices, perDevice: 6 })).toMatchObject({
      storedUnassigned: 600,
      unchanged: 0,
      refused: 300,
    });
    expect(await storedNames(farm)).toEqual([...namesFrom('more', MAX_DEVICES / 2), ...pumps]);
  });

  it('replaces its oldest devices, but none that was listed', async ({ farm }) => {
    await send(farm, 'key:1', 'first');
    await list(farm);
    await send(farm, 'key:1', 'second');
    await send(farm, 'key:1', ...namesFrom('d', MAX_DEVICES - 2));
    expect(await send(farm, 'key:1', 'newest')).toMatchObject({ storedUnassigned: 1, refused: 0 });

    const names = await storedNames(farm);
    expect(names).toHaveLength(MAX_DEVICES);
    expect(names).toEqual(expect.arrayContaining(['first', 'newest', 'd000']));
    expect(names).not.toContain('second');
    const leftOver = "select 1 from device_readings where device = 'second'";
    expect(await rowsOf(farm.db, leftOver)).toEqual([]);
  });

  it('lists as seen only what the list had room for', async ({ farm }) => {
    await send(farm, 'key:1', 'first');
    await send(farm, 'key:1', ...namesFrom('d', MAX_DEVICES - 1));
    expect(await list(farm, { limit: MAX_DEVICES - 1 })).toHaveLength(MAX_DEVICES - 1);

    await send(farm, 'key:1', 'newest');
    expect(await storedNames(farm)).not.toContain('first');
    expect(await send(farm, 'key:1', 'newer', 'refused')).toMatchObject({
      storedUnassigned: 1,
      refused: 1,
    });
  });
});

describe('a device that is not assigned', () => {
  it('keeps its place once its assignment was undone', async ({ farm }) => {
    await send(farm, 'key:1', 'assigned');
    await farm.importFile({
      modules: [{ uid: 'North 1', sensors: [{ type: 'humidity', depth: 10 }] }],
    });
    const moduleId = farm.idOf('North 1');
    await farm.wire('assign_device', { device: 'assigned', moduleId, depths: [10] });
    await farm.tool('undo');

    await send(farm, 'key:1', ...namesFrom('d', MAX_DEVICES - 1));
    await send(farm, 'key:1', 'newest');
    const names = await storedNames(farm);
    expect(names).toEqual(expect.arrayContaining(['assigned', 'newest']));
    expect(names).not.toContain('d000');
  });

  it('from before senders were stored gets the first that sends it again', async ({ farm }) => {
    const old = namesFrom('old', MAX_DEVICES);
    await send(farm, 'key:1', ...old);
    await executeStatements(farm.db, 'update device_status set sender = null');

    expect(await send(farm, 'key:2', 'new')).toMatchObject({ storedUnassigned: 1, refused: 0 });
    expect(await storedNames(farm)).not.toContain('old000');
    await send(farm, 'key:1', 'old001');
    const senders = await rowsOf(
      farm.db,
      "select device, sender from device_status where device in ('new', 'old001', 'old002') order by device",
    );
    expect(senders).toEqual([
      { device: 'new', sender: 'key:2' },
      { device: 'old001', sender: 'key:1' },
      { device: 'old002', sender: null },
    ]);
  });

  it('gives its place to one of another key after 30 days of silence', async ({ farm }) => {
    await send(farm, 'key:1', 'silent');
    await list(farm);
    farm.now += 31 * DAY;
    await send(farm, 'key:2', ...namesFrom('d', MAX_DEVICES));
    expect(await storedNames(farm)).toEqual(namesFrom('d', MAX_DEVICES));
  });
});

it('is listed again without a write', async ({ farm }) => {
  await send(farm, 'key:1', 'first');
  expect(await farm.isWrittenBy(() => list(farm))).toBe(true);
  expect(await farm.isWrittenBy(() => list(farm))).toBe(false);
});

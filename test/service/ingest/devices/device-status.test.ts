import { describe, expect } from 'vitest';
import type {
  GatewayBody,
  GatewayHealthBody,
  ModuleBody,
} from '../../../../src/schema/company/company.ts';
import type { IngestResult } from '../../../../src/schema/ingest/ingest-batch.ts';
import { advisoriesOf, it as base, DAY, HOUR, iso, MINUTE, type TestFarm } from '../../../farm.ts';

const EUI = '70B3D57ED0000001';
const NEAR = 'A84041FFFF1EAABB';
const FAR = 'A84041FFFF1EAACC';

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [
        {
          uid: 'L1',
          name: 'LoRa 1',
          commissionedAt: iso(farm.now - 30 * DAY),
          location: { lat: 43.6, lon: 3.9, source: 'manual' },
          sensors: [10, 30].map((depth) => ({ type: 'humidity', depth })),
        },
      ],
    });
    await use(farm);
  },
});

const idOf = async (farm: TestFarm): Promise<number> =>
  (await farm.wire<{ data: ModuleBody[] }>('list_modules', { search: 'LoRa 1' })).data[0]!.id;

const assign = async (farm: TestFarm, device: string, ...depths: number[]) =>
  farm.wire('assign_device', { device, moduleId: await idOf(farm), depths });

const send = (farm: TestFarm, status: object, device = EUI, at = farm.now - MINUTE) =>
  farm.wire<IngestResult>('ingest', {
    readings: [{ device, type: 'humidity', time: iso(at), value: 21 }],
    devices: [{ device, time: iso(at), payload: '{}', ...status }],
  });

const health = async (farm: TestFarm) =>
  farm.tool<{ health: GatewayHealthBody | null }>('get_module_health', { module: 'LoRa 1' });

const gateways = async (farm: TestFarm) =>
  (await farm.wire<{ data: GatewayBody[] }>('list_gateways')).data;

describe('the health of a probe on LoRaWAN', () => {
  it('is that of its own battery and radio, at the gateway that receives it best', async ({
    farm,
  }) => {
    await assign(farm, EUI, 10);
    expect((await health(farm)).health).toBeNull();
    await send(farm, { batteryPercent: 86.6, gateway: NEAR.toLowerCase(), rssi: -97, snr: 7.5 });
    const answer = await health(farm);
    const { health: gateway } = answer;
    expect(gateway).toEqual({
      time: iso(farm.now - MINUTE),
      imei: NEAR,
      status: 'active',
      soc: 87,
      charging: false,
      level: 3,
      id: expect.any(Number),
    });
    expect(advisoriesOf(answer, 'device_status')).toMatchObject([
      { batteryPercent: 86.6, rssi: -97, snr: 7.5 },
    ]);
    expect(await gateways(farm)).toMatchObject([
      {
        id: gateway!.id,
        imei: NEAR,
        soc: null,
        level: null,
        status: 'active',
        modules: [{ name: 'LoRa 1' }],
      },
    ]);
    const { data } = await farm.wire<{ data: ModuleBody[] }>('list_modules', { search: 'LoRa 1' });
    expect(data[0]).toMatchObject({
      gateway: { id: gateway!.id, imei: NEAR },
      location: { stale: false },
    });

    farm.now += 2 * DAY;
    expect((await health(farm)).health).toMatchObject({ status: 'faulty', soc: 87 });
  });

  it('names the device that is silent the longest, and the weakest battery and signal', async ({
    farm,
  }) => {
    const other = '70B3D57ED0000002';
    await assign(farm, EUI, 10);
    await assign(farm, other, 30);
    await send(
      farm,
      { batteryPercent: 90, gateway: NEAR, rssi: -60, snr: 9 },
      EUI,
      farm.now - 3 * HOUR,
    );
    await send(farm, { batteryPercent: 40, gateway: NEAR, rssi: -118, snr: -12 }, other);
    expect((await health(farm)).health).toMatchObject({
      time: iso(farm.now - 3 * HOUR),
      soc: 40,
      level: 1,
    });
  });

  it('keeps a probe on its gateway, and lists no gateway of strangers', async ({ farm }) => {
    await send(farm, { gateway: FAR, rssi: -120 });
    expect(await gateways(farm)).toEqual([]);
    await assign(farm, EUI, 10);
    await send(farm, { gateway: NEAR, rssi: -97 });
    await send(farm, { gateway: FAR, rssi: -80 }, EUI, farm.now);
    expect(await gateways(farm)).toMatchObject([{ imei: NEAR }]);
  });

  it('is not changed by an older message, and keeps what a message does not name', async ({
    farm,
  }) => {
    await assign(farm, EUI, 10);
    await send(farm, { batteryPercent: 80, gateway: NEAR, rssi: -90 });
    await send(farm, { batteryPercent: 95, gateway: NEAR, rssi: -120 }, EUI, farm.now - DAY);
    await send(farm, {}, EUI, farm.now);
    expect((await health(farm)).health).toMatchObject({ time: iso(farm.now), soc: 80, level: 4 });
  });

  it('takes the assignment of a map, and shows a voltage where no percentage is known', async ({
    farm,
  }) => {
    await send(farm, {
      module: 'LoRa 1',
      depths: [10],
      payload: undefined,
      batteryV: 3.6,
      gateway: NEAR,
      rssi: -70,
    });
    const answer = await health(farm);
    expect(answer.health).toMatchObject({ soc: null, level: 4 });
    expect(advisoriesOf(answer, 'device_status')).toMatchObject([{ batteryV: 3.6 }]);
  });

  it('is null without a gateway, but its device is named', async ({ farm }) => {
    await assign(farm, 'gw/1', 10);
    await send(farm, { batteryV: 1.7 }, 'gw/1');
    const answer = await health(farm);
    expect(answer.health).toBeNull();
    expect(advisoriesOf(answer, 'device_status')).toMatchObject([
      { device: 'gw/1', batteryV: 1.7 },
    ]);
  });
});

describe('the battery of a device', () => {
  const sendBattery = (farm: TestFarm, device: string, batteryPercent: number, at = farm.now) =>
    farm.wire<IngestResult>('ingest', {
      readings: [],
      devices: [{ device, time: iso(at), batteryPercent }],
    });
  const devices = async (farm: TestFarm) =>
    (await farm.wire<{ data: object[] }>('list_devices')).data;

  it('is kept until the device gives its first reading, and not listed before', async ({
    farm,
  }) => {
    await sendBattery(farm, EUI, 87);
    expect(await devices(farm)).toEqual([]);
    await send(farm, {});
    expect(await devices(farm)).toMatchObject([{ device: EUI, batteryPercent: 87 }]);
  });

  it('is shown of a device that was assigned before it sent', async ({ farm }) => {
    await sendBattery(farm, EUI, 87);
    await assign(farm, EUI, 10);
    expect(await devices(farm)).toMatchObject([{ device: EUI, batteryPercent: 87 }]);
    await sendBattery(farm, EUI, 86);
    expect(advisoriesOf(await health(farm), 'device_status')).toMatchObject([
      { batteryPercent: 86 },
    ]);
  });

  it('is kept of two hundred devices that never gave a reading', async ({ farm }) => {
    for (let n = 0; n < 201; n++) await sendBattery(farm, `node-${n}`, 50, farm.now - n * MINUTE);
    const rows = await farm.write((db) =>
      db.selectFrom('device_status').select('device').execute(),
    );
    expect(rows).toHaveLength(200);
    expect(rows).not.toContainEqual({ device: 'node-200' });
  });
});

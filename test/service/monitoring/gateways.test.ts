import { describe, expect } from 'vitest';
import type { GatewayBody, GatewayHealthBody } from '../../../src/schema/company/company.ts';
import { insertFarmRow, type NewFarmRow } from '../../../src/store/farm/farm-rows.ts';
import {
  advisoriesOf,
  bareModule,
  bodyOf,
  DAY,
  FARM_NOW,
  HOUR,
  iso,
  it,
  MINUTE,
  type TestFarm,
} from '../../farm.ts';
import { installProbe } from '../moisture/probe-farm.ts';

interface Page {
  readonly data: GatewayBody[];
  readonly next_cursor: string | null;
}

const IMEI = '356938035643809';

const list = (farm: TestFarm, args = {}) => farm.tool<Page>('list_gateways', args);
const health = async (farm: TestFarm, module: string, args = {}) =>
  (await farm.tool<{ health: GatewayHealthBody | null }>('get_module_health', { module, ...args }))
    .health;

const addGateway = (farm: TestFarm, row: Partial<NewFarmRow<'gateways'>> = {}) =>
  farm.write((db) =>
    insertFarmRow(db, 'gateways', {
      imei: IMEI,
      serial_hex: null,
      firmware: null,
      assigned_at: 0,
      last_seen_at: FARM_NOW,
      battery_mv: null,
      level: null,
      lat: null,
      lon: null,
      ...row,
    }),
  );

const plug = (farm: TestFarm, gatewayId: number | null, row: Partial<NewFarmRow<'modules'>> = {}) =>
  farm.write((db) =>
    insertFarmRow(
      db,
      'modules',
      bareModule({ uid: 'A1', name: 'Plugged', gateway_id: gatewayId, ...row }),
    ),
  );

const onlyGateway = async (farm: TestFarm, args = {}) => (await list(farm, args)).data[0]!;

describe('GET gateways', () => {
  it('answers every field of a gateway', async ({ farm }) => {
    const id = await addGateway(farm, {
      serial_hex: '0123456789abcdef01234567',
      firmware: '2.4.1',
      assigned_at: FARM_NOW - 100 * HOUR,
      last_seen_at: FARM_NOW - HOUR,
      battery_mv: 3800,
      level: 3,
    });
    const moduleId = await plug(farm, id);
    expect((await list(farm)).data).toEqual([
      {
        id,
        imei: IMEI,
        serialHex: '0123456789abcdef01234567',
        firmware: '2.4.1',
        assignedAt: iso(FARM_NOW - 100 * HOUR),
        status: 'active',
        lastSeen: iso(FARM_NOW - HOUR),
        // 3,800 mV is 60 % by the table of the battery.
        soc: 60,
        level: 3,
        modules: [{ id: moduleId, uid: 'A1', name: 'Plugged', category: 'SOIL_PROBE' }],
      },
    ]);
  });

  it('has null for unknown fields', async ({ farm }) => {
    await addGateway(farm, { last_seen_at: null });
    expect(await onlyGateway(farm)).toMatchObject({
      serialHex: null,
      firmware: null,
      lastSeen: null,
      soc: null,
      level: null,
    });
  });

  it('lists gateways without modules in service too, ordered by id', async ({ farm }) => {
    const ids = [await addGateway(farm), await addGateway(farm, { imei: '100000000000000' })];
    const { data } = await list(farm);
    expect(data.map(({ id, modules }) => ({ id, modules }))).toEqual(
      ids.map((id) => ({ id, modules: [] })),
    );
  });

  it('omits a module that was never commissioned', async ({ farm }) => {
    await plug(farm, await addGateway(farm), { commissioned_at: null });
    expect((await onlyGateway(farm)).modules).toEqual([]);
  });

  it('has the id that its modules refer to', async ({ farm }) => {
    const module = await plug(farm, await addGateway(farm));
    const { gateway } = await farm.tool<{ gateway: { id: number } }>('get_module', {
      module: `#${module}`,
    });
    expect((await onlyGateway(farm)).id).toBe(gateway.id);
  });

  it.for([
    ['en', 'Soil probe 12'],
    ['fr', 'Sonde 12'],
  ] as const)('names its modules in %s: %s', async ([lang, name], { farm }) => {
    await plug(farm, await addGateway(farm), { name: null, number: 12 });
    expect((await onlyGateway(farm, { lang })).modules).toMatchObject([
      { name, category: 'SOIL_PROBE' },
    ]);
  });

  it('has null for the name and category of a module without them', async ({ farm }) => {
    await plug(farm, await addGateway(farm), { name: null, category: null });
    expect((await onlyGateway(farm)).modules).toMatchObject([{ name: null, category: null }]);
  });

  it.for([
    ['a fragment of the IMEI', '0356', ['300356000000000']],
    ['a fragment of the serial number, whatever its case', 'ABCdef', ['200000000000000']],
    ['what nothing matches', 'zzz', []],
    ['what only a wildcard would match', '%', []],
  ] as const)('searches %s: %s', async ([_, search, expected], { farm }) => {
    await addGateway(farm, { imei: '200000000000000', serial_hex: '0123456789abcdef01234567' });
    await addGateway(farm, { imei: '300356000000000' });
    expect((await list(farm, { search })).data.map(({ imei }) => imei)).toEqual(expected);
  });

  it('continues from page to page while gateways are added, and within a search', async ({
    farm,
  }) => {
    for (const imei of ['100000000000001', '900000000000000', '100000000000002'])
      await addGateway(farm, { imei });
    const first = await list(farm, { search: '1000', limit: 1 });
    await addGateway(farm, { imei: '100000000000003' });
    const second = await list(farm, { search: '1000', limit: 2, cursor: first.next_cursor });
    expect([...first.data, ...second.data].map(({ imei }) => imei)).toEqual([
      '100000000000001',
      '100000000000002',
      '100000000000003',
    ]);
    expect(second.next_cursor).toBeNull();
  });

  it('ends a page before maxModules is exceeded, with at least one gateway', async ({ farm }) => {
    for (const [index, carried] of [3, 1, 2].entries()) {
      const id = await addGateway(farm, { imei: String(10 ** 14 + index) });
      for (let each = 0; each < carried; each += 1)
        await plug(farm, id, { uid: `${index}-${each}`, name: `On ${index}, ${each}` });
    }
    const page = async (maxModules: number, cursor?: string | null) => {
      const { data, next_cursor } = await farm.wire<Page>('list_gateways', {
        maxModules,
        cursor: cursor ?? undefined,
      });
      return { carried: data.map(({ modules }) => modules.length), next_cursor };
    };
    const first = await page(2);
    expect(first.carried).toEqual([3]);
    expect(await page(3, first.next_cursor)).toEqual({ carried: [1, 2], next_cursor: null });
    expect((await page(4)).carried).toEqual([3, 1]);
  });
});

describe('status of a gateway', () => {
  it.for([
    ['faulty', 'nothing was transmitted so far', null],
    ['active', 'it transmitted just now', FARM_NOW],
    ['active', 'it is silent for 25 hours', FARM_NOW - 25 * HOUR],
    ['faulty', 'it is silent for more than 25 hours', FARM_NOW - 25 * HOUR - 1],
    ['active', 'its clock is ahead', FARM_NOW + MINUTE],
  ] as const)(
    'is %s when %s, in the list as in the health of its modules',
    async ([status, _, lastSeen], { farm }) => {
      await plug(farm, await addGateway(farm, { last_seen_at: lastSeen }));
      const time = lastSeen === null ? null : iso(lastSeen);
      expect(await onlyGateway(farm)).toMatchObject({ status, lastSeen: time });
      expect(await health(farm, 'Plugged')).toMatchObject({ status, time });
    },
  );
});

describe('GET module health', () => {
  it('answers every field, and false for charging, which gateways do not supply', async ({
    farm,
  }) => {
    const id = await addGateway(farm, {
      last_seen_at: FARM_NOW - 30 * MINUTE,
      battery_mv: 3700,
      level: 4,
    });
    await plug(farm, id);
    expect(await health(farm, 'Plugged')).toEqual({
      time: iso(FARM_NOW - 30 * MINUTE),
      id,
      imei: IMEI,
      status: 'active',
      // 3,700 mV is 40 % by the table of the battery.
      soc: 40,
      charging: false,
      level: 4,
    });
  });

  const earlierRain = { time: iso(FARM_NOW - 2 * HOUR), mm: 2, minutes: 15 };
  const at = { time: iso(FARM_NOW - HOUR) };
  it.for<[string, Record<'rain' | 'weather', Readonly<Record<string, unknown>>[]>]>([
    ['rain', { rain: [earlierRain, { ...at, mm: 1, minutes: 15 }], weather: [] }],
    ['rain of an unknown time', { rain: [earlierRain, { ...at, mm: 1 }], weather: [] }],
    ['total of a day', { rain: [earlierRain, { ...at, mm: 3, isDayTotal: true }], weather: [] }],
    ['wind', { rain: [earlierRain], weather: [{ ...at, type: 'wind', value: 2 }] }],
  ])('names the newest %s of a station without a gateway', async ([, sent], { farm }) => {
    const ofMast = (items: readonly object[]) => items.map((item) => ({ module: 'Mast', ...item }));
    await farm.wire('ingest', { rain: ofMast(sent.rain), weather: ofMast(sent.weather) });
    const answer = await farm.tool('get_module_health', { module: 'Mast' });
    expect(advisoriesOf(answer, 'last_reading')).toMatchObject([{ at: FARM_NOW - HOUR }]);
  });

  it('is null for a module without a gateway', async ({ farm }) => {
    const answer = await farm.tool('get_module_health', { module: 'North 1' });
    expect(answer).toMatchObject({ health: null });
    expect(advisoriesOf(answer, 'last_reading')).toMatchObject([{ at: null }]);
  });

  it('is the body over the wire, and named in a tool', async ({ farm }) => {
    const id = await plug(farm, await addGateway(farm));
    const bare = bodyOf(await farm.wire('get_module_health', { moduleId: id }));
    expect(bare).toEqual(await health(farm, 'Plugged'));
  });
});

it('names the newest reading of a probe without a gateway', async ({ farm }) => {
  const oak = await installProbe(farm);
  await oak.record(0, [[FARM_NOW - 3 * DAY, 25]]);
  const answer = await farm.tool('get_module_health', { module: 'Oak' });
  expect(advisoriesOf(answer, 'last_reading')).toMatchObject([{ at: FARM_NOW - 3 * DAY }]);
});

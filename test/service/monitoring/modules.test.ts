import { describe, expect } from 'vitest';
import {
  MEASUREMENT_TYPES,
  type MeasurementType,
} from '../../../src/domain/moisture/measurement.ts';
import {
  CATEGORIES,
  LOCATION_SOURCES,
  type ModuleBody,
} from '../../../src/schema/company/company.ts';
import { insertFarmRow, type NewFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { advisoriesOf, bareModule, bodyOf, it, type TestFarm, withFarm } from '../../farm.ts';

interface Page {
  readonly data: ModuleBody[];
  readonly next_cursor: string | null;
}

const list = (farm: TestFarm, args = {}) => farm.tool<Page>('list_modules', args);
const names = ({ data }: Page) => data.map(({ name }) => name);

const add = (farm: TestFarm, row: Partial<NewFarmRow<'modules'>> & { uid: string }) =>
  farm.write((db) => insertFarmRow(db, 'modules', bareModule(row)));
const get = (farm: TestFarm, id: number, more = {}) =>
  farm.tool<ModuleBody>('get_module', { module: `#${id}`, ...more });

const addDeep = (farm: TestFarm, row: Partial<NewFarmRow<'modules'>> = {}) =>
  add(farm, { uid: 'A1', name: 'Deep', ...row });
const addSensor = (
  farm: TestFarm,
  module_id: number,
  type: MeasurementType,
  depth: number | null,
  label: string | null = null,
) => farm.write((db) => insertFarmRow(db, 'sensors', { module_id, type, depth, label }));
const getDeep = (farm: TestFarm) => farm.tool<ModuleBody>('get_module', { module: 'Deep' });

const addGateway = (
  farm: TestFarm,
  imei: string,
  seen: { lat: number | null; lon: number | null } = { lat: null, lon: null },
) =>
  farm.write((db) =>
    insertFarmRow(db, 'gateways', {
      imei,
      serial_hex: null,
      firmware: null,
      assigned_at: 0,
      last_seen_at: null,
      battery_mv: null,
      level: null,
      ...seen,
    }),
  );

describe('GET module', () => {
  it('answers the module with its sensors by depth, its parcel and its gateway', async ({
    farm,
  }) => {
    const gatewayId = await addGateway(farm, '356938035643809');
    const id = await add(farm, {
      uid: 'A1',
      name: 'Deep',
      serial_hex: '0a0b',
      gateway_id: gatewayId,
      parcel_id: farm.idOf('Fallow'),
    });
    const [shallow, deep] = await farm.write(async (db) => {
      const below = await insertFarmRow(db, 'sensors', {
        module_id: id,
        type: 'humidity',
        depth: 30,
        label: null,
      });
      const above = await insertFarmRow(db, 'sensors', {
        module_id: id,
        type: 'temperature',
        depth: 10,
        label: 'Top',
      });
      return [above, below];
    });
    expect(bodyOf(await get(farm, id))).toEqual({
      id,
      uid: 'A1',
      name: 'Deep',
      serialHex: '0a0b',
      category: 'SOIL_PROBE',
      location: null,
      parcelId: farm.idOf('Fallow'),
      sensors: [
        { id: shallow, type: 'temperature', depth: 10, label: 'Top' },
        { id: deep, type: 'humidity', depth: 30, label: 'Moisture 30 cm' },
      ],
      gateway: { id: gatewayId, imei: '356938035643809' },
    });
  });

  it.for([
    ['en', 'Soil probe 12', 'Moisture 10 cm'],
    ['fr', 'Sonde 12', 'Humidité 10 cm'],
    ['es', 'Sonda 12', 'Humedad 10 cm'],
  ] as const)(
    'gives default names and labels in %s: %s, %s',
    async ([lang, name, label], { farm }) => {
      const id = await add(farm, { uid: 'A1', number: 12 });
      await farm.write((db) =>
        insertFarmRow(db, 'sensors', { module_id: id, type: 'humidity', depth: 10, label: null }),
      );
      expect(await get(farm, id, { lang })).toMatchObject({
        name,
        category: 'SOIL_PROBE',
        sensors: [{ type: 'humidity', label }],
      });
    },
  );

  it('uses the server’s language by default', async ({ farm }) => {
    const id = await add(farm, { uid: 'A1', number: 12 });
    expect(await farm.tool('get_module', { module: `#${id}` }, { lang: 'fr' })).toMatchObject({
      name: 'Sonde 12',
    });
  });

  it('has no name with neither name nor number', async ({ farm }) => {
    const id = await add(farm, { uid: 'A1', category: 'TENSIOMETER' });
    expect((await get(farm, id)).name).toBeNull();
  });

  it('refuses an unknown language: invalid_parameter', async ({ farm }) => {
    await expect(
      farm.wire('get_module', { moduleId: farm.idOf('North 1'), lang: 'de' }),
    ).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'lang',
    });
  });
});

describe('fields of a module', () => {
  it.each([...CATEGORIES, null])('category is %s', (category) =>
    withFarm(async (farm) => {
      await addDeep(farm, { category });
      expect((await getDeep(farm)).category).toBe(category);
    }),
  );

  it('are null if unknown: serial, category, position, parcel and gateway', async ({ farm }) => {
    await addDeep(farm, { category: null });
    expect(await getDeep(farm)).toMatchObject({
      serialHex: null,
      category: null,
      location: null,
      parcelId: null,
      gateway: null,
      sensors: [],
    });
  });

  it('include two sensors per depth, moisture and temperature', async ({ farm }) => {
    const id = await addDeep(farm);
    for (const depth of [10, 30])
      for (const type of ['humidity', 'temperature'] as const)
        await addSensor(farm, id, type, depth);
    expect((await getDeep(farm)).sensors.map(({ type, depth }) => [type, depth])).toEqual([
      ['humidity', 10],
      ['temperature', 10],
      ['humidity', 30],
      ['temperature', 30],
    ]);
  });

  it.each(MEASUREMENT_TYPES)('include a sensor of type %s', (type) =>
    withFarm(async (farm) => {
      await addSensor(farm, await addDeep(farm), type, 0, 'Mine');
      expect((await getDeep(farm)).sensors).toMatchObject([{ type, depth: 0, label: 'Mine' }]);
    }),
  );

  it('include a sensor without a depth', async ({ farm }) => {
    await addSensor(farm, await addDeep(farm), 'temperature', null);
    expect((await getDeep(farm)).sensors).toMatchObject([
      { type: 'temperature', depth: null, label: 'Temperature' },
    ]);
  });

  it.each(LOCATION_SOURCES)('include a position of source %s', (source) =>
    withFarm(async (farm) => {
      await addDeep(farm, { lat: 43.6, lon: 3.9, location_source: source });
      expect((await getDeep(farm)).location).toMatchObject({ lat: 43.6, lon: 3.9, source });
    }),
  );

  it('include a position of unknown source as one that a person entered', async ({ farm }) => {
    await addDeep(farm, { lat: 43.6, lon: 3.9, location_source: null });
    expect((await getDeep(farm)).location).toMatchObject({ lat: 43.6, source: 'manual' });
  });

  it.for([
    { lat: null, lon: 3.9 },
    { lat: 43.6, lon: null },
  ])('include no position of one coordinate: %o', async (coordinates, { farm }) => {
    await addDeep(farm, { ...coordinates, location_source: 'manual' });
    expect((await getDeep(farm)).location).toBeNull();
  });

  it.for([
    ['SOIL_PROBE', 'Soil probe 7', 'Sonde 7'],
    ['WEATHER_STATION', 'Weather station 7', 'Station météo 7'],
  ] as const)(
    'name a %s without a name of its own by its number: %s, %s',
    async ([category, en, fr], { farm }) => {
      const id = await addDeep(farm, { name: null, number: 7, category });
      for (const [lang, name] of [
        ['en', en],
        ['fr', fr],
      ])
        expect((await farm.wire<ModuleBody>('get_module', { moduleId: id, lang })).name).toBe(name);
    },
  );

  it('keep the customer’s name in every language', async ({ farm }) => {
    const id = await addDeep(farm, { number: 7 });
    expect(await farm.wire('get_module', { moduleId: id, lang: 'fr' })).toMatchObject({
      name: 'Deep',
    });
  });
});

describe('position of a module', () => {
  /**
   * A module declared at 43.6 N, 3.9 E under one gateway, and now under another, the same, or none.
   */
  async function placed(
    farm: TestFarm,
    under: 'same' | 'other' | 'none',
    seen?: { lat: number; lon: number },
  ) {
    const declared = await addGateway(farm, '356938035643809', seen);
    const other = await addGateway(farm, '356938035643810');
    const id = await add(farm, {
      uid: 'A1',
      name: 'P',
      lat: 43.6,
      lon: 3.9,
      location_source: 'manual',
      location_gateway_id: declared,
      gateway_id: { same: declared, other, none: null }[under],
    });
    return (await get(farm, id)).location;
  }

  it('is as declared while the gateway stays the same', async ({ farm }) => {
    expect(await placed(farm, 'same')).toEqual({
      lat: 43.6,
      lon: 3.9,
      source: 'manual',
      stale: false,
      driftMeters: null,
    });
  });

  it.each(['other', 'none'] as const)(
    'is stale if the gateway is %s than at declaration',
    (under) =>
      withFarm(async (farm) => {
        expect((await placed(farm, under))?.stale).toBe(true);
      }),
  );

  it('drifts by the distance to where the gateway was last seen: 0.01 degree of latitude is 1,112 m', async ({
    farm,
  }) => {
    expect((await placed(farm, 'same', { lat: 43.61, lon: 3.9 }))?.driftMeters).toBe(1112);
  });
});

describe('list of modules', () => {
  it('has the company’s modules by id', async ({ farm }) => {
    const page = await list(farm);
    expect(names(page)).toEqual(['North 1', 'North 2', 'North 3', 'South 1', 'Mast', 'Loose']);
    expect(page.next_cursor).toBeNull();
  });

  it('includes modules that were never commissioned', async ({ farm }) => {
    await add(farm, { uid: 'A1', name: 'Boxed', commissioned_at: null });
    expect(names(await list(farm))).toContain('Boxed');
  });

  it.for([
    ['parcel', { parcel: 'South block' }, ['South 1', 'Mast']],
    ['category', { category: 'WEATHER_STATION' }, ['Mast']],
    ['part of a name, whatever its case', { search: 'NORTH' }, ['North 1', 'North 2', 'North 3']],
    [
      'parcel and category together',
      { parcel: 'South block', category: 'SOIL_PROBE' },
      ['South 1'],
    ],
    ['what nothing matches', { search: 'east' }, []],
  ] as const)('can be filtered by %s', async ([_, args, expected], { farm }) => {
    expect(names(await list(farm, args))).toEqual(expected);
  });

  it.for([
    ['uid', 'ff-17'],
    ['serial number', '0c0d'],
    ['default name', 'sonde 12'],
    ['name without its accents', 'sonde'],
  ] as const)('searches the %s: %s', async ([_, search], { farm }) => {
    const id = await add(farm, { uid: 'FF-17', number: 12, serial_hex: '0A0B0C0D' });
    expect((await list(farm, { search, lang: 'fr' })).data.map((each) => each.id)).toEqual([id]);
  });

  it('continues from page to page, and counts them all', async ({ farm }) => {
    const first = await list(farm, { limit: 4 });
    expect(advisoriesOf(first, 'total')).toMatchObject([{ count: 6 }]);
    await add(farm, { uid: 'A1', name: 'Newcomer' });
    const second = await list(farm, { limit: 4, cursor: first.next_cursor });
    expect([...names(first), ...names(second)]).toEqual([
      'North 1',
      'North 2',
      'North 3',
      'South 1',
      'Mast',
      'Loose',
      'Newcomer',
    ]);
  });

  it('continues within a search', async ({ farm }) => {
    const first = await list(farm, { search: 'north', limit: 2 });
    const second = await list(farm, { search: 'north', limit: 2, cursor: first.next_cursor });
    expect([names(first), names(second), second.next_cursor]).toEqual([
      ['North 1', 'North 2'],
      ['North 3'],
      null,
    ]);
  });

  it('refuses a category that does not exist: invalid_parameter', async ({ farm }) => {
    await expect(list(farm, { category: 'PROBE' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'category',
    });
  });
});

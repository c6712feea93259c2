import { describe, expect } from 'vitest';
import { MEASUREMENT_TYPES } from '../../../src/domain/moisture/series.ts';
import { CATEGORIES, LOCATION_SOURCES, type ModuleBody } from '../../../src/schema/company.ts';
import { insertFarmRow, type NewFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { bareModule, it, type TestFarm, withFarm } from '../../farm.ts';

const add = (farm: TestFarm, row: Partial<NewFarmRow<'modules'>> = {}) =>
  farm.write((db) => insertFarmRow(db, 'modules', bareModule({ uid: 'A1', name: 'Deep', ...row })));
const addSensor = (
  farm: TestFarm,
  module_id: number,
  type: string,
  depth: number | null,
  label: string | null = null,
) => farm.write((db) => insertFarmRow(db, 'sensors', { module_id, type, depth, label }));
const get = async (farm: TestFarm, module = 'Deep') => farm.tool<ModuleBody>('get_module', { module });

describe('fields of a module', () => {
  it.each([...CATEGORIES, null])('category is %s', (category) =>
    withFarm(async (farm) => {
      await add(farm, { category });
      expect((await get(farm)).category).toBe(category);
    }),
  );

  it('are null if unknown: serial, category, position, parcel and gateway', async ({ farm }) => {
    await add(farm, { category: null });
    expect(await get(farm)).toMatchObject({
      serialHex: null,
      category: null,
      location: null,
      parcelId: null,
      gateway: null,
      sensors: [],
    });
  });

  it('include two sensors per depth, moisture and temperature', async ({ farm }) => {
    const id = await add(farm);
    for (const depth of [10, 30])
      for (const type of ['humidity', 'temperature']) await addSensor(farm, id, type, depth);
    expect((await get(farm)).sensors.map(({ type, depth }) => [type, depth])).toEqual([
      ['humidity', 10],
      ['temperature', 10],
      ['humidity', 30],
      ['temperature', 30],
    ]);
  });

  it.each(MEASUREMENT_TYPES)('include a sensor of type %s', (type) =>
    withFarm(async (farm) => {
      await addSensor(farm, await add(farm), type, 0, 'Mine');
      expect((await get(farm)).sensors).toMatchObject([{ type, depth: 0, label: 'Mine' }]);
    }),
  );

  it('include a sensor without a depth', async ({ farm }) => {
    await addSensor(farm, await add(farm), 'temperature', null);
    expect((await get(farm)).sensors).toMatchObject([{ type: 'temperature', depth: null, label: 'Temperature' }]);
  });

  it.each(LOCATION_SOURCES)('include a position of source %s', (source) =>
    withFarm(async (farm) => {
      await add(farm, { lat: 43.6, lon: 3.9, location_source: source });
      expect((await get(farm)).location).toMatchObject({ lat: 43.6, lon: 3.9, source });
    }),
  );

  it.for([
    ['SOIL_PROBE', 'Soil probe 7', 'Sonde 7'],
    ['WEATHER_STATION', 'Weather station 7', 'Station météo 7'],
  ] as const)('name a %s without a name of its own by its number: %s, %s', async ([category, en, fr], { farm }) => {
    const id = await add(farm, { name: null, number: 7, category });
    for (const [lang, name] of [
      ['en', en],
      ['fr', fr],
    ])
      expect((await farm.wire<ModuleBody>('get_module', { moduleId: id, lang })).name).toBe(name);
  });

  it('keep the customer’s name in every language', async ({ farm }) => {
    const id = await add(farm, { number: 7 });
    expect(await farm.wire('get_module', { moduleId: id, lang: 'fr' })).toMatchObject({ name: 'Deep' });
  });
});

describe('GET module', () => {
  it('refuses an unknown language: invalid_parameter', async ({ farm }) => {
    await expect(farm.wire('get_module', { moduleId: farm.idOf('North 1'), lang: 'de' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'lang',
    });
  });
});

import { describe, expect } from 'vitest';
import { hasMoved } from '../../../src/service/farm/module-checks.ts';
import { FARM_NOW, it, type TestFarm } from '../../farm.ts';
import { installProbe } from '../moisture/probe-farm.ts';

const setOak = (farm: TestFarm, fields: object) =>
  farm.tool('set_module', { name: 'Oak', ...fields });

describe('the category of a module', () => {
  it('is refused to change between soil and air where readings or an alert need it', async ({
    farm,
  }) => {
    const oak = await installProbe(farm);
    const toStation = () => setOak(farm, { category: 'WEATHER_STATION' });

    await farm.tool('create_alert', { module: 'Oak', threshold: 20 });
    await expect(toStation()).rejects.toMatchObject({
      field: 'category',
      message: expect.stringContaining('the alert below 20 %'),
    });

    await oak.record(1, [[FARM_NOW, 25]]);
    await expect(toStation()).rejects.toMatchObject({
      message: expect.stringContaining('readings of moisture at 20 cm, the alert below 20 %'),
    });
    await setOak(farm, { category: 'TENSIOMETER' });
  });

  it('is refused in a farm file too', async ({ farm }) => {
    const oak = await installProbe(farm);
    await oak.record(0, [[FARM_NOW, 25]]);
    const module = { uid: 'Oak', category: 'WEATHER_STATION' };
    await expect(
      farm.importFile({ company: { name: 'Mas Rouge' }, modules: [module] }),
    ).rejects.toThrow(/readings of moisture at 10 cm/);
  });

  it('changes while nothing needs it', async ({ farm }) => {
    await installProbe(farm);
    await setOak(farm, { category: 'WEATHER_STATION' });
  });
});

describe('the position of a module', () => {
  it('is not 0 and 0', async ({ farm }) => {
    await installProbe(farm);
    const refused = { code: 'invalid_body', field: 'latitude' };
    await expect(setOak(farm, { latitude: 0, longitude: 0 })).rejects.toMatchObject(refused);
    const location = { lat: 0, lon: 0, source: 'manual' };
    await expect(
      farm.importFile({ company: { name: 'Mas Rouge' }, modules: [{ uid: 'Oak', location }] }),
    ).rejects.toThrow(/no position/);
  });

  it.for([
    ['swapped', 3.9, 43.6],
    ['with a sign too many', -43.6, 3.9],
  ] as const)(
    'is asked about where it is far from the others: %s',
    async ([_, lat, lon], { farm }) => {
      await installProbe(farm);
      await farm.tool('set_module', { name: 'North 1', latitude: 43.6, longitude: 3.9 });
      await expect(setOak(farm, { latitude: lat, longitude: lon })).rejects.toMatchObject({
        field: 'latitude',
        message: expect.stringMatching(/\d{4} km from the nearest/),
        hint: expect.stringContaining('swapped'),
      });
      await setOak(farm, { latitude: 43.7, longitude: 4 });
    },
  );

  it('may lie on both sides of 180 degrees', async ({ farm }) => {
    await installProbe(farm);
    await farm.tool('set_module', { name: 'North 1', latitude: -17, longitude: 179.9 });
    await setOak(farm, { latitude: -17, longitude: -179.9 });
  });
});

it.each([
  ['another parcel', { parcelId: 2 }, true],
  ['no parcel', { parcelId: null }, true],
  ['the same parcel', { parcelId: 1 }, false],
  ['220 m to the north', { position: { lat: 43.602, lon: 3.9, source: 'manual' as const } }, true],
  ['22 m to the north', { position: { lat: 43.6002, lon: 3.9, source: 'manual' as const } }, false],
  ['no position', { position: null }, false],
])('a probe at %s has moved: %s', (_, entry, isMoved) => {
  const row = { parcel_id: 1, lat: 43.6, lon: 3.9 };
  expect(hasMoved(row, { parcelId: undefined, position: undefined, ...entry })).toBe(isMoved);
});

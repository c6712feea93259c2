import { describe, expect } from 'vitest';
import type { WeatherDayBody } from '../../../src/schema/weather.ts';
import { importWeather, isWeatherHeader } from '../../../src/service/weather/weather-csv.ts';
import { FARM_NOW, it, type TestFarm, withFarm } from '../../farm.ts';

const CONTEXT = { now: FARM_NOW, zone: 'Europe/Paris' };
const read = (farm: TestFarm, query: object = {}) =>
  farm.wire<{ latitude: number | null; data: WeatherDayBody[] }>('get_weather', { ...query });
const importText = (farm: TestFarm, text: string, more: object = {}) =>
  farm.write((db) => importWeather(db, text, { ...CONTEXT, ...more }));

/** FAO-56, example 18: Brussels, 6 July, 100 m; moved to a day that is past. */
const BRUSSELS = {
  ...{ temperatureMin: 12.3, temperatureMax: 21.5, humidityMin: 63, humidityMax: 84 },
  ...{ windMs: 2.078, radiationMj: 22.07 },
};

describe('the weather of a day', () => {
  it('gives reference evapotranspiration at the position of the farm, with its method', async ({ farm }) => {
    await farm.write((db) => db.updateTable('modules').set({ lat: 50.8, lon: 4.35 }).execute());
    await farm.wire('set_weather', {
      days: [
        { day: '2025-07-06', ...BRUSSELS },
        { day: '2025-07-07', ...BRUSSELS, windMs: null },
        { day: '2025-07-08', temperatureMax: 21.5 },
      ],
    });
    const { latitude, data } = await read(farm, { from: '2025-07-06', to: '2025-07-08', elevationM: 100 });
    expect(latitude).toBeCloseTo(50.8, 6);
    expect(data).toMatchObject([
      { day: '2025-07-06', et0Mm: 3.88, method: 'penman_monteith', missing: [] },
      { day: '2025-07-07', method: 'hargreaves', missing: ['wind'] },
      { day: '2025-07-08', et0Mm: null, method: null, missing: ['temperature', 'humidity', 'wind', 'radiation'] },
    ]);
  });

  it('has no evapotranspiration where nothing of the farm has a position', async ({ farm }) => {
    await farm.wire('set_weather', { days: [{ day: '2026-06-28', ...BRUSSELS }] });
    expect(await read(farm)).toMatchObject({ latitude: null, data: [{ et0Mm: null, method: null }] });
  });

  it('keeps what a later write leaves out, changes nothing when repeated, and is undone', async ({ farm }) => {
    await farm.wire('set_weather', { days: [{ day: '2026-06-28', temperatureMin: 12, temperatureMax: 30 }] });
    const more = { days: [{ day: '2026-06-28', windMs: 2 }] };
    expect(await farm.wire('set_weather', more)).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await farm.wire('set_weather', more)).toMatchObject({ changed: 0, unchanged: 1 });
    expect((await read(farm)).data).toMatchObject([{ temperatureMin: 12, temperatureMax: 30, windMs: 2 }]);
    await farm.tool('undo', { changeId: '2' });
    expect((await read(farm)).data).toMatchObject([{ windMs: null }]);
  });

  it.each([
    [{ day: '2026-06-28', temperatureMin: 30, temperatureMax: 12 }, /lowest temperature is above/],
    [{ day: '2026-06-31', temperatureMin: 3 }, /does not exist/],
    [{ day: '2026-07-02', temperatureMin: 3 }, /still to come/],
  ])('refuses %j', (day, reason) =>
    withFarm((farm) => expect(farm.wire('set_weather', { days: [day] })).rejects.toThrow(reason)),
  );
});

describe('a file of days', () => {
  it('is known by its header', () => {
    for (const header of ['date,mm', 'Date;Pluie (mm)', 'fecha;lluvia', 'date,tmin,tmax,rhmin,rhmax,u2,srad,rain'])
      expect(isWeatherHeader(header), header).toBe(true);
    for (const header of [
      'time,humidity_10',
      'date',
      'date,soil moisture 10cm (%),rain',
      'module,type,depth,time,value',
    ])
      expect(isWeatherHeader(header), header).toBe(false);
  });

  it('stores rain as totals of days, once however often it is imported', async ({ farm }) => {
    const text = 'date,mm\n2026-06-27,12.5\n2026-06-28,0\n2026-06-29,501\nsoon,3\n2026-06-30,4\n';
    const first = await importText(farm, text);
    expect(first).toMatchObject({ days: 3, rain: { added: 2, changed: 0, unchanged: 0 } });
    expect(first.rejected).toEqual([
      { line: 4, reason: 'mm "501" is not a possible value' },
      { line: 5, reason: expect.stringContaining('its date cannot be read') },
    ]);
    const again = await importText(farm, 'Date;Pluie (mm)\n27/06/2026;12,5\n30/06/2026;6\n');
    expect(again.rain).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const { totals, data } = await farm.tool<{ totals: object[]; data: { source: string }[] }>('list_rain');
    expect(totals).toEqual([{ parcelId: null, mm: 18.5, days: 2 }]);
    expect(new Set(data.map(({ source }) => source))).toEqual(new Set(['import']));
  });

  it('asks for the order of day and month where both are possible', async ({ farm }) => {
    const text = 'date,mm\n05/06/2026,3\n';
    expect((await importText(farm, text)).rejected).toHaveLength(1);
    expect((await importText(farm, text, { dates: 'dmy' })).rain.added).toBe(1);
    expect((await farm.tool<{ data: { day: string }[] }>('list_rain')).data[0]!.day).toBe('2026-06-05');
  });

  it('stores the weather beside the rain', async ({ farm }) => {
    const report = await importText(farm, 'date,tmin,tmax,rain\n2026-06-29,12.1,30.4,2\n2026-06-30,,31,NaN\n');
    expect(report).toMatchObject({ days: 2, rain: { added: 1 }, weather: { added: 2 } });
    expect((await read(farm)).data).toMatchObject([
      { day: '2026-06-29', temperatureMin: 12.1, temperatureMax: 30.4, rainMm: 2 },
      { day: '2026-06-30', temperatureMin: null, temperatureMax: 31, rainMm: null },
    ]);
  });
});

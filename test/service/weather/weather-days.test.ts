import { describe, expect } from 'vitest';
import { civilAt } from '../../../src/domain/time-zone.ts';
import type { WeatherPageBody } from '../../../src/schema/weather/weather-days.ts';
import { findWeatherHeader } from '../../../src/service/ingest/weather/weather-columns.ts';
import { importWeather } from '../../../src/service/ingest/weather/weather-import.ts';
import { saveStationReadings } from '../../../src/store/weather/station-readings.ts';
import { FARM_NOW, HOUR, it, type TestFarm, withFarm } from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';

/** Midnight in Paris, 14 days before the day of the farm's clock. */
const STATION_FROM = Date.UTC(2026, 5, 16, 22);
const CONTEXT = { now: FARM_NOW, zone: 'Europe/Paris' };
const read = (farm: TestFarm, query: object = {}) =>
  farm.wire<WeatherPageBody>('get_weather', { ...query });
const importText = (farm: TestFarm, text: string, more: object = {}) =>
  farm.write((db) => importWeather(db, [text], { ...CONTEXT, ...more }));

/** FAO-56, example 18: Brussels, 6 July, 100 m; moved to a day that is past. */
const BRUSSELS = {
  temperatureMin: 12.3,
  temperatureMax: 21.5,
  humidityMin: 63,
  humidityMax: 84,
  windMs: 2.078,
  radiationMj: 22.07,
};

describe('the weather of a day', () => {
  it('gives reference evapotranspiration at the position of the farm, with its method', async ({
    farm,
  }) => {
    await farm.write((db) => db.updateTable('modules').set({ lat: 50.8, lon: 4.35 }).execute());
    await farm.wire('set_weather', {
      days: [
        { day: '2025-07-06', ...BRUSSELS },
        { day: '2025-07-07', ...BRUSSELS, windMs: null },
        { day: '2025-07-08', temperatureMax: 21.5 },
      ],
    });
    const { latitude, data } = await read(farm, {
      from: '2025-07-06',
      to: '2025-07-08',
      elevationM: 100,
    });
    expect(latitude).toBeCloseTo(50.8, 6);
    expect(data).toMatchObject([
      { day: '2025-07-06', et0Mm: 3.88, method: 'penman_monteith', missing: [] },
      { day: '2025-07-07', method: 'hargreaves', missing: ['wind'] },
      {
        day: '2025-07-08',
        et0Mm: null,
        method: null,
        missing: ['temperature', 'humidity', 'wind', 'radiation'],
      },
    ]);
  });

  it('has no evapotranspiration where nothing of the farm has a position', async ({ farm }) => {
    await farm.wire('set_weather', { days: [{ day: '2026-06-28', ...BRUSSELS }] });
    expect(await read(farm)).toMatchObject({
      latitude: null,
      data: [{ et0Mm: null, method: null }],
    });
  });

  it('keeps what a later write leaves out, changes nothing when repeated, and is undone', async ({
    farm,
  }) => {
    await farm.wire('set_weather', {
      days: [{ day: '2026-06-28', temperatureMin: 12, temperatureMax: 30 }],
    });
    const more = { days: [{ day: '2026-06-28', windMs: 2 }] };
    expect(await farm.wire('set_weather', more)).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await farm.wire('set_weather', more)).toMatchObject({ changed: 0, unchanged: 1 });
    expect((await read(farm)).data).toMatchObject([
      { temperatureMin: 12, temperatureMax: 30, windMs: 2 },
    ]);
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

describe('the weather of a station', () => {
  const FROM = '2026-06-17';
  const hoursOf = (valueAt: (hour: number) => number, until = FARM_NOW) =>
    Array.from({ length: Math.floor((until - STATION_FROM) / HOUR) }, (_, index) => {
      const hour = civilAt(STATION_FROM + index * HOUR, 'Europe/Paris').hour;
      return { at: STATION_FROM + index * HOUR, value: valueAt(hour) };
    });
  /** Coldest at 3, warmest at 15 local time. */
  const wave = (least: number, most: number) => (hour: number) =>
    (least + most) / 2 - ((most - least) / 2) * Math.cos(((hour - 3) / 24) * 2 * Math.PI);

  async function withMast(
    farm: TestFarm,
    more: { wind?: boolean; until?: number } = {},
  ): Promise<void> {
    await farm.write(async (db) => {
      const { id: mast } = await db
        .selectFrom('modules')
        .select('id')
        .where('name', '=', 'Mast')
        .executeTakeFirstOrThrow();
      await db.updateTable('modules').set({ lat: 43.6, lon: 3.9 }).where('id', '=', mast).execute();
      for (const [type, value] of [
        ['temperature', wave(15, 31)],
        ['humidity', wave(85, 35)],
      ] as const) {
        const { id } = await db
          .insertInto('sensors')
          .values({ module_id: mast, type, depth: null, label: null })
          .returning('id')
          .executeTakeFirstOrThrow();
        await recordRows(
          db,
          hoursOf(value, more.until).map(({ at, value: measured }) => [id, at, measured]),
        );
      }
      if (!more.wind) return;
      const station = hoursOf((hour) => (hour > 6 && hour < 21 ? 3 : 1)).map((each) => ({
        module_id: mast,
        type: 'wind' as const,
        ...each,
      }));
      const sun = hoursOf((hour) => (hour > 5 && hour < 20 ? 520 : 0)).map((each) => ({
        module_id: mast,
        type: 'radiation' as const,
        ...each,
      }));
      await saveStationReadings(db, [...station, ...sun]);
    });
  }

  it('is that of its readings by local day, and by Hargreaves without wind and radiation', async ({
    farm,
  }) => {
    await withMast(farm);
    const { data, pace } = await read(farm);
    // Today has only twelve hours.
    expect(data.map(({ day }) => day)).toEqual(
      Array.from({ length: 13 }, (_, index) => `2026-06-${18 + index}`),
    );
    expect(data[0]).toMatchObject({
      temperatureMin: 15,
      temperatureMax: 31,
      humidityMin: 35,
      humidityMax: 85,
      windMs: null,
      radiationMj: null,
      method: 'hargreaves',
      missing: ['wind', 'radiation'],
    });
    expect(pace).toMatchObject({
      basis: 'recent',
      percent: 100,
      method: 'hargreaves',
      missing: ['wind', 'radiation'],
    });
  });

  it('is by Penman-Monteith with wind and radiation', async ({ farm }) => {
    await withMast(farm, { wind: true });
    const { data } = await read(farm, { from: FROM, to: FROM });
    // 14 h of 520 W/m2 are 26.2 MJ/m2; 14 h of 3 m/s and 10 h of 1 m/s are 2.17 m/s.
    expect(data[0]).toMatchObject({
      radiationMj: 26.21,
      windMs: 2.17,
      method: 'penman_monteith',
      missing: [],
    });
    expect(data[0]!.et0Mm).toBeGreaterThan(5);
    expect(data[0]!.et0Mm).toBeLessThan(7);
  });

  it('yields to values that a person entered', async ({ farm }) => {
    await withMast(farm);
    await farm.wire('set_weather', {
      days: [{ day: '2026-06-20', temperatureMax: 35, windMs: 2 }],
    });
    const { data } = await read(farm, { from: '2026-06-20', to: '2026-06-20' });
    expect(data[0]).toMatchObject({
      temperatureMin: 15,
      temperatureMax: 35,
      windMs: 2,
      humidityMax: 85,
    });
  });

  it('is unknown on a day on which it was silent for long', async ({ farm }) => {
    await withMast(farm, { until: Date.UTC(2026, 5, 25, 8) });
    expect((await read(farm, { from: '2026-06-25', to: '2026-06-26' })).data).toEqual([]);
  });
});

describe('a file of days', () => {
  it('is recognized by its header', () => {
    for (const header of [
      'date,mm',
      'parcela,fecha,mm',
      'Date;Pluie (mm)',
      'fecha;lluvia',
      'date,tmin,tmax,rhmin,rhmax,u2,srad,rain',
      'date,rain [in],Tmin (°F),u2 (km/h),srad (MJ/m²)',
    ])
      expect(findWeatherHeader([header]), header).not.toBeNull();
    for (const header of [
      'time,humidity_10',
      'date',
      'date,parcel',
      'date,soil moisture 10cm (%),rain',
      'date,rain (gallons)',
      'module,type,depth,time,value',
    ])
      expect(findWeatherHeader([header]), header).toBeNull();
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
    const { totals, data } = await farm.tool<{ totals: object[]; data: { source: string }[] }>(
      'list_rain',
    );
    expect(totals).toEqual([{ parcelId: null, mm: 18.5, days: 2 }]);
    expect(new Set(data.map(({ source }) => source))).toEqual(new Set(['import']));
  });

  it('may be encoded and divided as any readings file, with empty rows', async ({ farm }) => {
    const text = '\ufeffDate\tPluie (mm)\r\n27/06/2026\t12,5\r\n\t\r\n"28/06/2026\t3\r\n';
    const bytes = Buffer.from(text, 'utf16le');
    expect(await farm.write((db) => importWeather(db, [bytes], CONTEXT))).toMatchObject({
      days: 1,
      rain: { added: 1 },
      rejected: [{ line: 4, reason: 'a quote is not closed' }],
    });
  });

  it('may have its header in German, below lines about the station', async ({ farm }) => {
    const text = 'Station Nord\n\nDatum;Niederschlag (mm)\n2026-06-29;12,7\n';
    await importText(farm, text);
    expect((await read(farm)).data).toMatchObject([{ day: '2026-06-29', rainMm: 12.7 }]);
  });

  it('is refused without a header', async ({ farm }) => {
    await expect(importText(farm, 'Station Nord\n2026-06-29;12,7\n')).rejects.toThrow(
      'no header of daily weather',
    );
  });

  it('converts the units of its header', async ({ farm }) => {
    await importText(
      farm,
      'date,rain (in),tmin (F),tmax (°F),u2 (km/h)\n2026-06-29,0.5,50,59,7.2\n',
    );
    expect((await read(farm)).data).toMatchObject([
      { day: '2026-06-29', rainMm: 12.7, temperatureMin: 10, temperatureMax: 15, windMs: 2 },
    ]);
  });

  const UNREADABLE = [
    ['hours', '2026-06-27 05:00,3', '2026-06-27T06:30:00,4', /time of day/, /time of day/],
    ['a day twice', '2026-06-27,3', '2026-06-27,4', null, /is on line 2 already/],
    [
      'decimal commas without quotes',
      '2026-06-27,1,5',
      '2026-06-28,12,5',
      /quote decimal commas/,
      /quote decimal commas/,
    ],
    [
      'other notations of numbers',
      '2026-06-27,0x10',
      '2026-06-28,12..5',
      /not a possible value/,
      /not a possible value/,
    ],
    [
      'text after a date',
      '2026-06-27x,3',
      '2026-06-28 rain,3',
      /its date cannot be read/,
      /its date cannot be read/,
    ],
  ] as const;
  for (const [what, first, second, ...reasons] of UNREADABLE)
    it(`rejects rows with ${what}`, async ({ farm }) => {
      const { rejected, days } = await importText(farm, `date,rain\n${first}\n${second}\n`);
      const expected = reasons.map((reason) =>
        reason === null ? undefined : expect.stringMatching(reason),
      );
      expect([2, 3].map((line) => rejected.find((row) => row.line === line)?.reason)).toEqual(
        expected,
      );
      expect(days).toBe(2 - rejected.length);
    });

  it('loses one value to one bad cell, and the rain of a day to no fault of its weather', async ({
    farm,
  }) => {
    const { days, rain, rejected } = await importText(
      farm,
      [
        'date,rain,tmin,tmax,rhmin,rhmax',
        '2026-06-27,3,10,25,40,101',
        '2026-06-28,4,-999,26,40,90',
        '2026-06-29,x,11,27,41,91',
        '2026-06-30,5,30,20,40,90',
      ].join('\n'),
    );
    expect({ days, rain: rain.added }).toEqual({ days: 4, rain: 3 });
    expect(rejected).toEqual([
      { line: 2, reason: 'rhmax "101" is not a possible value' },
      { line: 3, reason: 'tmin "-999" is not a possible value' },
      { line: 4, reason: 'rain "x" is not a possible value' },
      { line: 5, reason: 'its lowest temperature is above the highest' },
    ]);
    expect((await read(farm)).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ day: '2026-06-27', rainMm: 3, temperatureMin: 10 }),
        expect.objectContaining({ day: '2026-06-28', rainMm: 4, temperatureMax: 26 }),
        expect.objectContaining({ day: '2026-06-29', temperatureMin: 11, temperatureMax: 27 }),
      ]),
    );
  });

  it('leaves rain unchanged that a person corrected', async ({ farm }) => {
    const text = 'date,rain\n2026-06-27,5\n';
    await importText(farm, text);
    const { data } = await farm.tool<{ data: { id: number }[] }>('list_rain');
    await farm.tool('correct_rain', { rainId: data[0]!.id, mm: 0 });
    expect((await importText(farm, text)).rain).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect((await farm.tool<{ totals: object[] }>('list_rain')).totals).toEqual([]);
    await farm.tool('correct_rain', { rainId: data[0]!.id, when: '2026-06-26' });
    expect((await importText(farm, text)).rain).toEqual({ added: 0, changed: 0, unchanged: 1 });
  });

  it('takes a date that a spreadsheet writes with midnight', async ({ farm }) => {
    expect(
      await importText(farm, 'date,rain\n2026-06-27 00:00:00,3\n28/06/2026 0:00,4\n'),
    ).toMatchObject({ days: 2 });
  });

  it('stores rain of parcels by name, without case and accents, and of the whole farm where none is named', async ({
    farm,
  }) => {
    const text =
      'Date;Parcelle;Pluie (mm)\n2026-06-27;north BLOCK;12\n2026-06-27;;7\n2026-06-27;Blue block;9\n2026-06-28;Nowhere;3\n';
    expect(findWeatherHeader(text.split('\n'))).not.toBeNull();
    const first = await importText(farm, text);
    expect(first).toMatchObject({
      days: 2,
      rain: { added: 2 },
      otherRain: { replacedDays: 0, preferredDays: 0 },
    });
    expect(first.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'no parcel, or more than one, is called "Blue block"'],
      [5, 'no parcel, or more than one, is called "Nowhere"'],
    ]);
    expect(await importText(farm, text)).toMatchObject({
      rain: { added: 0, changed: 0, unchanged: 2 },
    });
    const parcelId = farm.idOf('North block');
    expect((await farm.tool<{ totals: object[] }>('list_rain')).totals).toEqual([
      { parcelId: null, mm: 7, days: 1 },
      { parcelId, mm: 12, days: 1 },
    ]);
    const mixed = await importText(
      farm,
      'date,parcel,tmin,tmax,mm\n2026-06-27,North block,12,30,4\n',
    );
    expect(mixed.rejected[0]!.reason).toContain('weather is that of the whole farm');
  });

  it('counts the days on which rain was also logged; the two amounts are not added up', async ({
    farm,
  }) => {
    await farm.tool('log_rain', { mm: 10, when: '2026-06-27' });
    const text = 'date,mm\n2026-06-27,12\n2026-06-28,3\n';
    expect(await importText(farm, text)).toMatchObject({
      rain: { added: 2 },
      otherRain: { replacedDays: 1, preferredDays: 0 },
    });
    await farm.tool('log_rain', { mm: 5, when: '2026-06-28' });
    expect(await importText(farm, text)).toMatchObject({
      rain: { unchanged: 2 },
      otherRain: { replacedDays: 1, preferredDays: 1 },
    });
    expect((await farm.tool<{ totals: object[] }>('list_rain')).totals).toEqual([
      { parcelId: null, mm: 17, days: 2 },
    ]);
  });

  it('asks for the order of day and month where both are possible', async ({ farm }) => {
    const text = 'date,mm\n05/06/2026,3\n';
    await expect(importText(farm, text)).rejects.toThrow('"05/06/2026" can be read in two ways');
    expect((await importText(farm, text, { dates: 'dmy' })).rain.added).toBe(1);
    expect((await farm.tool<{ data: { day: string }[] }>('list_rain')).data[0]!.day).toBe(
      '2026-06-05',
    );
    // Another day shows the order, as it does for readings.
    expect((await importText(farm, `${text}28.06.26,4\n`)).rain).toEqual({
      added: 1,
      changed: 0,
      unchanged: 1,
    });
  });

  it('has the reasons in the language of the person', async ({ farm }) => {
    const text = 'date,tmin,tmax\n2026-06-28,30,12\n2026-06-29 06:00,12,30\n2026-06-30,400,12\n';
    expect((await importText(farm, text, { lang: 'fr' })).rejected).toEqual([
      { line: 2, reason: 'la température minimale est au-dessus de la maximale' },
      { line: 3, reason: 'elle a une heure : donnez un seul total par jour' },
      { line: 4, reason: 'tmin « 400 » n’est pas une valeur possible' },
    ]);
  });

  it('stores the weather beside the rain', async ({ farm }) => {
    const report = await importText(
      farm,
      'date,tmin,tmax,rain\n2026-06-29,12.1,30.4,2\n2026-06-30,,31,NaN\n',
    );
    expect(report).toMatchObject({ days: 2, rain: { added: 1 }, weather: { added: 2 } });
    expect((await read(farm)).data).toMatchObject([
      { day: '2026-06-29', temperatureMin: 12.1, temperatureMax: 30.4, rainMm: 2 },
      { day: '2026-06-30', temperatureMin: null, temperatureMax: 31, rainMm: null },
    ]);
  });
});

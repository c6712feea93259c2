import { describe, expect, it } from 'vitest';
import { readCsv } from './csv-text.ts';

const JUNE_29 = '2026-06-29T06:15';

describe('a number in a CSV', () => {
  it.each([
    ['\u22125,5', -5.5],
    ['\u20135.5', -5.5],
    ['\u20125.5 °C', -5.5],
    ['\ufe635.5', -5.5],
  ])('may have the minus sign of %s', async (cell, value) => {
    const { readings, rejections } = await readCsv(
      `Time;Temperature 10 cm (°C)\n${JUNE_29};${cell}\n`,
    );
    expect({ readings, rejections }).toEqual({
      readings: [`temperature_10 ${JUNE_29} ${value}`],
      rejections: [],
    });
  });

  it.each([
    ['1.250,5', ';'],
    ['"1,250.5"', ','],
    ['1,250.5', ';'],
    ['1 250,5', ';'],
    ['1\u00a0250,5', ';'],
    ['1\u202f250.5', ','],
    ["1'250.5", ','],
  ])('may have thousands that cannot be decimals: %s', async (cell, delimiter) => {
    const { readings } = await readCsv(
      `Time${delimiter}Tension 20 cm (hPa)\n${JUNE_29}${delimiter}${cell}\n`,
    );
    expect(readings).toEqual([`tensio_20 ${JUNE_29} 125.05`]);
  });

  it.each(['1.25,5', '1.250.5', '1,250,5', '12 50,5', '1-250'])('is not %s', async (cell) => {
    const { rejections } = await readCsv(`Time;Tension 20 cm (hPa)\n${JUNE_29};${cell}\n`);
    expect(rejections).toEqual(['2 not_a_number']);
  });

  it.each(['* * *', '***', '--', '\u2014', 'n/a', '#N/A', 'null'])(
    'is missing where a cell is %s',
    async (cell) => {
      const { readings, rejections, rows } = await readCsv(
        `Time;Soil moisture 10 cm (%);Temperature 10 cm\n${JUNE_29};${cell};19.5\n`,
      );
      expect({ readings, rejections, rows }).toEqual({
        readings: [`temperature_10 ${JUNE_29} 19.5`],
        rejections: [],
        rows: 1,
      });
    },
  );
});

describe('a time in a CSV', () => {
  it.each([
    '2026-06-29 06:15:00 UTC',
    '2026-06-29 06:15 GMT',
    '2026-06-29 06:15 Z',
    '2026-06-29 08:15:00 UTC+2',
    '2026-06-29 08:15 GMT+02:00',
    '2026-06-29 06:15:00 +0000 UTC',
    '29.06.2026 03:15 -03:00',
    'Jun 29, 2026 6:15 AM',
    'June 29 2026, 6:15 am',
    'Mon, 29 Jun 2026 06:15:00 GMT',
    '29-Jun-2026 06:15',
    '29-JUN-26 06:15:00',
    '2026-Jun-29 06:15',
    '29 juin 2026 06:15',
    'lun. 29 juin 2026 06h15',
    '29 de junio de 2026 6:15',
    '29. Juni 2026 06:15',
    '29 giugno 2026 06:15',
    '29 de jun. de 2026 06:15',
  ])('may be %s', async (time) => {
    const { readings, rejections } = await readCsv(
      `Time\tSoil moisture 10 cm (%)\n${time}\t21\n2026-06-28 06:15\t22\n`,
      { module: 'North 1', dates: 'dmy' },
    );
    expect(rejections).toEqual([]);
    expect(readings[0]).toBe(`humidity_10 ${JUNE_29} 21`);
  });

  it.each([
    '2026-06-29 06:15 CEST',
    'Jux 29, 2026 6:15 AM',
    '29 2026 06:15',
    '2026-06-29 06:15 +25:00',
  ])('is not %s', async (time) => {
    const { rejections } = await readCsv(`Time;Soil moisture 10 cm (%)\n${time};21\n`);
    expect(rejections).toEqual(['2 unreadable_time']);
  });

  it('may have its month by name in a column of dates, beside one of hours or alone', async () => {
    expect(
      (await readCsv('Date;Hour;Soil moisture 10 cm (%)\nJun 29, 2026;6:15 AM;21\n')).readings,
    ).toEqual([`humidity_10 ${JUNE_29} 21`]);
    expect(
      (await readCsv('Date;Soil moisture 10 cm (%)\n29 juin 2026;21\n30 juin 2026;22\n')).readings,
    ).toEqual(['humidity_10 2026-06-29T12:00 21', 'humidity_10 2026-06-30T12:00 22']);
  });
});

describe('a column of a CSV', () => {
  it.each(['Vol.-%', 'Vol-%', 'Vol.%', 'vol. %', '%'])('may be in %s', async (unit) => {
    expect(
      (await readCsv(`Zeit;Bodenfeuchte 10 cm [${unit}]\n${JUNE_29};21,5\n`)).readings,
    ).toEqual([`humidity_10 ${JUNE_29} 21.5`]);
  });

  it.each([
    'Wassergehalt',
    'Teneur en eau',
    'Contenido de agua',
    'Humedad del suelo',
    'Teor de água',
    'Soil Moisture',
  ])('of HOBOware may be called %s', async (name) => {
    const header = `"#","Date Time, GMT+02:00","${name}, m³/m³ (LGR S/N: 10754831, SEN S/N: 10754832, LBL: 10cm)","Temperatur, °C (LGR S/N: 10754831, SEN S/N: 10754833, LBL: 10cm)"`;
    const { readings, understanding } = await readCsv(
      `"Plot Title: North"\n${header}\n1,06/29/2026 08:15:00,0.215,19.5\n`,
    );
    expect(understanding.profile).toBe('hobo');
    expect(readings).toEqual([`humidity_10 ${JUNE_29} 21.5`, `temperature_10 ${JUNE_29} 19.5`]);
  });

  it.each([
    ['Tensi\u00f3metro (cb)', 'tensio_20 2026-06-29T06:15 21'],
    ['Tension', 'tensio_20 2026-06-29T06:15 21'],
    ['Soil temperature (\u00b0C)', 'temperature_10 2026-06-29T06:15 21'],
  ])('is that of the only sensor of its kind: %s', async (name, reading) => {
    expect((await readCsv(`Time;${name}\n${JUNE_29};21\n`)).readings).toEqual([reading]);
  });

  it('is asked where several sensors are of its kind', async () => {
    const { understanding } = await readCsv(`Time;Soil moisture (%)\n${JUNE_29};21\n`);
    expect(understanding.skippedColumns).toMatchObject([{ why: 'no_depth', nearest: null }]);
  });

  it.each(['Temperature (\u00b0C)', 'Soil moisture (%)', 'Humidity (%)'])(
    'is not guessed where it may be of the air, or of several sensors: %s',
    async (name) => {
      expect((await readCsv(`Time;${name};Tension 20 cm\n${JUNE_29};21;30\n`)).readings).toEqual([
        'tensio_20 2026-06-29T06:15 30',
      ]);
    },
  );

  it.each([
    ['date,tmin,tmax,u10,srad', 'with columns that are not known: "u10"'],
    [
      'station,date,rain (furlong),tmax',
      'with columns that are not known: "station", "rain (furlong)"',
    ],
    ['date,rain', 'This is daily weather, not readings of a sensor.'],
  ])('of weather is named if it is not known: %s', async (header, message) => {
    await expect(readCsv(`${header}\n2026-06-29,1,2,3,4\n`)).rejects.toThrow(message);
  });

  it('needs to say what it measures where a map gives its depth', async () => {
    const options = { module: 'North 1', map: 'CH1=10 cm' };
    await expect(readCsv(`Time;CH1\n${JUNE_29};21\n`, options)).rejects.toThrow(
      '--map gives "CH1" a depth, but its name does not say what it measures.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { readCsv } from './csv-text.ts';

const MODULE = { module: 'North 1' };
const at = (hour: number) => `2026-06-13T0${hour}:00`;

/** One column of tensions, by the hour from 06:00. */
const tensions = (unit: string, cells: readonly string[], delimiter = ';') =>
  readCsv(
    `Time${delimiter}Tension 20 cm (${unit})\n${cells.map((cell, row) => `${at(6 + row)}${delimiter}${cell}\n`).join('')}`,
  );

describe('a sign that may separate decimals or thousands', () => {
  it.each([
    [['980,5', '1.250'], ';'],
    [['980', '1.250'], ';'],
    [['980', '1.250'], ','],
    [['980.5', '1,250'], ';'],
    [['980.5', '"1,250"'], ','],
    [['"980,5"', '1.250'], ','],
  ])('rejects the second of %j with both readings', async (cells, delimiter) => {
    const { readings, rejections } = await tensions('hPa', cells, delimiter);
    expect(readings).toHaveLength(1);
    expect(rejections).toEqual(['3 two_readings 1.25 1250']);
  });

  it('is read as the first rows show, whichever comes first', async () => {
    const { readings } = await tensions('hPa', ['1.250', '1.012,7']);
    expect(readings).toEqual([`tensio_20 ${at(6)} 125`, `tensio_20 ${at(7)} 101.27`]);
    expect((await tensions('kPa', ['1.250', '23.456'])).readings).toEqual([
      `tensio_20 ${at(6)} 1.25`,
      `tensio_20 ${at(7)} 23.456`,
    ]);
  });

  it('is judged in all columns together, and in rows that each name a sensor', async () => {
    const wide = await readCsv(
      `Time;Soil moisture 10 cm (%);Tension 20 cm (hPa)\n${at(6)};23,4;1.250\n`,
    );
    expect(wide.rejections).toEqual(['2 two_readings 1.25 1250']);
    const long = await readCsv(
      `module;type;depth;time;value\nNorth 1;humidity;10;${at(6)};23,4\nNorth 1;tensio;20;${at(6)};1.250\n`,
      {},
    );
    expect(long.rejections).toEqual(['3 two_readings 1.25 1250']);
  });
});

const tension = (header: string, map?: string) =>
  readCsv(`Time,${header}\n${at(6)},-980.5\n`, {
    ...MODULE,
    map,
  });

describe('a unit in the name of a column', () => {
  it.each([
    ['Matric potential 20 cm (cm)'],
    ['Matric potential 20 cm [cm]'],
    ['Matric potential 20 cm cm'],
    ['Matric potential (cm) 20 cm'],
    ['Matric potential 20 cm (cmH2O)'],
  ])('is a column of water in %s', async (header) => {
    expect((await tension(header)).readings).toEqual([`tensio_20 ${at(6)} 96.15420325`]);
  });

  it.each(['X=matric potential 20 cm (cm)', 'X=matric potential 20 cm (cmH2O)'])(
    'may stand in the map: %s',
    async (map) => {
      expect((await tension('X', map)).readings).toEqual([`tensio_20 ${at(6)} 96.15420325`]);
    },
  );

  it.each([
    'Tension 20 (cm)',
    'Tension 8 in (in)',
    'Tension 20 cm (mm)',
    'Tension 20 cm (psi)',
    'Soil moisture 10 cm (cm)',
    'Soil temperature 10 cm (cm)',
  ])('is never left out: %s is not read', async (header) => {
    await expect(tension(header)).rejects.toThrow();
  });

  it.each(['WP (psi)', 'WP (cm)', 'WP psi', 'WP (%)'])(
    'is asked for where the map gives %s none',
    async (header) => {
      await expect(tension(header, `${header}=tension_20`)).rejects.toThrow('unit');
      expect((await tension(header, `${header}=tension_20 (kPa)`)).readings).toHaveLength(1);
    },
  );

  it('is that of the depth where it cannot be another', async () => {
    const { readings } = await readCsv(`Time,Soil moisture depth (cm) 10\n${at(6)},23.4\n`);
    expect(readings).toEqual([`humidity_10 ${at(6)} 23.4`]);
  });

  it('counts in the cell of a type, and of a depth', async () => {
    const long = (type: string, depth: string) =>
      readCsv(`module,type,depth,time,value\nNorth 1,${type},${depth},${at(6)},980.5\n`, {});
    expect((await long('tension (hPa)', '0.2 m')).readings).toEqual([`tensio_20 ${at(6)} 98.05`]);
    expect((await long('tension (cm)', '20')).readings).toEqual([`tensio_20 ${at(6)} 96.15420325`]);
    expect((await long('tension (psi)', '20')).rejections).toEqual(['2 unknown_type']);
  });

  it('refuses a column of values in a length', async () => {
    await expect(
      readCsv(`module,type,depth,time,value (cm)\nNorth 1,tensio,20,${at(6)},980.5\n`, {}),
    ).rejects.toThrow();
  });
});

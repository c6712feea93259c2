import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatReadingsReport } from '../../../src/cli/store-commands/import-summary.ts';
import type { CsvProfileName } from '../../../src/domain/ingest/import-options.ts';
import {
  type ImportReadingsOptions,
  importReadings,
} from '../../../src/service/ingest/readings-import.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { importFarmFile } from '../../imported-data.ts';
import { rowsOf, withSecondStore } from '../../stores/stores.ts';

/**
 * Headers as their owners' files have them, with figures of the test. IrriMAX: legend of the API in
 * cyoung-colostate/sms-api-scrapers; ZENTRA: readers of exports of ZL6 loggers; Davis: readers of
 * monthly exports of WeatherLink; Ecowitt: the file of a GW3000 as CumulusMX reads it; OpenAgri:
 * its data set of 2024.
 */
const EXPORTS = fileURLToPath(new URL('exports', import.meta.url));
const exportOf = (provider: string): Readable => createReadStream(join(EXPORTS, `${provider}.csv`));

const at = (types: readonly string[], depth: number) => types.map((type) => ({ type, depth }));

/** A probe with what all of these measure. */
const PROBE = {
  uid: 'P1',
  name: 'Field',
  category: 'SOIL_PROBE',
  sensors: [5, 10, 15, 20, 30].flatMap((depth) => at(['humidity', 'temperature', 'tensio'], depth)),
};

async function newFieldFarm(): Promise<string> {
  const db = await newBaseFarm();
  await importFarmFile(
    db,
    { company: { name: 'Mas Rouge' }, modules: [PROBE] },
    { clock: '2026-01-01T00:00:00Z' },
  );
  return db;
}

const stored = async (db: string): Promise<string[]> => {
  const query = `select s.type, s.depth, r.at, r.value from readings r join sensors s on s.id = r.sensor_id
    order by s.type, s.depth, r.at`;
  const rows = await rowsOf<{ type: string; depth: number; at: number; value: number }>(db, query);
  return rows.map(
    (row) => `${row.type}_${row.depth} ${new Date(row.at).toISOString().slice(0, 16)} ${row.value}`,
  );
};

type Options = Partial<Pick<ImportReadingsOptions, 'map' | 'profile'>>;

/** Returns what `acequia import` prints of it. */
const importExport = (db: string, source: Readable, options: Options): Promise<string> =>
  withSecondStore(db, async (store) => {
    const context = {
      store,
      companyId: 1,
      zone: 'Europe/Paris',
      module: 'Field',
      now: Date.UTC(2026, 6, 1, 10),
    };
    return formatReadingsReport(
      'export.csv',
      await importReadings(source, { ...context, ...options }),
      {},
      'en',
    );
  });

/** Local time of Paris is two hours ahead of UTC. */
const CASES: [profile: CsvProfileName, map: string, readings: string[], phrases: string[]][] = [
  [
    'irrimax',
    '',
    [
      'humidity_5 2026-06-09T22:00 16.63106',
      'humidity_15 2026-06-09T22:00 21.5',
      'humidity_15 2026-06-09T22:30 21.25',
      'temperature_5 2026-06-09T22:00 18.25',
      'temperature_15 2026-06-09T22:00 19.02',
      'temperature_15 2026-06-09T22:30 18.98',
    ],
    [
      'read as an export of IrriMAX Live',
      '2 failed measurements left out',
      'skipped 4 columns (something other than moisture, temperature or tension of the soil): "V1", "V2", "S1(5)", "S2(15)"',
    ],
  ],
  [
    'zentra',
    'Port1=10 cm; Port3=30cm',
    [
      'humidity_10 2026-06-22T09:15 23.5',
      'temperature_10 2026-06-22T09:15 21.4',
      'temperature_10 2026-06-22T09:30 21.5',
      'tensio_30 2026-06-22T09:15 31.5',
      'tensio_30 2026-06-22T09:30 32',
    ],
    [
      'read as an export of ZENTRA Cloud',
      '1 failed measurement left out',
      'skipped 2 columns (the file does not state the depth): "Port2 TEROS 12 Moisture/Temp/EC m3/m3 Water Content"',
    ],
  ],
  [
    'davis',
    '1=20 cm; 2=30 cm',
    [
      'temperature_20 2026-06-22T04:00 18',
      'temperature_20 2026-06-22T04:15 18',
      'tensio_20 2026-06-22T04:00 12',
      'tensio_20 2026-06-22T04:15 13',
      'tensio_30 2026-06-22T04:00 35',
    ],
    [
      'read as an export of Davis WeatherLink',
      'dates read as month/day/year',
      '2 failed measurements left out',
      // A Watermark measures up to 240 cb.
      '1 row rejected, in whole or in part',
    ],
  ],
  [
    'ecowitt',
    'CH1=10 cm; WN34 CH1=10 cm',
    [
      'humidity_10 2026-06-22T12:25 31',
      'humidity_10 2026-06-22T12:30 31',
      'temperature_10 2026-06-22T12:25 18.4',
    ],
    [
      'read as an export of Ecowitt',
      'skipped 1 column (names no sensor): "Flux CH1(V)"',
      'skipped 2 columns (the file does not state the depth): "SoilMoisture CH2(%)", "SoilMoisture CH3(%)"',
      'skipped 10 columns (something other than',
    ],
  ],
  [
    'openagri',
    '',
    [
      'humidity_10 2026-06-22T00:00 0.92',
      'humidity_10 2026-06-22T01:00 0.91',
      'humidity_20 2026-06-22T00:00 23.5',
      'humidity_20 2026-06-22T01:00 23.4',
      'humidity_30 2026-06-22T00:00 22.2',
      'humidity_30 2026-06-22T01:00 22.2',
    ],
    [
      'read as an export of OpenAgri',
      'skipped 3 columns (something other than',
      '"Temperature (oC)", "Humidity (%)"',
    ],
  ],
];

describe('an export of a provider', () => {
  it.each(CASES)(
    'of %s is recognized by its header, and its columns are told',
    async (profile, map, readings, phrases) => {
      const db = await newFieldFarm();
      const guessed = await importExport(db, exportOf(profile), { map });
      expect((await stored(db)).toSorted()).toEqual(readings.toSorted());
      for (const text of phrases) expect(guessed).toContain(text);
      expect(await importExport(db, exportOf(profile), { map, profile })).toBe(guessed);
      expect(await stored(db)).toHaveLength(readings.length);
    },
  );

  it('is refused where no column tells its depth, and under the name of another provider', async () => {
    const db = await newFieldFarm();
    await expect(importExport(db, exportOf('davis'), {})).rejects.toMatchObject({
      message: expect.stringContaining('The file does not state the depth of "1", "2".'),
      hint: expect.stringContaining('--map "1=30 cm"'),
    });
    await expect(importExport(db, exportOf('irrimax'), { profile: 'ecowitt' })).rejects.toThrow(
      'the header of an export of Ecowitt',
    );
    expect(await stored(db)).toEqual([]);
  });

  it('leaves a file that is not one as it was read before', async () => {
    const db = await newFieldFarm();
    const own = 'Date & Time,humidity_10,Soil temperature 10cm (°C)\n2026-06-22 06:00,23.4,18\n';
    expect(await importExport(db, Readable.from([own]), {})).not.toContain('export of');
    expect(await stored(db)).toHaveLength(2);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { groupBy } from '../../src/domain/groups.ts';
import type { SoilLayer } from './pyfao56.ts';
import type { Treatment, Trial, TrialProfile, TrialWeather } from './trials.ts';

const WEATHER_ENDING = '.weather.csv';

/** The trials of a folder: `NAME.csv`, and `NAME.weather.csv` beside it. None without the folder. */
export async function readTrials(folder: string): Promise<Trial[]> {
  const files = await readdir(folder).catch(() => []);
  const names = files
    .filter((file) => file.endsWith('.csv') && !file.endsWith(WEATHER_ENDING))
    .map((file) => file.slice(0, -'.csv'.length));
  return Promise.all(
    names.sort().map(async (name) => {
      const [trial, weather] = await Promise.all(
        ['.csv', WEATHER_ENDING].map((ending) => readFile(join(folder, name + ending), 'utf8')),
      );
      return parseTrial(name, trial!, weather!);
    }),
  );
}

/**
 * Lines `# NAME: VALUE` (`crop`, `planted`, `latitude`, `roots` in cm, and `soil`: lower border in
 * cm, field capacity and wilting point in %, of each layer), then rows of `treatment`, `date`,
 * `depth` (lower border of a layer in cm) and `water` (% by volume), or of `irrigation` (mm) or
 * `yield` (t/ha).
 */
export function parseTrial(name: string, text: string, weather: string): Trial {
  const facts = new Map(
    [...text.matchAll(/^# *(\w+): *(.+)$/gm)].map(([, key, value]) => [key!, value!.trim()]),
  );
  const factOf = (key: string): string => {
    const value = facts.get(key);
    if (value === undefined) throw new Error(`The trial ${name} has no line "# ${key}: …".`);
    return value;
  };
  const ofTreatments = {
    soil: parseLayers(factOf('soil')),
    rootDepthCm: Number(factOf('roots')),
  };
  return {
    name,
    crop: factOf('crop'),
    plantedOn: Date.parse(factOf('planted')),
    latitude: Number(factOf('latitude')),
    weather: parseWeather(weather),
    treatments: [...groupBy(rowsOf(text), ({ treatment }) => treatment!)].map(([label, rows]) => ({
      name: label,
      ...ofTreatments,
      ...measuredIn(rows),
    })),
  };
}

type Row = Readonly<Record<string, string | undefined>>;

const rowsOf = (text: string): Row[] =>
  Papa.parse<Row>(text, { header: true, comments: '#', skipEmptyLines: true }).data;

/** Null for an empty cell. */
const numberIn = (row: Row, column: string): number | null =>
  row[column] === undefined || row[column] === '' ? null : Number(row[column]);

const parseLayers = (text: string): SoilLayer[] =>
  text.split(';').map((layer) => {
    const [bottomCm, fieldCapacity, wiltingPoint] = layer.trim().split(/\s+/).map(Number);
    return {
      bottomCm: bottomCm!,
      fieldCapacity: fieldCapacity! / 100,
      wiltingPoint: wiltingPoint! / 100,
    };
  });

function measuredIn(
  rows: readonly Row[],
): Pick<Treatment, 'profiles' | 'irrigation' | 'yieldTPerHa'> {
  const profiles = new Map<number, TrialProfile['layers']>();
  const irrigation = new Map<number, number>();
  let yieldTPerHa: number | null = null;
  for (const row of rows) {
    const day = Date.parse(row.date ?? '');
    const [bottomCm, percent] = [numberIn(row, 'depth'), numberIn(row, 'water')];
    if (bottomCm !== null && percent !== null)
      profiles.set(day, [...(profiles.get(day) ?? []), { bottomCm, water: percent / 100 }]);
    const mm = numberIn(row, 'irrigation');
    if (mm !== null) irrigation.set(day, (irrigation.get(day) ?? 0) + mm);
    yieldTPerHa = numberIn(row, 'yield') ?? yieldTPerHa;
  }
  return {
    profiles: [...profiles]
      .sort(([one], [other]) => one - other)
      .map(([day, layers]) => ({
        day,
        layers: [...layers].sort((one, other) => one.bottomCm - other.bottomCm),
      })),
    irrigation,
    yieldTPerHa,
  };
}

/** With the columns of a file that `acequia import` reads. */
const parseWeather = (text: string): TrialWeather[] =>
  rowsOf(text).map((row) => ({
    day: Date.parse(row.date ?? ''),
    temperatureMin: Number(row.tmin),
    temperatureMax: Number(row.tmax),
    humidityMin: numberIn(row, 'rhmin'),
    humidityMax: numberIn(row, 'rhmax'),
    windMs: numberIn(row, 'u2'),
    radiationMj: numberIn(row, 'srad'),
    rainMm: numberIn(row, 'rain') ?? 0,
  }));

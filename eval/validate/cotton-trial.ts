import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { windAtTwoMetres } from '../../src/domain/weather/evapotranspiration.ts';
import { parseProfiles, parseSoil } from './pyfao56.ts';
import type { Treatment, Trial, TrialWeather } from './trials.ts';

export interface CottonTrial extends Trial {
  readonly weather: readonly CottonWeather[];
  readonly treatments: readonly CottonPlot[];
}

/** A plot with the coefficients that its authors fitted, by their names. */
export interface CottonPlot extends Treatment {
  readonly parameters: ReadonlyMap<string, number>;
}

export interface CottonWeather extends TrialWeather {
  readonly humidityMin: number;
  readonly windMs: number;
  /** As published. */
  readonly et0Mm: number;
}

/** Day 108 of 2018, on which the published simulation of these plots begins. */
const PLANTED_ON = Date.UTC(2018, 0, 108);
const WIND_HEIGHT_M = 3;

export async function readCottonTrial(folder: string): Promise<CottonTrial> {
  const inTrial = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => basename(file, '.sol'));
  const irrigation = parseIrrigation(await inTrial('irrigation.csv'));

  const treatments: CottonPlot[] = [];
  for (const name of names) {
    const parameters = parseParameters(await inTrial(`${name}.par`));
    treatments.push({
      name,
      parameters,
      rootDepthCm: 100 * parameters.get('Zrmax')!,
      soil: parseSoil(await inTrial(`${name}.sol`)),
      profiles: parseProfiles(await inTrial(`${name}.sws`)),
      irrigation: irrigation.get(name.replace('cotton2018', '')) ?? new Map(),
      yieldTPerHa: null,
    });
  }
  return {
    name: 'Maricopa cotton, 2018',
    crop: 'cotton',
    plantedOn: PLANTED_ON,
    ...parseWeather(await inTrial('cotton2018.wth')),
    treatments: treatments.filter(({ profiles }) => profiles.length > 0),
  };
}

const parseParameters = (text: string): Map<string, number> =>
  new Map(
    [...text.matchAll(/^\s*([\d.]+)\s+(\w+),/gm)].map(([, value, name]) => [name!, Number(value)]),
  );

/** Columns: day, radiation, Tmax, Tmin, vapour, dew point, RHmax, RHmin, wind, rain, ETref. */
function parseWeather(text: string): Pick<CottonTrial, 'latitude' | 'weather'> {
  const rows = text.matchAll(/^(\d{4})-(\d{3})\s+(.*)$/gm);
  return {
    latitude: Number(/^\s*([\d.-]+) Weather station latitude/m.exec(text)![1]),
    weather: [...rows].map(([, year, day, rest]) => {
      const cells = rest!.trim().split(/\s+/).map(Number);
      return {
        day: Date.UTC(Number(year), 0, Number(day)),
        radiationMj: cells[0]!,
        temperatureMax: cells[1]!,
        temperatureMin: cells[2]!,
        humidityMax: cells[5]!,
        humidityMin: cells[6]!,
        windMs: windAtTwoMetres(cells[7]!, WIND_HEIGHT_M),
        rainMm: cells[8]!,
        et0Mm: cells[9]!,
      };
    }),
  };
}

function parseIrrigation(text: string): Map<string, Map<number, number>> {
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return new Map(
    head!
      .slice(2)
      .map((plot, column) => [
        plot,
        new Map(
          rows.map((cells) => [
            Date.UTC(Number(cells[0]), 0, Number(cells[1])),
            Number(cells[column + 2]),
          ]),
        ),
      ]),
  );
}

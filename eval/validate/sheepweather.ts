import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../src/domain/periods.ts';
import type { FarmFields, Reading } from './farm.ts';

/** A row of a logger; NaN where a port has no value. */
interface LoggerRow {
  readonly at: number;
  /** By port, moisture in m3/m3 and temperature in degrees C. */
  readonly moisture: ReadonlyMap<number, number>;
  readonly temperature: ReadonlyMap<number, number>;
}

interface DailyWeather {
  readonly day: number;
  readonly meanC: number;
  readonly rainMm: number;
}

/** Half of a logger's sensors: those on one side of the plot. */
export interface SheepProbe {
  readonly name: string;
  readonly readings: readonly Reading[];
  readonly temperatures: readonly Reading[];
}

export const SHEEP_DEPTHS_CM = [5, 25];
const SIDES = [
  { side: 'east', ports: [2, 4] },
  { side: 'west', ports: [3, 5] },
];
const LOGGERS = [
  { name: 'Dubois EC-5', file: 'EM20067 4Nov15-1114.txt' },
  { name: 'Dubois 5TM', file: 'EM20085 4Nov15-1134.txt' },
];
/** Before, the sensors lay in the air. */
const INSTALLED_AT = Date.UTC(2014, 3, 14);

export async function readSheepProbes(folder: string): Promise<SheepProbe[]> {
  const loggers = await Promise.all(
    LOGGERS.map(async ({ name, file }) => ({
      name,
      rows: parseLogger(await readFile(join(folder, file), 'latin1')),
    })),
  );
  return loggers.flatMap(({ name, rows }) =>
    SIDES.map(({ side, ports }) => {
      const module = `${name} ${side}`;
      const readingsOf = (
        quantity: 'moisture' | 'temperature',
        toUnit: (value: number) => number,
      ): Reading[] =>
        ports.flatMap((port, place) =>
          rows.flatMap((row) => {
            const value = row[quantity].get(port) ?? Number.NaN;
            const depthCm = SHEEP_DEPTHS_CM[place]!;
            return Number.isNaN(value)
              ? []
              : [{ module, depthCm, at: row.at, value: toUnit(value) }];
          }),
        );
      return {
        name: module,
        readings: readingsOf('moisture', (share) => 100 * share),
        temperatures: readingsOf('temperature', (degrees) => degrees),
      };
    }),
  );
}

/** The clock was reset more than once: rows that go back in time are left out. */
function parseLogger(text: string): LoggerRow[] {
  const [header, ...lines] = text.trim().split(/\r?\n/);
  const separator = header!.includes('\t') ? '\t' : ',';
  const columns = header!.split(separator).map((title) => ({
    port: Number(/^Port (\d)/.exec(title)?.[1]),
    quantity: title.endsWith('VWC') ? ('moisture' as const) : ('temperature' as const),
  }));

  const rows: LoggerRow[] = [];
  for (const line of lines) {
    const [time, ...cells] = line.split(separator);
    const at = Date.parse(`${time} UTC`);
    if (!(at >= INSTALLED_AT && at > (rows.at(-1)?.at ?? 0))) continue;
    const values = { moisture: new Map<number, number>(), temperature: new Map<number, number>() };
    for (const [index, cell] of cells.entries()) {
      const { port, quantity } = columns[index + 1]!;
      if (port > 1 && cell.trim() !== '') values[quantity].set(port, Number(cell));
    }
    rows.push({ at, ...values });
  }
  return rows;
}

export async function readSheepWeather(folder: string): Promise<DailyWeather[]> {
  const text = await readFile(join(folder, 'weather-2014-2016.csv'), 'utf8');
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => {
      const [day, lowest, highest, rainMm] = line.split(',');
      return {
        day: Date.parse(`${day}T00:00Z`),
        meanC: (Number(lowest) + Number(highest)) / 2,
        rainMm: Number(rainMm),
      };
    });
}

const FROST_DAYS = 5;

/**
 * The days on which the soil may be frozen: the air was at or below 0 degrees C over the five days
 * until then.
 */
export const frozenDays = (weather: readonly DailyWeather[]): ReadonlySet<number> =>
  new Set(
    weather.flatMap(({ day }, index) => {
      const last = weather.slice(Math.max(0, index + 1 - FROST_DAYS), index + 1);
      const mean = last.reduce((sum, { meanC }) => sum + meanC, 0) / last.length;
      return mean <= 0 ? [day] : [];
    }),
  );

export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

export const sheepFarm = (probes: readonly SheepProbe[]): FarmFields => ({
  parcels: [
    {
      name: 'Plots',
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }],
    },
  ],
  modules: probes.map(({ name, temperatures }) => ({
    uid: name,
    name,
    category: 'SOIL_PROBE',
    parcel: 'Plots',
    sensors: SHEEP_DEPTHS_CM.flatMap((depth) => [
      { type: 'humidity' as const, depth },
      ...(temperatures.length > 0 ? [{ type: 'temperature' as const, depth }] : []),
    ]),
    settings: { rootDepthCm: 40 },
  })),
});

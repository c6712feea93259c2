import { READING_INTERVAL_MS } from './calendar.ts';
import { PROBE_DEPTHS_CM } from './demo-farm.ts';
import { type DemoHistory, measureHumidity, measureSensors } from './history.ts';
import { seededRandom } from './random.ts';
import { moistureAtDepth, SITES, simulateSoil } from './soil-simulation.ts';
import type { DemoWatering } from './waterings.ts';

/** `values[i][k]` in % at the i-th of PROBE_DEPTHS_CM and the k-th instant (ms). */
export interface ProbeMoisture {
  readonly instants: Float64Array;
  readonly values: readonly Float64Array[];
}

export const probeMoisture = (
  { instants, series }: Pick<DemoHistory, 'instants' | 'series'>,
  module: string,
): ProbeMoisture => ({
  instants,
  values: PROBE_DEPTHS_CM.map(
    (depth) =>
      series.find(
        (each) => each.module === module && each.type === 'humidity' && each.depth === depth,
      )!.values,
  ),
});

export interface FutureProbe {
  measureUntil(at: number, waterings?: readonly DemoWatering[]): ProbeMoisture;
}

export function simulateProbe(
  { instants: past, weather, soils }: DemoHistory,
  module: string,
  seed: number,
): FutureProbe {
  const site = SITES.find((each) => each.module === module)!;
  const noise = seededRandom(seed);
  let last = past.at(-1)!;
  let soil = soils.get(module)!;
  return {
    measureUntil(at, waterings = []) {
      const from = last;
      const count = Math.floor((at - from) / READING_INTERVAL_MS);
      const instants = Float64Array.from(
        { length: count },
        (_, index) => from + (index + 1) * READING_INTERVAL_MS,
      );
      const simulated = simulateSoil(site, soil, { instants, weather, waterings });
      last = from + count * READING_INTERVAL_MS;
      soil = simulated.soil;
      const values = PROBE_DEPTHS_CM.map((depth) =>
        moistureAtDepth(simulated.boundaryMoisture, depth).map((moisture) =>
          measureHumidity(moisture, noise),
        ),
      );
      return { instants, values };
    },
  };
}

export function moistureCsv({ instants, values }: ProbeMoisture): string {
  const lines = Array.from(instants, (at, index) =>
    [new Date(at).toISOString(), ...values.map((each) => each[index])].join(','),
  );
  return [
    ['time', ...PROBE_DEPTHS_CM.map((depth) => `humidity_${depth}`)].join(','),
    ...lines,
    '',
  ].join('\n');
}

export type FarmMeasurements = Pick<DemoHistory, 'instants' | 'series'>;

export interface FutureFarm {
  measureUntil(at: number, waterings: readonly DemoWatering[]): FarmMeasurements;
}

export function simulateFarm(
  { instants: past, weather, soils: before }: DemoHistory,
  seed: number,
): FutureFarm {
  const noise = seededRandom(seed);
  let last = past.at(-1)!;
  let soils = before;
  return {
    measureUntil(at, waterings) {
      const from = last;
      const count = Math.floor((at - from) / READING_INTERVAL_MS);
      const instants = Float64Array.from(
        { length: count },
        (_, index) => from + (index + 1) * READING_INTERVAL_MS,
      );
      const simulated = measureSensors(({ module }) => soils.get(module)!, {
        instants,
        weather,
        waterings,
        noise,
      });
      last = from + count * READING_INTERVAL_MS;
      soils = simulated.soils;
      return { instants, series: simulated.series };
    },
  };
}

export function readingsCsv({ instants, series }: FarmMeasurements): string {
  const rows = series.flatMap(({ module, type, depth, values }) =>
    Array.from(instants, (at, index) =>
      [module, type, depth ?? '', new Date(at).toISOString(), values[index]].join(','),
    ),
  );
  return ['module,type,depth,time,value', ...rows, ''].join('\n');
}

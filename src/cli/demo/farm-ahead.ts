import { READING_INTERVAL_MS } from './calendar.ts';
import { seededRandom } from './random.ts';
import { type DemoHistory, measureSensors } from './readings.ts';
import type { DemoWatering } from './waterings.ts';

/** What all sensors of the farm measured. */
export type FarmMeasurements = Pick<DemoHistory, 'instants' | 'series'>;

/** The whole farm from the demo's now on. */
export interface FutureFarm {
  /** What is measured after what was asked last and up to an instant (ms), under these waterings and no rain. */
  measureUntil(at: number, waterings: readonly DemoWatering[]): FarmMeasurements;
}

export function simulateFarm({ instants: past, weather, soils: before }: DemoHistory, seed: number): FutureFarm {
  const noise = seededRandom(seed);
  let last = past.at(-1)!;
  let soils = before;
  return {
    measureUntil(at, waterings) {
      const from = last;
      const count = Math.floor((at - from) / READING_INTERVAL_MS);
      const instants = Float64Array.from({ length: count }, (_, index) => from + (index + 1) * READING_INTERVAL_MS);
      const simulated = measureSensors(({ module }) => soils.get(module)!, { instants, weather, waterings, noise });
      last = from + count * READING_INTERVAL_MS;
      soils = simulated.soils;
      return { instants, series: simulated.series };
    },
  };
}

/** Readings as a file to import, a row each. */
export function readingsCsv({ instants, series }: FarmMeasurements): string {
  const rows = series.flatMap(({ module, type, depth, values }) =>
    Array.from(instants, (at, index) =>
      [module, type, depth ?? '', new Date(at).toISOString(), values[index]].join(','),
    ),
  );
  return ['module,type,depth,time,value', ...rows, ''].join('\n');
}

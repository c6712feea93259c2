import { READING_EVERY } from './calendar.ts';
import { seededRandom } from './random.ts';
import { type DemoHistory, measuredFrom } from './readings.ts';
import type { DemoWatering } from './waterings.ts';

/** What all sensors of the farm measured. */
export type Measured = Pick<DemoHistory, 'instants' | 'series'>;

/** The whole farm from the demo's now on. */
export interface FarmAhead {
  /** What is measured after what was asked last and up to an instant (ms), under these waterings and no rain. */
  until(at: number, waterings: readonly DemoWatering[]): Measured;
}

export function farmAheadOf({ instants: past, weather, soils: before }: DemoHistory, seed: number): FarmAhead {
  const noise = seededRandom(seed);
  let last = past.at(-1)!;
  let soils = before;
  return {
    until(at, waterings) {
      const from = last;
      const count = Math.floor((at - from) / READING_EVERY);
      const instants = Float64Array.from({ length: count }, (_, index) => from + (index + 1) * READING_EVERY);
      const found = measuredFrom(({ module }) => soils.get(module)!, { instants, weather, waterings, noise });
      last = from + count * READING_EVERY;
      soils = found.soils;
      return { instants, series: found.series };
    },
  };
}

/** Readings as a file to import, a row each. */
export function readingsCsv({ instants, series }: Measured): string {
  const rows = series.flatMap(({ module, type, depth, values }) =>
    Array.from(instants, (at, index) =>
      [module, type, depth ?? '', new Date(at).toISOString(), values[index]].join(','),
    ),
  );
  return ['module,type,depth,time,value', ...rows, ''].join('\n');
}

import { HOUR_MS } from '../../src/domain/periods.ts';
import type { FarmFields, Reading } from './farm.ts';

/** One row of the file: moisture in % at six depths, and rain in mm. */
export interface Hour {
  readonly at: number;
  readonly moisture: readonly number[];
  readonly rainMm: number;
}

export const DEPTHS_CM = [10, 20, 30, 40, 50, 60];
export const PROBE = 'OpenAgri';

/**
 * In order of time; the file repeats an hour where the clocks changed. Its time zone is unknown and
 * read as UTC.
 */
export function parseHours(text: string): Hour[] {
  const rows = text.trim().split(/\r?\n/).slice(1);
  const hours = rows.map((row) => {
    const [time, ...cells] = row.split(',');
    const at = Date.parse(`${time!.replace(' ', 'T')}Z`);
    return {
      at,
      moisture: cells.slice(0, DEPTHS_CM.length).map(Number),
      rainMm: Number(cells[DEPTHS_CM.length]),
    };
  });
  return [...new Map(hours.map((hour) => [hour.at, hour])).values()].sort((a, b) => a.at - b.at);
}

/** mm in hours after `after`, up to `until`. */
export const rainBetween = (hours: readonly Hour[], after: number, until: number): number =>
  hours.reduce((sum, { at, rainMm }) => sum + (at > after && at <= until ? rainMm : 0), 0);

export const openAgriFarm = {
  modules: [
    {
      uid: PROBE,
      name: PROBE,
      category: 'SOIL_PROBE' as const,
      sensors: DEPTHS_CM.map((depth) => ({ type: 'humidity' as const, depth })),
      settings: { rootDepthCm: 60 },
    },
  ],
} satisfies FarmFields;

export const readingsOf = (hours: readonly Hour[]): Reading[] =>
  hours.flatMap(({ at, moisture }) =>
    DEPTHS_CM.map((depthCm, index) => ({ module: PROBE, depthCm, at, value: moisture[index]! })),
  );

export const after = (hours: readonly Hour[]): number => hours.at(-1)!.at + HOUR_MS;

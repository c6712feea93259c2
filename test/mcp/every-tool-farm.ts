import { importReadingsCsv } from '../imported-data.ts';
import { HOUR, iso } from '../time.ts';
import { NOW } from './local-tools.ts';

/** Moisture falls to 15.2 %; the deepest sensor is silent in the last hours. */
const READINGS = Array.from({ length: 96 }, (_, index) => index).flatMap((index) => {
  const time = iso(NOW - (95 - index) * HOUR - 5 * 60_000);
  const value = (24.7 - index * 0.1).toFixed(1);
  const north1 = [10, 20, 30].filter((depth) => depth < 30 || index < 90);
  return [
    ...north1.map((depth) => `North 1,humidity,${depth},${time},${value}`),
    `North 1,temperature,10,${time},${(18 + index / 40).toFixed(2)}`,
  ];
});

/** Imports the readings that `callWithReadings` needs on a base farm. */
export const importReadingsOfNorth1 = (db: string): Promise<void> =>
  importReadingsCsv(db, ['module,type,depth,time,value', ...READINGS].join('\n'), {
    clock: iso(NOW),
  });

/** Matches what a replay says before the first answer. */
export const REPLAY = /^Already (?:done|logged) .*? The first answer: /;

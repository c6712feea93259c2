import { describe, expect, it } from 'vitest';
import { newCsvReader } from './csv-text.ts';

const HEADER = 'module,type,depth,time,value';
const rowOf = (length: number, value: string): string =>
  `North 1,humidity,10,2026-06-01T06:00,${value}`.padEnd(length, ',');

/** How many readings each step of reading the file takes. */
function readingsOfSteps(lines: readonly string[]): number[] {
  let readings = 0;
  const counts: number[] = [];
  const reader = newCsvReader({ add: () => readings++, reject: () => {} });
  const countStep = (): void => {
    counts.push(readings);
    readings = 0;
  };
  for (const _ of reader.readLines(lines)) countStep();
  for (const _ of reader.end()) countStep();
  return counts;
}

describe('the rows that wait until the format of a file is known', () => {
  it('are read one at a time, in a short file and a long one', () => {
    for (const count of [20, 200]) {
      const counts = readingsOfSteps([HEADER, ...Array(count).fill(rowOf(40, '20'))]);
      expect(Math.max(...counts)).toBe(1);
      expect(counts.filter((readings) => readings === 1)).toHaveLength(count);
    }
  });

  it('are fewer if they are long', () => {
    const reader = newCsvReader({ add: () => {}, reject: () => {} });
    let waiting = 0;
    while (reader.understanding === null && waiting < 100) {
      for (const _ of reader.readLines([waiting === 0 ? HEADER : rowOf(60_000, '20')]));
      waiting++;
    }
    expect(waiting).toBeLessThan(10);
  });

  it('still show a unit after many long ones that do not', () => {
    const rows = [...Array(20).fill(rowOf(60_000, '0')), rowOf(60_000, '20')];
    expect(readingsOfSteps([HEADER, ...rows]).filter((readings) => readings > 0)).toHaveLength(21);
  });
});

import { describe, expect, it } from 'vitest';
import { daysUntilFull, growthPerDay } from '../../../src/domain/backups/growth.ts';
import { DAY_MS } from '../../../src/domain/periods.ts';

const copiesOf = (sizes: readonly (readonly [day: number, megabytes: number])[]) =>
  sizes.map(([day, megabytes]) => ({ at: day * DAY_MS, bytes: megabytes * 1e6 }));

describe('the pace at which a store grows', () => {
  it('is the median of that between its copies, whatever one import added', () => {
    expect(
      growthPerDay(
        copiesOf([
          [0, 10],
          [4, 14],
          [7, 17],
          [8, 18],
        ]),
      ),
    ).toBe(1e6);
    // 90 MB came on one day.
    const withImport = copiesOf([
      [0, 10],
      [1, 11],
      [2, 12],
      [3, 13],
      [4, 14],
      [5, 15],
      [6, 16],
      [7, 17],
      [8, 108],
    ]);
    expect(growthPerDay(withImport)).toBe(1e6);
  });

  it.each([
    [
      'two copies',
      [
        [0, 10],
        [30, 40],
      ],
    ],
    [
      'copies of six days',
      [
        [0, 10],
        [3, 13],
        [6, 16],
      ],
    ],
    [
      'a store that became smaller',
      [
        [0, 40],
        [10, 30],
        [20, 20],
      ],
    ],
    [
      'a store that stays as it is',
      [
        [0, 10],
        [10, 10],
        [20, 10],
      ],
    ],
    ['no copies', []],
  ] as const)('is unknown by %s', (_, sizes) => {
    expect(growthPerDay(copiesOf(sizes))).toBeNull();
  });
});

describe('the days until the disk is full', () => {
  it('are fewer where copies grow on the same disk', () => {
    expect(daysUntilFull(1e9, 1e6, 0)).toBe(1_000);
    expect(daysUntilFull(1e9, 1e6, 4)).toBe(200);
  });

  it('are unknown without a pace, and beyond ten years', () => {
    expect(daysUntilFull(1e9, null, 0)).toBeNull();
    expect(daysUntilFull(1e12, 1e6, 0)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { dayEnds } from '../../../src/domain/facts/day-ends.ts';
import { HOUR } from '../../time.ts';

const at = (text: string): number => Date.parse(text);
const hourly = (from: string, values: readonly number[]) =>
  values.map((value, index) => ({ at: at(from) + index * HOUR, value }));

describe('dayEnds', () => {
  it('takes the last value of each depth before local midnight', () => {
    const depths = [
      { depthCm: 20, points: hourly('2026-06-30T18:00:00Z', [20, 21, 22, 23, 24, 25]) },
      { depthCm: 40, points: hourly('2026-06-30T20:00:00Z', [30]) },
    ];
    // Midnight in Paris is at 22:00 UTC. At 01:00 the next day has only begun.
    expect(dayEnds(depths, 'Europe/Paris')).toEqual([
      {
        day: '2026-06-30',
        moistures: [
          { depthCm: 20, value: 23 },
          { depthCm: 40, value: 30 },
        ],
      },
      {
        day: '2026-07-01',
        at: at('2026-06-30T23:00:00Z'),
        moistures: [{ depthCm: 20, value: 25 }],
      },
    ]);
  });

  it('has the hour of a day without a value in the evening, such as one read by hand at noon', () => {
    const depths = [
      { depthCm: 20, points: hourly('2026-06-30T11:00:00Z', [20, 21]) },
      { depthCm: 40, points: hourly('2026-06-30T02:00:00Z', [30]) },
    ];
    expect(dayEnds(depths, 'UTC')).toEqual([
      {
        day: '2026-06-30',
        at: at('2026-06-30T12:00:00Z'),
        moistures: [{ depthCm: 20, value: 21 }],
      },
    ]);
    expect(dayEnds([{ depthCm: 20, points: [] }], 'UTC')).toEqual([]);
  });
});

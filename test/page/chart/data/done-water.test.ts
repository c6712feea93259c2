import { expect, it } from 'vitest';
import { describeDone } from '../../../../src/page/chart/data/done-water.ts';

const seen = { at: 0, durationMin: 60, mm: 12, isPlanned: false };
const assumed = { ...seen, isAssumed: true };

it.each([
  ['what somebody saw', [seen, seen], '24 mm'],
  ['what nobody saw', [assumed, assumed], '24 mm (assumed)'],
  ['the part that nobody saw', [seen, assumed], '24 mm (12 mm assumed)'],
  ['doses that are not known', [seen, { ...assumed, mm: null }], '12 mm + ? (? assumed)'],
  ['nothing of what is planned', [{ ...seen, isPlanned: true }], ''],
])('the amount of waterings says %s', (_, waterings, expected) => {
  const words = { water: (mm: number) => `${mm} mm`, unknown: '?', assumed: 'assumed' };
  expect(describeDone(waterings, words)).toBe(expected);
});

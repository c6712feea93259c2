import { expect, it } from 'vitest';
import { formatTerminalCount as onTerminal } from '../../../src/cli/process/output.ts';
import { englishCount, englishNoun } from '../../../src/language/en/grammar.ts';

it.each([
  [0, '0 waterings'],
  [1, '1 watering'],
  [2, '2 waterings'],
  [54_000, '54000 waterings'],
])('a noun after its number is singular for 1 alone: %i', (count, expected) => {
  expect(englishCount(count, 'watering')).toBe(expected);
});

it('a noun may have an irregular plural', () => {
  expect([1, 3].map((count) => englishCount(count, 'alert is', 'alerts are'))).toEqual(['1 alert is', '3 alerts are']);
  expect([0.9, 1, 1.1].map((days) => englishNoun(days, 'day'))).toEqual(['days', 'day', 'days']);
});

it('a number on a terminal has its thousands apart', () => {
  expect([onTerminal(1, 'row'), onTerminal(175_200, 'row')]).toEqual(['1 row', '175,200 rows']);
});

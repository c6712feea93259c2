import { expect, it } from 'vitest';
import {
  isDoubtfulTemperature,
  isOfUnsetClock,
  mayBeFraction,
} from '../../../src/domain/ingest/doubtful-readings.ts';
import { DAY } from '../../time.ts';

it.each([
  [50, 30, false],
  [50.1, 30, true],
  // Bare soil in the sun is that warm in its first centimetres.
  [50.1, 10, false],
  [70.1, 10, true],
  [70.1, null, true],
  // 68.5 °F is 20.3 °C.
  [68.5, 30, true],
])('a temperature of %s °C at %s cm is doubtful: %s', (celsius, depth, isDoubtful) => {
  expect(isDoubtfulTemperature(celsius, depth)).toBe(isDoubtful);
});

it('takes an instant of more than a year before its arrival for one of a clock never set', () => {
  const now = Date.UTC(2026, 6, 1);
  expect([0, now - 367 * DAY, now - 365 * DAY, now].map((at) => isOfUnsetClock(at, now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isOfUnsetClock(Number.NaN, now)).toBe(false);
});

it('takes a moisture between 0 and 1 for a possible fraction', () => {
  expect([-1, 0, 0.24, 0.999, 1, 24].map(mayBeFraction)).toEqual([
    ...[false, false, true, true, false, false],
  ]);
});

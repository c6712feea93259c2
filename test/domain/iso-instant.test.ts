import { expect, it } from 'vitest';
import { parseOffsetInstant } from '../../src/domain/iso-instant.ts';

it.each([
  ['2026-07-01T06:00Z', Date.UTC(2026, 6, 1, 6)],
  ['2026-07-01T06:00:30.250+02:00', Date.UTC(2026, 6, 1, 4, 0, 30, 250)],
  ['2026-07-01T06:00-0330', Date.UTC(2026, 6, 1, 9, 30)],
])('reads %s', (text, at) => {
  expect(parseOffsetInstant(text)).toBe(at);
});

it.each([
  '2026-02-30T00:00Z',
  '2026-13-01T00:00Z',
  '2026-07-01T24:00Z',
  '2026-07-01T06:60Z',
  '2026-07-01T06:00',
  '2026-07-01',
  '2026-07-01T06:00+15:00',
  'today 6:00',
  '',
])('is NaN for %j', (text) => {
  expect(parseOffsetInstant(text)).toBeNaN();
});

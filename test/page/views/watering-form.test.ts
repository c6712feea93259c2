import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDatetimeLocal,
  parseTypedAmount,
  toDatetimeLocal,
  wateringArguments,
} from '../../../src/page/views/watering-form.ts';

const PARIS = 'Europe/Paris';

describe('a start as the form shows it', () => {
  it('is the local time of the farm, whatever the zone of the device', () => {
    expect(toDatetimeLocal(Date.UTC(2026, 6, 1, 10), PARIS)).toBe('2026-07-01T12:00');
    expect(parseDatetimeLocal('2026-07-01T12:00', PARIS)).toBe(Date.UTC(2026, 6, 1, 10));
  });

  it('is none in the hour that the clocks skip, and the first of two in the hour that they repeat', () => {
    expect(parseDatetimeLocal('2026-03-29T02:30', PARIS)).toBe('gap');
    expect(parseDatetimeLocal('2026-10-25T02:30', PARIS)).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(parseDatetimeLocal('', PARIS)).toBeNull();
  });

  it('comes back as it was, outside a repeated hour', () => {
    const minutes = fc.integer({
      min: Date.UTC(2020, 0) / 60_000,
      max: Date.UTC(2035, 0) / 60_000,
    });
    fc.assert(
      fc.property(
        minutes,
        fc.constantFrom(PARIS, 'Australia/Lord_Howe', 'America/Santiago'),
        (minute, zone) => {
          const at = minute * 60_000;
          const read = parseDatetimeLocal(toDatetimeLocal(at, zone), zone);
          expect([at, at - 3_600_000, at - 1_800_000]).toContain(read);
        },
      ),
    );
  });
});

it.each([
  ['1,5', 1.5],
  [' 40 ', 40],
  ['.5', 0.5],
  ['0.500', 0.5],
  ['1234,567', 1234.567],
  ['1,000', 'grouped'],
  ['1.000', 'grouped'],
  ['1 000', 'grouped'],
  ['1,234.5', 'grouped'],
  ['1.000,5', 'grouped'],
  ['1’000', 'grouped'],
  ['0', 'tooLittle'],
  ['-3', 'tooLittle'],
  ['1e3', 'unreadable'],
  ['60 min', 'unreadable'],
  ['abc', 'unreadable'],
  ['', 'unreadable'],
])('reads the amount %j as %j', (text, value) => {
  expect(parseTypedAmount(text)).toBe(value);
});

const farm = { zone: PARIS, units: 'metric' } as const;

it('has the arguments of logging once all of it is typed', () => {
  const form = {
    target: 'module 7',
    start: '2026-07-01T06:00',
    mode: 'depth_mm',
    amount: '2,5',
  } as const;
  const startedAt = '2026-07-01T04:00:00.000Z';
  expect(wateringArguments(form, farm)).toEqual({
    moduleId: 7,
    startedAt,
    inputMode: 'depth_mm',
    inputDepthMm: 2.5,
  });
  expect(
    wateringArguments({ ...form, target: 'parcel 2', mode: 'duration', amount: '40' }, farm),
  ).toEqual({
    parcelId: 2,
    startedAt,
    inputMode: 'duration',
    durationMin: 40,
  });
  for (const missing of [{ target: '' }, { amount: '' }, { start: '2026-03-29T02:30' }])
    expect(wateringArguments({ ...form, ...missing }, farm)).toBeNull();
});

it('takes inches and gallons where the farm has US units', () => {
  const us = { ...farm, units: 'us' } as const;
  const form = { target: 'module 7', start: '2026-07-01T06:00', amount: '0.5' };
  expect(wateringArguments({ ...form, mode: 'depth_mm' }, us)).toMatchObject({
    inputMode: 'depth_mm',
    inputDepthMm: 12.7,
  });
  const volume = wateringArguments({ ...form, amount: '20000', mode: 'volume_m3' }, us);
  expect(volume).toMatchObject({ inputMode: 'volume_m3' });
  // 3.785411784 L in a gallon.
  expect(volume).toHaveProperty('inputVolumeM3', expect.closeTo(75.70823568, 6));
});

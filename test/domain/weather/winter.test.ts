import { describe, expect, it } from 'vitest';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { isWinter } from '../../../src/domain/weather/winter.ts';

const isWinterOn = (day: string, latitude: number | null, zone = 'UTC'): boolean =>
  isWinter(LocalDay.parse(day), { latitude, zone });

describe('winter', () => {
  it('is from December to February in the north, and from June to August in the south', () => {
    expect(
      ['2026-11-30', '2026-12-01', '2027-02-28', '2027-03-01'].map((day) => isWinterOn(day, 43)),
    ).toEqual([false, true, true, false]);
    expect(
      ['2026-05-31', '2026-06-01', '2026-08-31', '2026-09-01'].map((day) => isWinterOn(day, -33)),
    ).toEqual([false, true, true, false]);
  });

  it('does not come to the tropics', () => {
    expect(
      ['2027-01-20', '2026-07-01'].flatMap((day) =>
        [23.5, 0, -23.5].map((latitude) => isWinterOn(day, latitude)),
      ),
    ).not.toContain(true);
    expect([23.6, -23.6].map((latitude) => isWinterOn('2027-01-20', latitude))).toEqual([
      true,
      false,
    ]);
  });

  it('is told by the summer time of a farm without a position', () => {
    expect(
      [
        'Europe/Paris',
        'America/Los_Angeles',
        'Australia/Sydney',
        'Africa/Nairobi',
        'Asia/Tokyo',
      ].map((zone) => isWinterOn('2027-01-20', null, zone)),
    ).toEqual([true, true, false, false, false]);
    expect(isWinterOn('2026-07-01', null, 'Pacific/Auckland')).toBe(true);
  });
});

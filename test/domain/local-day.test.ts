import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocalDay } from '../../src/domain/local-day.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import { propertyRuns } from '../property-runs.ts';

/** Instants of the years in which none of these zones repeats midnight. */
const instant = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2037, 0, 1) });
const zone = fc.constantFrom(
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
);
/** Days from about the year 1000 to 9000. */
const day = fc
  .integer({ min: -354_000, max: 2_560_000 })
  .map((days) => LocalDay.parse('1970-01-01').plus(days));
const count = fc.integer({ min: -1_000, max: 1_000 });

/** The date as the runtime's own calendar shows it. */
const dateInZone = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);

const RUNS = { numRuns: propertyRuns(1_000) };

describe('a local day', () => {
  it('is the date that the calendar of the zone shows', () => {
    fc.assert(
      fc.property(instant, zone, (at, timeZone) => {
        expect(LocalDay.at(at, timeZone).iso).toBe(dateInZone(at, timeZone));
      }),
      RUNS,
    );
  });

  it('lasts from its first instant in the zone to that of the next day', () => {
    fc.assert(
      fc.property(instant, zone, (at, timeZone) => {
        const today = LocalDay.at(at, timeZone);
        const { start, end } = today.periodIn(timeZone);
        expect(start <= at && at < end).toBe(true);
        expect([start, end - 1].map((limit) => dateInZone(limit, timeZone))).toEqual([
          today.iso,
          today.iso,
        ]);
        expect(today.next().startIn(timeZone)).toBe(end);
        expect(dateInZone(start - 1, timeZone)).toBe(today.plus(-1).iso);
      }),
      RUNS,
    );
  });

  it('is as many days away as were added', () => {
    fc.assert(
      fc.property(day, count, (from, days) => {
        const to = from.plus(days);
        expect(from.daysUntil(to)).toBe(days);
        expect(to.daysUntil(from) + days).toBe(0);
        expect(from.next().plus(days).iso).toBe(to.next().iso);
        expect(to.midnightMs - from.midnightMs).toBe(days * DAY_MS);
      }),
      RUNS,
    );
  });

  it('is written and read as an ISO date, which sorts as the days do', () => {
    fc.assert(
      fc.property(day, day, (one, other) => {
        expect(LocalDay.parse(one.iso).daysUntil(one)).toBe(0);
        expect(LocalDay.of(one.civil).iso).toBe(one.iso);
        expect(one.iso < other.iso).toBe(one.daysUntil(other) > 0);
      }),
      RUNS,
    );
  });

  it('has the weekday after that of the day before, and the same a week later', () => {
    expect(LocalDay.parse('2026-07-01').weekday).toBe(3);
    fc.assert(
      fc.property(day, (today) => {
        expect(today.next().weekday).toBe((today.weekday % 7) + 1);
        expect(today.plus(7).weekday).toBe(today.weekday);
      }),
      RUNS,
    );
  });

  it('counts the days until another, both included, and none backwards', () => {
    const [first, last] = [LocalDay.parse('2028-02-27'), LocalDay.parse('2028-03-01')];
    const written = (days: readonly LocalDay[]): string[] => days.map(({ iso }) => iso);
    expect(written(first.until(last))).toEqual([
      '2028-02-27',
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]);
    expect(written(first.until(first))).toEqual(['2028-02-27']);
    expect(last.until(first)).toEqual([]);
  });

  it('has 23 or 25 hours where the clocks change, and no clock time that they skip', () => {
    const spring = LocalDay.parse('2026-03-29');
    const hours = ({ start, end }: { start: number; end: number }) => (end - start) / HOUR_MS;
    expect(hours(spring.periodIn('Europe/Paris'))).toBe(23);
    expect(hours(LocalDay.parse('2026-10-25').periodIn('Europe/Paris'))).toBe(25);
    // On 4 November 2018 the clocks of Sao Paulo went from 00:00 (-03:00) to 01:00 (-02:00).
    expect(LocalDay.parse('2018-11-04').startIn('America/Sao_Paulo')).toBe(
      Date.UTC(2018, 10, 4, 3),
    );
    expect(spring.resolve(2.5 * HOUR_MS, 'Europe/Paris')).toMatchObject({
      at: Date.UTC(2026, 2, 29, 1, 30),
      resolution: 'gap',
    });
  });
});

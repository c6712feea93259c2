import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RainRecord, rainByDay, rainByDayInPeriod } from '../../../src/domain/weather/rain.ts';

const DAY = '2026-07-01';
const MIDNIGHT = Date.UTC(2026, 6, 1);
const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;

const total = (id: number, mm: number, parcelId: number | null = null): RainRecord => ({
  id,
  parcelId,
  moduleId: null,
  localDay: DAY,
  startedAt: MIDNIGHT,
  endedAt: MIDNIGHT + DAY_MS,
  isWholeDay: true,
  mm,
});
const atHour = (id: number, hour: number, mm: number, hours: number | null = null): RainRecord => ({
  id,
  parcelId: null,
  moduleId: null,
  localDay: DAY,
  startedAt: MIDNIGHT + hour * HOUR,
  endedAt: hours === null ? null : MIDNIGHT + (hour + hours) * HOUR,
  isWholeDay: false,
  mm,
});
const gauge = (id: number, moduleId: number, hour: number, mm: number): RainRecord => ({
  ...atHour(id, hour, mm, 1),
  moduleId,
});

const mmOf = (records: readonly RainRecord[], parcelId: number | null = null): number | undefined =>
  rainByDay(records, parcelId)[0]?.mm;
const sumOf = (records: readonly RainRecord[]): number =>
  rainByDay(records, null).reduce((sum, { mm }) => sum + mm, 0);

const nextDay = (record: RainRecord): RainRecord => ({
  ...record,
  localDay: '2026-07-02',
  startedAt: record.startedAt + DAY_MS,
  endedAt: record.endedAt === null ? null : record.endedAt + DAY_MS,
});
const countedIn = (records: readonly RainRecord[]): number[] =>
  rainByDay(records, null)
    .flatMap(({ counted }) => counted.map(({ id }) => id))
    .sort();

describe('rain across midnight', () => {
  const night = atHour(1, 18, 12, 11);

  it('is not added to the total of the day on which it ended', () => {
    expect(countedIn([night, nextDay(total(2, 12))])).toEqual([2]);
    expect(countedIn([nextDay(total(1, 12)), { ...night, id: 2 }])).toEqual([1]);
  });

  it('is not added to what a gauge measured after midnight, nor to a later entry of that morning', () => {
    expect(
      countedIn([nextDay(gauge(2, 7, 1, 6)), nextDay(gauge(3, 7, 2, 6)), { ...night, id: 4 }]),
    ).toEqual([2, 3]);
    expect(countedIn([night, nextDay(atHour(2, 4, 12, 2))])).toEqual([2]);
    expect(countedIn([night, nextDay(atHour(2, 7, 12, 2))])).toEqual([1, 2]);
  });

  it('counts where the total of the day before replaces it', () => {
    expect(countedIn([night, total(2, 10), nextDay(total(3, 5))])).toEqual([2, 3]);
    expect(countedIn([night, total(2, 10), nextDay(atHour(3, 3, 2, 1))])).toEqual([2, 3]);
  });
});

describe('the rain of a part of a day', () => {
  const noon = { from: MIDNIGHT + 12 * HOUR, to: MIDNIGHT + DAY_MS };

  it('has the total of the day, and not what it replaces', () => {
    expect(
      rainByDayInPeriod({ records: [total(1, 10), gauge(2, 7, 14, 4)], ...noon }, null),
    ).toMatchObject([{ mm: 10, counted: [{ id: 1 }] }]);
  });

  it('leaves out what began before or after it, and averages as the day does', () => {
    const records = [
      gauge(1, 7, 6, 3),
      gauge(2, 7, 14, 4),
      gauge(3, 8, 14, 8),
      nextDay(gauge(4, 7, 1, 1)),
    ];
    expect(rainByDayInPeriod({ records, ...noon }, null)).toMatchObject([{ mm: 6 }]);
    expect(rainByDayInPeriod({ records: records.slice(0, 1), ...noon }, null)).toEqual([]);
  });
});

describe('intervals of one gauge', () => {
  const minutes = (id: number, start: number, mm: number, length = 10): RainRecord => ({
    ...gauge(id, 7, 0, mm),
    startedAt: MIDNIGHT + start * 60_000,
    endedAt: MIDNIGHT + (start + length) * 60_000,
  });

  it('are added where messages came early or late', () => {
    expect(mmOf([minutes(1, 600, 10), minutes(2, 608.5, 1), minutes(3, 621, 2)])).toBe(13);
  });

  it('replace one another where they are of the same time, and a longer one has what is within it', () => {
    expect(mmOf([minutes(1, 600, 10), minutes(2, 601, 9)])).toBe(9);
    expect(mmOf([minutes(1, 600, 10, 60), minutes(2, 610, 3), minutes(3, 659, 1)])).toBe(11);
  });
});

describe('the rain of a day', () => {
  it('is the sum of amounts at different hours', () => {
    expect(mmOf([atHour(1, 6, 8), atHour(2, 20, 4)])).toBe(12);
  });

  it('counts the newest of two totals', () => {
    expect(mmOf([total(1, 10), total(2, 12)])).toBe(12);
  });

  it('counts the newest of two amounts whose times overlap', () => {
    expect(mmOf([atHour(1, 6, 8, 4), atHour(2, 8, 9, 4), atHour(3, 20, 1)])).toBe(10);
  });

  it('does not add what a gauge measured to a total that a person entered', () => {
    expect(mmOf([gauge(1, 7, 6, 3), gauge(2, 7, 7, 4), total(3, 9)])).toBe(9);
  });

  it('takes what a gauge measured rather than amounts at an hour, and the mean of two gauges', () => {
    expect(mmOf([gauge(1, 7, 6, 3), gauge(2, 7, 7, 4), atHour(3, 6, 20)])).toBe(7);
    expect(mmOf([gauge(1, 7, 6, 3), gauge(2, 7, 7, 4), gauge(3, 8, 6, 9)])).toBe(8);
  });

  it('is that of the parcel where the parcel has its own, else that of the farm', () => {
    const records = [total(1, 10), total(2, 14, 5)];
    expect(mmOf(records, 5)).toBe(14);
    expect(mmOf(records, 6)).toBe(10);
    expect(mmOf(records)).toBe(10);
    expect(mmOf([total(2, 14, 5)])).toBeUndefined();
  });

  it('leaves out what was undone', () => {
    expect(rainByDay([total(1, 0)], null)).toEqual([]);
  });

  it('is never more than all records together, and repeating a record changes nothing', () => {
    const record = fc
      .record({
        kind: fc.constantFrom('total', 'hour', 'gauge'),
        hour: fc.integer({ min: 0, max: 47 }),
        mm: fc.integer({ min: 1, max: 50 }),
      })
      .map(({ kind, hour, mm }) => {
        const ofDay = {
          total: total(0, mm),
          hour: atHour(0, hour % 24, mm, 8),
          gauge: gauge(0, 7, hour % 24, mm),
        }[kind];
        return hour < 24 ? ofDay : nextDay(ofDay);
      });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), (drawn) => {
        const records = drawn.map((each, index) => ({ ...each, id: index + 1 }));
        const mm = sumOf(records);
        expect(mm).toBeLessThanOrEqual(records.reduce((sum, each) => sum + each.mm, 0));
        const again = records.map((each) => ({ ...each, id: each.id + records.length }));
        expect(sumOf([...records, ...again])).toBe(mm);
      }),
    );
  });
});

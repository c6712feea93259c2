import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RainRecord, rainByDay } from '../../../src/domain/weather/rain.ts';

const DAY = '2026-07-01';
const MIDNIGHT = Date.UTC(2026, 6, 1);
const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;

const total = (id: number, mm: number, parcelId: number | null = null): RainRecord => ({
  ...{ id, parcelId, moduleId: null, localDay: DAY, startedAt: MIDNIGHT, endedAt: MIDNIGHT + DAY_MS },
  ...{ isWholeDay: true, mm },
});
const atHour = (id: number, hour: number, mm: number, hours: number | null = null): RainRecord => ({
  ...{ id, parcelId: null, moduleId: null, localDay: DAY, startedAt: MIDNIGHT + hour * HOUR },
  ...{ endedAt: hours === null ? null : MIDNIGHT + (hour + hours) * HOUR, isWholeDay: false, mm },
});
const gauge = (id: number, moduleId: number, hour: number, mm: number): RainRecord => ({
  ...atHour(id, hour, mm, 1),
  moduleId,
});

const mmOf = (records: readonly RainRecord[], parcelId: number | null = null): number | undefined =>
  rainByDay(records, parcelId)[0]?.mm;

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

  it('leaves out what was taken back', () => {
    expect(rainByDay([total(1, 0)], null)).toEqual([]);
  });

  it('is never more than all records together, and repeating a record changes nothing', () => {
    const record = fc
      .record({
        kind: fc.constantFrom('total', 'hour', 'gauge'),
        hour: fc.integer({ min: 0, max: 22 }),
        mm: fc.integer({ min: 1, max: 50 }),
      })
      .map(({ kind, hour, mm }) =>
        kind === 'total' ? total(0, mm) : kind === 'hour' ? atHour(0, hour, mm, 2) : gauge(0, 7, hour, mm),
      );
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), (drawn) => {
        const records = drawn.map((each, index) => ({ ...each, id: index + 1 }));
        const mm = mmOf(records)!;
        expect(mm).toBeLessThanOrEqual(records.reduce((sum, each) => sum + each.mm, 0));
        const again = records.map((each) => ({ ...each, id: each.id + records.length }));
        expect(mmOf([...records, ...again])).toBe(mm);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketMeans } from '../../../src/domain/moisture/bucket-means.ts';
import { countPoints, pointEnd, pointStart } from '../../../src/domain/moisture/series-points.ts';
import { offsetSpans } from '../../../src/domain/time-zone.ts';
import { propertyRuns } from '../../property-runs.ts';
import { DAY, HOUR } from '../../time.ts';

const at = (text: string): number => Date.parse(text);
const iso = (instant: number): string => new Date(instant).toISOString();

describe('points of local days', () => {
  it.each([
    ['of 24 hours', 'Europe/Paris', '2026-07-01T10:00Z', '2026-06-30T22:00Z', 24],
    ['of 23 hours', 'Europe/Paris', '2026-03-29T10:00Z', '2026-03-28T23:00Z', 23],
    ['of 25 hours', 'Europe/Paris', '2026-10-25T10:00Z', '2026-10-24T22:00Z', 25],
    ['half an hour off', 'Asia/Kolkata', '2026-07-01T18:29:59Z', '2026-06-30T18:30Z', 24],
    ['a quarter of an hour off', 'Asia/Kathmandu', '2026-07-01T10:00Z', '2026-06-30T18:15Z', 24],
    ['of 24.5 hours', 'Australia/Lord_Howe', '2026-04-05T01:00Z', '2026-04-04T13:00Z', 24.5],
    ['whose midnight is skipped', 'America/Santiago', '2026-09-06T12:00Z', '2026-09-06T04:00Z', 23],
  ])('begin at local midnight, on a day %s', (_, zone, instant, start, hours) => {
    expect(iso(pointStart(at(instant), DAY, zone))).toBe(iso(at(start)));
    expect(iso(pointEnd(at(instant), DAY, zone))).toBe(iso(at(start) + hours * HOUR));
  });

  it('begin weeks on a Monday', () => {
    expect(iso(pointStart(at('2026-07-05T21:59Z'), 7 * DAY, 'Europe/Paris'))).toBe(
      '2026-06-28T22:00:00.000Z',
    );
    expect(iso(pointStart(at('2026-07-05T22:00Z'), 7 * DAY, 'Europe/Paris'))).toBe(
      '2026-07-05T22:00:00.000Z',
    );
  });

  it('are counted by local dates', () => {
    const period = { start: at('2026-03-27T23:00Z'), end: at('2026-03-30T22:00Z') };
    expect(countPoints(period, DAY, 'Europe/Paris')).toBe(3);
    expect(countPoints(period, DAY, null)).toBe(4);
    expect(countPoints({ ...period, end: period.end + 1 }, DAY, 'Europe/Paris')).toBe(4);
  });

  it('are days of UTC without a zone', () => {
    expect(iso(pointStart(at('2026-07-01T23:20Z'), DAY, null))).toBe('2026-07-01T00:00:00.000Z');
  });
});

describe('points shorter than a day', () => {
  it.each([
    ['6 h', 6, 'Europe/Paris', '2026-07-01T10:20Z', '2026-07-01T10:00Z', 6],
    ['12 h', 12, 'Asia/Kolkata', '2026-07-01T10:20Z', '2026-07-01T06:30Z', 12],
    ['1 h', 1, 'Asia/Kolkata', '2026-07-01T10:20Z', '2026-07-01T09:30Z', 1],
    ['1 h', 1, 'Asia/Kathmandu', '2026-07-01T10:20Z', '2026-07-01T10:15Z', 1],
    [
      '3 h, while an hour is skipped',
      3,
      'Europe/Paris',
      '2026-03-29T00:30Z',
      '2026-03-28T23:00Z',
      2,
    ],
    ['3 h, after it', 3, 'Europe/Paris', '2026-03-29T01:00Z', '2026-03-29T01:00Z', 3],
    [
      '3 h, in the second pass of an hour',
      3,
      'Europe/Paris',
      '2026-10-25T01:30Z',
      '2026-10-24T22:00Z',
      4,
    ],
    [
      '1 h, in the first pass of an hour',
      1,
      'Europe/Paris',
      '2026-10-25T00:30Z',
      '2026-10-25T00:00Z',
      1,
    ],
    ['1 h, in its second pass', 1, 'Europe/Paris', '2026-10-25T01:30Z', '2026-10-25T01:00Z', 1],
    [
      '1 h, while half an hour is repeated',
      1,
      'Australia/Lord_Howe',
      '2026-04-04T15:10Z',
      '2026-04-04T15:00Z',
      0.5,
    ],
    [
      '2.5 h, with one whose start is skipped',
      2.5,
      'Europe/Paris',
      '2011-03-27T01:00Z',
      '2011-03-26T23:00Z',
      2.5,
    ],
    [
      '3 h, whose start is skipped',
      3,
      'America/Santiago',
      '2026-09-06T05:30Z',
      '2026-09-06T04:00Z',
      2,
    ],
  ])('follow the local clock: %s', (_, hours, zone, instant, start, lengthHours) => {
    expect(iso(pointStart(at(instant), hours * HOUR, zone))).toBe(iso(at(start)));
    expect(iso(pointEnd(at(instant), hours * HOUR, zone))).toBe(
      iso(at(start) + lengthHours * HOUR),
    );
  });

  it('are aligned to UTC without a zone', () => {
    expect(iso(pointStart(at('2026-07-01T10:20Z'), 6 * HOUR, null))).toBe(
      '2026-07-01T06:00:00.000Z',
    );
  });
});

it('covers any period with points that follow each other, as many as are counted', () => {
  const zone = fc.constantFrom(
    ...[
      'Europe/Paris',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'America/Santiago',
      'America/Goose_Bay',
    ],
  );
  const interval = fc.constantFrom(
    7 * 60_000,
    HOUR,
    1.5 * HOUR,
    2.5 * HOUR,
    3 * HOUR,
    5 * HOUR,
    12 * HOUR,
    DAY,
    7 * DAY,
  );
  const instant = fc.integer({
    min: at('2009-01-01T00:00Z') / 60_000,
    max: at('2012-01-01T00:00Z') / 60_000,
  });
  fc.assert(
    fc.property(
      zone,
      interval,
      instant,
      fc.nat({ max: 20_000 }),
      (name, intervalMs, minute, minutes) => {
        const period = { start: minute * 60_000, end: (minute + minutes) * 60_000 + 1 };
        let points = 0;
        for (let start = pointStart(period.start, intervalMs, name); start < period.end; points++) {
          const end = pointEnd(start, intervalMs, name);
          expect(end).toBeGreaterThan(start);
          for (const within of [start, Math.floor((start + end) / 2), end - 1])
            expect([
              pointStart(within, intervalMs, name),
              pointEnd(within, intervalMs, name),
            ]).toEqual([start, end]);
          start = end;
        }
        expect(countPoints(period, intervalMs, name)).toBe(points);
      },
    ),
    { numRuns: propertyRuns(500) },
  );
});

describe('a period cut at the changes of its zone', () => {
  it('has one offset in each part', () => {
    const spans = offsetSpans(
      { start: at('2026-01-01T00:00Z'), end: at('2027-01-01T00:00Z') },
      'Europe/Paris',
    );
    expect(
      spans.map(({ start, end, offsetMs }) => [iso(start), iso(end), offsetMs / HOUR]),
    ).toEqual([
      ['2026-01-01T00:00:00.000Z', '2026-03-29T01:00:00.000Z', 1],
      ['2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z', 2],
      ['2026-10-25T01:00:00.000Z', '2027-01-01T00:00:00.000Z', 1],
    ]);
  });

  it('is whole where the clocks do not change, and empty if the period is', () => {
    const period = { start: at('2020-01-01T00:00Z'), end: at('2026-01-01T00:00Z') };
    expect(offsetSpans(period, 'Asia/Kolkata')).toEqual([{ ...period, offsetMs: 5.5 * HOUR }]);
    expect(offsetSpans({ start: 5, end: 5 }, 'Asia/Kolkata')).toEqual([]);
  });
});

/** [sensor, instant, value] each. */
const readings = (rows: readonly (readonly [number, number, number])[]) => ({
  sensor: rows.map(([sensor]) => sensor),
  at: rows.map(([, at]) => at),
  sum: rows.map(([, , value]) => value),
  length: rows.length,
});

describe('buckets of readings', () => {
  it("have the mean of each sensor's own readings, labelled by the start of the bucket", () => {
    const { at, means, counts } = bucketMeans(
      readings([
        [0, HOUR + 10, 20],
        [0, HOUR + 20, 22],
        [1, HOUR + 20, 30],
        [1, 3 * HOUR, 31],
      ]),
      2,
      HOUR,
    );
    expect([...at]).toEqual([HOUR, 3 * HOUR]);
    expect(means.map((list) => [...list])).toEqual([
      [21, Number.NaN],
      [30, 31],
    ]);
    expect(counts).toEqual([2, 2]);
  });

  it('are the same from hourly sums as from readings', () => {
    const rows = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: -200, max: 200 }).map((quarters) => (quarters * HOUR) / 4),
        fc.integer({ min: 0, max: 100 }),
      ),
    );
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 3, 24), (raw, hours) => {
        const summed = new Map<
          string,
          { sensor: number; at: number; sum: number; count: number }
        >();
        for (const [sensor, at, value] of raw) {
          const start = at - (((at % HOUR) + HOUR) % HOUR);
          const entry = summed.get(`${sensor} ${start}`) ?? { sensor, at: start, sum: 0, count: 0 };
          entry.sum += value;
          entry.count++;
          summed.set(`${sensor} ${start}`, entry);
        }
        const list = [...summed.values()];
        const sums = {
          sensor: list.map(({ sensor }) => sensor),
          at: list.map(({ at }) => at),
          sum: list.map(({ sum }) => sum),
          count: list.map(({ count }) => count),
          length: list.length,
        };
        // Whole numbers add up the same in any order.
        expect(bucketMeans(sums, 3, hours * HOUR)).toEqual(
          bucketMeans(readings(raw), 3, hours * HOUR),
        );
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BackupCopy,
  copiesToDelete,
  DEFAULT_RETENTION,
  defaultMaxBytes,
  formatRetention,
  parseRetention,
  type Retention,
} from '../../../src/domain/backups/retention.ts';
import { DAY_MS } from '../../../src/domain/periods.ts';

const copyAt = (at: number, bytes = 1, isGood = true): BackupCopy => ({ at, bytes, isGood });

/** After all copies. */
const LATER = Date.parse('2100-01-01T00:00:00Z');

const datesOf = (copies: readonly BackupCopy[]): string[] =>
  copies.map(({ at }) => new Date(at).toISOString().slice(0, 10)).sort();

/** A copy a day, each followed by what the rules delete. */
function copiesAfter(days: number, from: string, bytesOn: (day: number) => number): BackupCopy[] {
  const first = Date.parse(from);
  let copies: BackupCopy[] = [];
  for (let day = 0; day < days; day++) {
    copies.push(copyAt(first + day * DAY_MS, bytesOn(day)));
    const maxBytes = null;
    const now = first + day * DAY_MS;
    const gone = copiesToDelete(copies, { retention: DEFAULT_RETENTION, maxBytes, now });
    copies = copies.filter((copy) => !gone.includes(copy));
  }
  return copies;
}

describe('the copies that stay', () => {
  it('are those of 7 days, 4 weeks and 12 months after 420 days', () => {
    // 2026-10-25 is a Sunday: the 420th day of a copy a day from 2025-09-01 on.
    expect(datesOf(copiesAfter(420, '2025-09-01T03:00:00Z', () => 1))).toEqual([
      '2025-11-30',
      '2025-12-31',
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      // The ends of weeks; that of the newest is a day, too.
      '2026-10-04',
      '2026-10-11',
      '2026-10-18',
      '2026-10-19',
      '2026-10-20',
      '2026-10-21',
      '2026-10-22',
      '2026-10-23',
      '2026-10-24',
      '2026-10-25',
    ]);
  });

  it('are the same whether they were chosen each day or once at the end', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 450 }),
        fc.integer({ min: 0, max: 2000 }),
        (days, offset) => {
          const from = new Date(Date.parse('2024-01-01T12:00:00Z') + offset * DAY_MS).toISOString();
          const all = Array.from({ length: days }, (_, day) =>
            copyAt(Date.parse(from) + day * DAY_MS),
          );
          const gone = copiesToDelete(all, {
            retention: DEFAULT_RETENTION,
            maxBytes: null,
            now: LATER,
          });
          expect(datesOf(copiesAfter(days, from, () => 1))).toEqual(
            datesOf(all.filter((copy) => !gone.includes(copy))),
          );
        },
      ),
      { numRuns: 20 },
    ));

  it('lose the oldest month first, and days last, when they take too much', () => {
    const copies = copiesAfter(420, '2025-09-01T03:00:00Z', () => 1);
    const staying = (maxBytes: number): string[] => {
      const gone = copiesToDelete(copies, { retention: DEFAULT_RETENTION, maxBytes, now: LATER });
      return datesOf(copies.filter((copy) => !gone.includes(copy)));
    };
    expect(staying(20)).not.toContain('2025-11-30');
    expect(staying(20)).toContain('2025-12-31');
    expect(staying(9)).toEqual([
      '2026-10-11',
      '2026-10-18',
      ...['19', '20', '21', '22', '23', '24', '25'].map((day) => `2026-10-${day}`),
    ]);
    expect(staying(5)).toEqual(['21', '22', '23', '24', '25'].map((day) => `2026-10-${day}`));
  });

  const anyCopies = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 800 * DAY_MS }),
      bytes: fc.integer({ min: 0, max: 100 }),
      isGood: fc.boolean(),
    }),
  );
  const anyRetention = fc.oneof(
    fc.record({ kind: fc.constant('newest' as const), count: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      kind: fc.constant('calendar' as const),
      days: fc.nat(9),
      weeks: fc.nat(9),
      months: fc.nat(20),
    }),
  ) satisfies fc.Arbitrary<Retention>;

  it('always include the newest good one, and all where none is good', () =>
    fc.assert(
      fc.property(
        anyCopies,
        anyRetention,
        fc.option(fc.nat(300)),
        (copies, retention, maxBytes) => {
          const gone = copiesToDelete(copies, { retention, maxBytes, now: LATER });
          const good = copies.filter(({ isGood }) => isGood);
          if (good.length === 0) expect(gone).toEqual([]);
          else {
            const newest = Math.max(...good.map(({ at }) => at));
            expect(good.some((copy) => copy.at === newest && !gone.includes(copy))).toBe(true);
          }
        },
      ),
    ));

  it('take no more than the limit, unless it is the newest good one alone', () =>
    fc.assert(
      fc.property(anyCopies, anyRetention, fc.nat(300), (copies, retention, maxBytes) => {
        const gone = copiesToDelete(copies, { retention, maxBytes, now: LATER });
        const staying = copies.filter((copy) => copy.isGood && !gone.includes(copy));
        const bytes = staying.reduce((sum, copy) => sum + copy.bytes, 0);
        expect(bytes <= maxBytes || staying.length <= 1).toBe(true);
      }),
    ));

  it('do not include a damaged one that is older than a good one', () => {
    const damaged = copyAt(DAY_MS, 1, false);
    const limits = { retention: DEFAULT_RETENTION, maxBytes: null, now: LATER };
    expect(copiesToDelete([damaged, copyAt(0)], limits)).toEqual([]);
    expect(copiesToDelete([damaged, copyAt(2 * DAY_MS)], limits)).toEqual([damaged]);
  });
});

describe('a clock that was ahead', () => {
  const now = 100 * DAY_MS;
  const ahead = Array.from({ length: 12 }, (_, day) => copyAt(now + (20 + day) * DAY_MS));

  it('costs no copy that is made once it is right again', () => {
    const today = copyAt(now);
    for (const retention of [DEFAULT_RETENTION, { kind: 'newest', count: 3 } as const])
      expect(copiesToDelete([today, ...ahead], { retention, maxBytes: null, now })).toEqual([]);
    const limits = { retention: DEFAULT_RETENTION, maxBytes: 2, now };
    expect(copiesToDelete([today, ...ahead], limits)).toEqual(ahead.slice(1));
  });
});

describe('the size of all copies', () => {
  it('is limited to five stores and a tenth of the disk', () => {
    expect(defaultMaxBytes(100, 10_000)).toBe(500);
    expect(defaultMaxBytes(100, 1000)).toBe(100);
    expect(defaultMaxBytes(100, null)).toBe(500);
  });
});

describe('a retention in words', () => {
  it.each([
    ['7d,4w,12m', { kind: 'calendar', days: 7, weeks: 4, months: 12 }],
    ['12M, 7d', { kind: 'calendar', days: 7, weeks: 0, months: 12 }],
    ['30d', { kind: 'calendar', days: 30, weeks: 0, months: 0 }],
    ['5', { kind: 'newest', count: 5 }],
  ])('is read from %s', (text, expected) => {
    expect(parseRetention(text)).toEqual(expected);
  });

  it.each(['7d,4w,12m', '12m', '10', '14d,3w'])('is written as it is read: %s', (text) => {
    expect(formatRetention(parseRetention(text)!)).toBe(text);
  });

  it.each(['', '0', '0d', '7d,7d', '7y', '-1', '1.5', '7d,', 'd', '99999', '7d 4w'])(
    'is not %j',
    (text) => {
      expect(parseRetention(text)).toBeNull();
    },
  );
});

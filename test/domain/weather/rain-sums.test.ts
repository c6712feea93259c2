import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type PeriodBounds,
  type RainRecord,
  rainByDayInPeriod,
} from '../../../src/domain/weather/rain.ts';
import { type RainSum, RainSummation } from '../../../src/domain/weather/rain-sums.ts';
import { propertyRuns } from '../../property-runs.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 400;

/** Quarters add up exactly in any order, unless gauges are averaged. */
const record = fc
  .record({
    parcelId: fc.constantFrom(null, null, null, 1, 2),
    moduleId: fc.constantFrom(null, 7),
    hour: fc.integer({ min: 0, max: DAYS * 24 }),
    hours: fc.constantFrom(null, 1, 30),
    isWholeDay: fc.boolean(),
    mm: fc.integer({ min: 0, max: 40 }).map((quarters) => quarters / 4),
  })
  .map(({ hour, hours, isWholeDay, ...rest }): Omit<RainRecord, 'id'> => {
    const day = START + Math.floor(hour / 24) * DAY;
    const startedAt = isWholeDay ? day : START + hour * HOUR;
    const endedAt = hours === null ? null : startedAt + hours * HOUR;
    return {
      ...rest,
      localDay: new Date(day).toISOString().slice(0, 10),
      isWholeDay,
      startedAt,
      endedAt: isWholeDay ? day + DAY : endedAt,
    };
  });

const instant = fc.integer({ min: 0, max: DAYS * 24 }).map((hour) => START + hour * HOUR);

const cases = fc.record({
  records: fc
    .array(record, { minLength: 600, maxLength: 900, size: 'max' })
    .map((some) =>
      some
        .map((each, id) => ({ ...each, id }))
        .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id),
    ),
  period: fc.record({ from: instant, to: instant }, { requiredKeys: [] }),
  parcelId: fc.constantFrom(undefined, null, 1, 2, 3),
});

/** The whole period at once. */
function naiveSums(
  records: readonly RainRecord[],
  period: PeriodBounds,
  parcelId: number | null | undefined,
): RainSum[] {
  const parcelIds =
    parcelId === undefined ? [...new Set(records.map((each) => each.parcelId))] : [parcelId];
  return parcelIds
    .map((id) => {
      const days = rainByDayInPeriod({ ...period, records }, id);
      return { parcelId: id, mm: days.reduce((sum, { mm }) => sum + mm, 0), days: days.length };
    })
    .filter(({ days }) => days > 0)
    .sort((a, b) => (a.parcelId ?? 0) - (b.parcelId ?? 0));
}

it('adds up the records of years, a part at a time, as if they came at once', () => {
  fc.assert(
    fc.property(cases, ({ records, period, parcelId }) => {
      const sums = new RainSummation(period, parcelId);
      for (let start = 0; start < records.length; start += 100)
        sums.add(records.slice(start, start + 100));

      const found = sums.result();
      const expected = naiveSums(records, period, parcelId);
      expect(found.map(({ parcelId: id, days }) => [id, days])).toEqual(
        expected.map((each) => [each.parcelId, each.days]),
      );
      for (const [index, { mm }] of found.entries()) expect(mm).toBeCloseTo(expected[index]!.mm, 6);
    }),
    { numRuns: propertyRuns(200) },
  );
});

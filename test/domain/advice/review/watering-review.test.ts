import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ReviewFacts,
  wateringReview,
} from '../../../../src/domain/advice/review/watering-review.ts';
import type { WateringFacts } from '../../../../src/domain/facts/watering-facts.ts';
import { DAY, HOUR, MINUTE } from '../../../time.ts';

const NOW = 20 * DAY;
const PERIOD = { start: 10 * DAY, end: NOW };

const done = (id: number, startedAt: number): WateringFacts => ({
  id,
  moduleId: 1,
  scheduleId: null,
  isDetached: false,
  startedAt,
  durationMin: 60,
  inputMode: 'duration',
  waterMm: 5,
  waterMmWetted: 5,
  scope: 'parcel',
  status: 'done',
  isConfirmed: true,
});

const jumpAt = (at: number): ReviewFacts['curves'] => [
  {
    depthCm: 10,
    slice: { topCm: 0, bottomCm: 20 },
    fieldCapacity: null,
    frozen: [],
    minRise: 0.3,
    points: Array.from({ length: 10 * 24 }, (_, hour) => ({
      at: PERIOD.start + hour * HOUR,
      value: PERIOD.start + hour * HOUR > at ? 25 : 20,
    })),
  },
];

const review = (facts: Partial<ReviewFacts>) =>
  wateringReview(
    {
      curves: [],
      waterings: [],
      setup: { settingsVersions: [], versions: [], commissioning: null },
      rootDepthCm: null,
      ...facts,
    },
    PERIOD,
    NOW,
  );

describe('a review', () => {
  const WATERED = 15 * DAY;

  it('explains the rise after a watering by it, and lists one without a watering', () => {
    const { waterings, unlogged } = review({
      curves: jumpAt(WATERED),
      waterings: [done(1, WATERED)],
    });
    expect(waterings.map(({ response }) => response.response)).toEqual(['reached']);
    expect(unlogged).toEqual([]);
    expect(review({ curves: jumpAt(WATERED) }).unlogged).toHaveLength(1);
  });

  it('gives waterings shortly after one another the response of their group', () => {
    const second = WATERED + 2 * HOUR;
    const { waterings } = review({
      curves: jumpAt(second),
      waterings: [done(1, WATERED), done(2, second)],
    });
    expect(waterings.map(({ watering, group }) => [watering.id, group])).toEqual([
      [2, { firstId: 1, size: 2, startedAt: WATERED }],
      [1, { firstId: 1, size: 2, startedAt: WATERED }],
    ]);
    expect(waterings[0]!.response).toBe(waterings[1]!.response);
  });

  it('has each done watering that began in the period, once and newest first', () => {
    const watering = fc.record({
      minute: fc.integer({ min: 0, max: (NOW + DAY) / MINUTE }),
      status: fc.constantFrom('done' as const, 'planned' as const, 'skipped' as const),
    });
    const property = fc.property(fc.array(watering, { maxLength: 12 }), (entries) => {
      const waterings = entries
        .map(({ minute, status }, id) => ({ ...done(id, minute * MINUTE), status }))
        .sort((a, b) => a.startedAt - b.startedAt || a.id - b.id);
      const expected = waterings.filter(
        ({ status, startedAt }) =>
          status === 'done' && startedAt >= PERIOD.start && startedAt < PERIOD.end,
      );
      expect(review({ waterings }).waterings.map((each) => each.watering)).toEqual(
        expected.reverse(),
      );
    });
    fc.assert(property);
  });
});

describe('the first rise of a new probe', () => {
  const RISE = 15 * DAY;
  const countOf = (daysBefore: number, isAssumed = false): number =>
    review({
      curves: jumpAt(RISE),
      setup: {
        settingsVersions: [],
        versions: [],
        commissioning: { at: RISE - daysBefore * DAY, isAssumed },
      },
    }).unlogged.length;

  it('is its soil that settles, in its first week', () => {
    expect([countOf(2), countOf(8)]).toEqual([0, 1]);
  });

  it('is listed where nobody said since when it stands', () => {
    expect(countOf(2, true)).toBe(1);
  });
});

describe('waterings that no depth shows', () => {
  // Of 28 %, so that 10 cm lack 8 mm and rise from half of that on.
  const curves = jumpAt(NOW).map((curve) => ({ ...curve, fieldCapacity: 0.28 }));
  const setup = { settingsVersions: undefined, versions: [], commissioning: null };
  const lightness = (mm: number, days: readonly number[]) =>
    wateringReview(
      {
        curves,
        waterings: days.map((day, index) => ({
          ...done(index + 1, day * DAY),
          waterMm: 0.35 * mm,
          waterMmWetted: mm,
        })),
        setup,
        rootDepthCm: 60,
      },
      PERIOD,
      NOW,
    ).waterings.map(({ isTooLight }) => isTooLight);

  it('are too light below 5 mm that the soil above the sensors still holds', () => {
    expect(lightness(4, [12, 15])).toEqual([true, true]);
    expect(lightness(6, [12, 15])).toEqual([false, false]);
    // The newest first: the second dose comes before the crop drank the first.
    expect(lightness(4, [12, 12.5])).toEqual([false, true]);
  });
});

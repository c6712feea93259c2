import { describe, expect, it } from 'vitest';
import { summarizeReview } from '../../../src/language/advice/review-summary.ts';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

type Watering = ReviewBody['waterings'][number];
type Rise = ReviewBody['unlogged'][number];

const WATERING = {
  eventId: 1,
  startedAt: iso(FARM_NOW - 24 * HOUR),
  response: 'reached',
  deepestCm: 30,
  riseMm: 8.26,
  waterMm: 10,
  waterMmWetted: null,
  netMmWetted: null,
  groupOf: null,
  deeperFirst: false,
  witness: 'confirmed',
} as Partial<Watering> as Watering;

const RISE = {
  start: iso(FARM_NOW - 48 * HOUR),
  waterMm: null,
  riseMm: 12.4,
  likely: 'unknown',
  roseElsewhere: false,
  plannedEventId: null,
  rainMm: null,
} as Partial<Rise> as Rise;

const REVIEW = {
  moduleId: 1,
  start: iso(FARM_NOW - 72 * HOUR),
  end: iso(FARM_NOW),
  waterings: [],
  unlogged: [],
  leftOut: { waterings: 0, unlogged: 0 },
} as Partial<ReviewBody> as ReviewBody;

const PERIOD = 'from 28 Jun 12:00 to today 12:00 (Europe/Paris)';

const reviewSaid = async (changes: Partial<ReviewBody>, units?: 'us', parcel = 'North block') =>
  renderText(
    await summarizeReview(
      { ...REVIEW, ...changes },
      contextOf({ modules: [MODULE], parcels: [{ id: 1, name: parcel }] }),
      {},
      [],
    ),
    units,
  );

describe('the review of waterings', () => {
  it.each<[string, Partial<ReviewBody>]>([
    [`No watering is logged as done on North 1 ${PERIOD}.`, {}],
    [
      `No watering is logged as done on North 1 ${PERIOD}. Left out: 2 older waterings and 1 older rise.`,
      { leftOut: { waterings: 2, unlogged: 1 } },
    ],
    [
      `1 watering of North 1 ${PERIOD}: 1 reached the root zone. The newest with a visible effect, yesterday 12:00: down to 30 cm, and the soil gained 8.3 mm; the watering gave 10 mm.`,
      { waterings: [WATERING] },
    ],
    [
      `1 watering of North 1 ${PERIOD}: 1 is too recent to judge.`,
      { waterings: [{ ...WATERING, response: 'too_early' }] },
    ],
    [
      `1 watering of North 1 ${PERIOD}: 1 showed no response. Check why the water of yesterday did not reach the probe.`,
      { waterings: [{ ...WATERING, response: 'no_response' }] },
    ],
    [
      `1 watering of North 1 ${PERIOD}: 1 reached below the roots. The water of yesterday reached below the roots: if that happens often, give less at a time. The newest with a visible effect, yesterday 12:00: down to 30 cm, and the soil gained 8.3 mm; the watering gave 20 mm in the wetted zone, less losses.`,
      {
        waterings: [{ ...WATERING, response: 'below_roots', waterMmWetted: 22, netMmWetted: 20 }],
      },
    ],
    [
      `No watering is logged as done on North 1 ${PERIOD}. 1 rise with no watering logged; the newest 29 Jun 12:00, about 12 mm in the wetted soil, a watering or rain. No rain is recorded for then, so ask before you log a watering.`,
      { unlogged: [RISE] },
    ],
    [
      `No watering is logged as done on North 1 ${PERIOD}. Recorded rain explains 1 rise; the newest 29 Jun 12:00, 14 mm of rain.`,
      { unlogged: [{ ...RISE, likely: 'rain', rainMm: 14.2 }] },
    ],
  ])('is %j', async (sentence, changes) => expect(await reviewSaid(changes)).toBe(sentence));

  it('has US figures of the exact values', async () => {
    expect(await reviewSaid({ waterings: [WATERING] }, 'us')).toMatch(
      /down to 12 in \(30 cm\), and the soil gained 0\.33 in \(8\.3 mm\); the watering gave 0\.39 in \(10 mm\)\.$/,
    );
    expect(await reviewSaid({ unlogged: [RISE] }, 'us')).toContain(
      'about 0.5 in (12 mm) in the wetted soil',
    );
  });

  it('expects no rain under cover', async () =>
    expect(await reviewSaid({ unlogged: [RISE] }, undefined, 'Greenhouse 2')).toMatch(
      /in the wetted soil, a watering\. Ask before you log one\.$/,
    ));
});

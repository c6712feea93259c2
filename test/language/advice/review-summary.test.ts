import { describe, expect, it } from 'vitest';
import { summarizeReview } from '../../../src/language/advice/review-summary.ts';
import type { NamedParcel } from '../../../src/language/summary-context.ts';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

type Watering = ReviewBody['waterings'][number];

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

const REVIEW = {
  moduleId: 1,
  start: iso(FARM_NOW - 72 * HOUR),
  end: iso(FARM_NOW),
  waterings: [],
  unlogged: [],
  leftOut: { waterings: 0, unlogged: 0 },
} as Partial<ReviewBody> as ReviewBody;

const PERIOD = 'from 28 Jun 12:00 to today 12:00 (Europe/Paris)';

interface Place {
  readonly parcel?: Omit<NamedParcel, 'id'>;
  readonly advisories?: readonly Advisory[];
}

const reviewSaid = async (
  changes: Partial<ReviewBody>,
  units?: 'us',
  { parcel = { name: 'North block' }, advisories = [] }: Place = {},
) =>
  renderText(
    await summarizeReview(
      { ...REVIEW, ...changes },
      contextOf({ modules: [MODULE], parcels: [{ id: 1, ...parcel }] }),
      {},
      advisories,
    ),
    units,
  );

const DONE = (count: number, responses: string) =>
  `${count} watering${count === 1 ? '' : 's'} of North 1 ${PERIOD}: ${responses}.`;
const NEWEST = 'The newest with a visible effect, yesterday 12:00: down to 30 cm';

describe('the review of waterings', () => {
  it.each<[string, Partial<ReviewBody>]>([
    [`No watering is logged as done on North 1 ${PERIOD}.`, {}],
    [
      `No watering is logged as done on North 1 ${PERIOD}. Left out: 2 older waterings and 1 older rise.`,
      { leftOut: { waterings: 2, unlogged: 1 } },
    ],
    [
      `${DONE(1, '1 reached the root zone')} ${NEWEST}, and the soil gained 8.3 mm; the watering gave 10 mm.`,
      { waterings: [WATERING] },
    ],
    [
      `${DONE(1, '1 reached the root zone')} ${NEWEST}.`,
      { waterings: [{ ...WATERING, riseMm: null }] },
    ],
    [DONE(1, '1 is too recent to judge'), { waterings: [{ ...WATERING, response: 'too_early' }] }],
    [
      DONE(1, '1 showed no response, as the soil was already full'),
      { waterings: [{ ...WATERING, response: 'full_soil' }] },
    ],
    [
      `${DONE(1, '1 showed no response')} Check why the water of yesterday did not reach the probe.`,
      { waterings: [{ ...WATERING, response: 'no_response' }] },
    ],
    [
      `${DONE(3, '2 showed no response and 1 cannot be told from rain or another watering')} Of the 30 mm counted, 10 mm confirmed, 20 mm assumed: nobody saw those, so ask whether they ran. Check whether that of yesterday ran and reached the probe. Check why the water of yesterday did not reach the probe.`,
      {
        waterings: [
          { ...WATERING, response: 'no_response', witness: 'assumed', unseen: 'no_rise' },
          { ...WATERING, response: 'other_water', witness: 'assumed', unseen: 'rain' },
          { ...WATERING, response: 'no_response' },
        ],
      },
    ],
    [
      `${DONE(1, '1 reached below the roots')} The water of yesterday reached below the roots: if that happens often, give less at a time. ${NEWEST}, and the soil gained 8.3 mm; the watering gave 20 mm in the wetted zone, less losses.`,
      {
        waterings: [{ ...WATERING, response: 'below_roots', waterMmWetted: 22, netMmWetted: 20 }],
      },
    ],
    [
      `${DONE(2, '2 reached the root zone')} Assessed together, because they are at most 3 hours apart: those of yesterday 12:00 and yesterday 14:00. ${NEWEST}, and the soil gained 8.3 mm; the watering gave 20 mm.`,
      {
        waterings: [
          { ...WATERING, groupOf: 1 },
          {
            ...WATERING,
            eventId: 2,
            groupOf: 1,
            riseMm: null,
            startedAt: iso(FARM_NOW - 22 * HOUR),
          },
        ],
      },
    ],
    [
      `${DONE(1, '1 reached the root zone')} The water of yesterday reached a deeper sensor before the uppermost one: it runs down cracks or along the probe, or arrives from the side. Look at the soil; where it is cracked, give less at a time and more often. ${NEWEST}, and the soil gained 8.3 mm; the watering gave 10 mm.`,
      { waterings: [{ ...WATERING, deeperFirst: true }] },
    ],
  ])('is %j', async (sentence, changes) => expect(await reviewSaid(changes)).toBe(sentence));

  it('has US figures of the exact values', async () => {
    expect(await reviewSaid({ waterings: [WATERING] }, 'us')).toMatch(
      /down to 12 in \(30 cm\), and the soil gained 0\.33 in \(8\.3 mm\); the watering gave 0\.39 in \(10 mm\)\.$/,
    );
  });

  const rain: Advisory = {
    kind: 'rain_around_waterings',
    rows: [{ eventId: 1, at: FARM_NOW - 24 * HOUR, mm: 2 }],
  };

  it.each<[string, Place]>([
    [': unless it rained, ', {}],
    [', and the rain recorded for then does not explain it: ', { advisories: [rain] }],
    [': unless it rained, ', { parcel: { name: 'Greenhouse 2' } }],
    [': ', { parcel: { name: 'North block', type: 'tomato, greenhouse' } }],
  ])('shows no gain far above the dose, but says what to check%s', async (rainRemark, place) =>
    expect(await reviewSaid({ waterings: [{ ...WATERING, riseMm: 30 }] }, undefined, place)).toBe(
      `${DONE(1, '1 reached the root zone')} ${NEWEST}. The sensors show far more water than the watering of yesterday gave${rainRemark}check application rate, wetted fraction and the placement of the probe.`,
    ),
  );

  it('believes such a gain beside water that nobody saw', async () => {
    const other = { ...WATERING, eventId: 2, groupOf: 1, response: 'other_water', riseMm: null };
    const waterings = [{ ...WATERING, groupOf: 1, riseMm: 30 }, other as Watering];
    expect(await reviewSaid({ waterings })).not.toContain('far more water');
  });

  it('tells of wrong hours beside waterings that no depth showed, of each once', async () => {
    const hoursAgo = (hours: readonly number[]) => hours.map((hour) => iso(FARM_NOW - hour * HOUR));
    const summary = await reviewSaid({
      waterings: [{ ...WATERING, response: 'no_response', riseMm: null, deepestCm: null }],
      unseenWaterings: { startedAt: hoursAgo([24, 48]), areScheduled: false, shiftDays: null },
      earlyWaterings: { startedAt: hoursAgo([120, 216, 312]), hours: 9 },
    });
    expect(summary).toBe(
      `${DONE(1, '1 showed no response')} No depth showed the waterings of 29 Jun 12:00 and yesterday 12:00: check the valve and the filter, and whether the probe stands in the wetted soil. The soil became wetter some 9 hours before the logged start of each of the waterings of 18 Jun 12:00, 22 Jun 12:00 and 26 Jun 12:00: either these times are wrong (was morning taken for evening, or the end for the start?), or this probe gets the water of another valve. Ask which; correct the log only if its times are wrong.`,
    );
  });
});

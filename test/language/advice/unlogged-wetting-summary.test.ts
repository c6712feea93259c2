import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/say.ts';
import { describeUnloggedWettingEvents } from '../../../src/language/advice/unlogged-wetting-summary.ts';
import type { ReviewBody } from '../../../src/schema/advice/review.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';

type Rise = ReviewBody['unlogged'][number];

const RISE = {
  start: iso(FARM_NOW - 2 * DAY),
  waterMm: null,
  riseMm: 12.4,
  likely: 'unknown',
  roseElsewhere: false,
  plannedEventId: null,
  rainMm: null,
} as Partial<Rise> as Rise;

const NEWEST = '1 rise with no watering logged; the newest 29 Jun 12:00';
const IN_SOIL = `${NEWEST}, about 12 mm in the wetted soil`;
const ASK = 'No rain is recorded for then, so ask before you log a watering.';

const describeRises = (changes: readonly Partial<Rise>[], canRain: boolean) =>
  sentences(
    describeUnloggedWettingEvents(
      { unlogged: changes.map((change) => ({ ...RISE, ...change })) } as ReviewBody,
      canRain,
    ),
  );

describe('rises without a logged watering', () => {
  it.each<[string, readonly Partial<Rise>[]]>([
    ['', []],
    [`${IN_SOIL}, a watering or rain. ${ASK}`, [{}]],
    [`${NEWEST}, a watering or rain. ${ASK}`, [{ riseMm: null }]],
    [
      `2 rises with no watering logged; the newest 29 Jun 12:00, about 4.3 mm over the whole area if it was irrigation, a watering or rain. ${ASK}`,
      [{ waterMm: 4.34 }, {}],
    ],
    [
      `${NEWEST}, about 4.3 mm over the whole area, more likely a watering than rain. ${ASK}`,
      [{ waterMm: 4.34, likely: 'watering' }],
    ],
    [
      `${IN_SOIL}, at the same time as on other parcels: rain, or all were watered. ${ASK}`,
      [{ roseElsewhere: true }],
    ],
    [
      `${IN_SOIL}, a watering or rain. The 2 mm of rain recorded for then do not explain it, so ask before you log a watering.`,
      [{ rainMm: 2.04 }],
    ],
    [
      `${IN_SOIL}, more likely a watering than rain. A watering was planned then: if it ran, confirm it. ${ASK}`,
      [{ likely: 'watering', plannedEventId: 12 }],
    ],
    [
      `${IN_SOIL}, a watering or rain. A watering was planned then: if it ran, confirm it.`,
      [{ rainMm: 2, plannedEventId: 12 }],
    ],
    [
      'Recorded rain explains 1 rise; the newest 29 Jun 12:00, 14 mm of rain.',
      [{ likely: 'rain', rainMm: 14.2 }],
    ],
  ])('are %j', (sentence, rises) => expect(renderText(describeRises(rises, true))).toBe(sentence));

  // 12.4 mm are 0.488 in, 4.34 mm 0.171 and 14.2 mm 0.559; about them has fewer digits.
  it.each<[string, Partial<Rise>]>([
    ['about 0.5 in (12 mm) in the wetted soil', {}],
    ['about 0.2 in (4.3 mm) over the whole area', { waterMm: 4.34 }],
    ['The 0.17 in (4.3 mm) of rain recorded', { rainMm: 4.34 }],
    ['0.56 in (14 mm) of rain.', { likely: 'rain', rainMm: 14.2 }],
  ])('have US figures of the exact values: %s', (figure, rise) =>
    expect(renderText(describeRises([rise], true), 'us')).toContain(figure),
  );

  it.each<Partial<Rise>>([{}, { likely: 'watering' }, { roseElsewhere: true }])(
    'are waterings where it cannot rain: %j',
    (rise) =>
      expect(renderText(describeRises([rise], false))).toBe(
        `${IN_SOIL}, a watering. Ask before you log one.`,
      ),
  );

  it('lead to the planned watering that is to be confirmed', () =>
    expect(renderAnswer(describeRises([{ plannedEventId: 12 }], true)).next).toEqual([
      'correct_watering(eventId: 12, status: done)',
    ]));
});

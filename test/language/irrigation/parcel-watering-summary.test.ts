import { describe, expect, it } from 'vitest';
import { summarizeParcelWatering } from '../../../src/language/irrigation/parcel-watering-summary.ts';
import type { WateringAnswer, WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, iso, MINUTE } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { answerOf, equipment, farm, volume } from './waterings.ts';

/** One probe for each. */
const summarize = (
  events: readonly Partial<WateringBody>[],
  warnings: readonly WateringAnswer['warnings'][] = [],
) =>
  summarizeParcelWatering(
    {
      parcelId: 1,
      count: events.length,
      waterings: events.map((event, index) =>
        answerOf({ moduleId: index + 1, ...event }, warnings[index]),
      ),
    },
    farm,
  );

const doses = (...mm: readonly (number | null)[]) => mm.map((waterMm) => ({ waterMm }));

const WHEN = 'today 06:00 to 06:45 (Europe/Paris)';
const TWO = `Logged 45 min of drip on Block 12 mm (Row 1 and Row 2), ${WHEN}`;

describe('a watering of a parcel', () => {
  it.each<[string, readonly Partial<WateringBody>[]]>([
    [`Logged 45 min of drip on Block 12 mm (Row 1), ${WHEN}: 21.5 mm over the whole area.`, [{}]],
    [`${TWO}: 21.5 mm over the whole area, each.`, [{}, {}]],
    [`${TWO}: 21.5 mm over the whole area, each.`, doses(21.46, 21.54)],
    [`${TWO}: no dose yet.`, doses(null, null)],
    [`${TWO}: 6 mm over the whole area on Row 1; no dose yet on Row 2.`, doses(6, null)],
    [
      `Planned 45 min of watering on Block 12 mm (Row 1 and Row 2), ${WHEN}: 6 mm over the whole area, each.`,
      [
        { waterMm: 6, status: 'planned' },
        { waterMm: 6, configSnapshot: equipment({ system: 'pivot' }) },
      ],
    ],
    [
      `Logged 45 min of drip on Block 12 mm (5 probes), ${WHEN}: 6 mm over the whole area on Row 2, Row 3, Row 4 and Row 5; 3 mm over the whole area on Row 1.`,
      doses(3, 6, 6, 6, 6),
    ],
    [
      `Logged 45 min of drip on Block 12 mm (6 probes), ${WHEN}: 6 mm over the whole area on Row 1, Row 2, Row 3 and 2 more; 3 mm over the whole area on Row 6.`,
      doses(6, 6, 6, 6, 6, 3),
    ],
    [
      `Logged 45 min of drip on Block 12 mm (6 probes), ${WHEN}: 1 mm over the whole area on Row 1; 2 mm over the whole area on Row 2; 3 mm over the whole area on Row 3; 4 mm over the whole area on Row 4; 5 to 6 mm on the other 2.`,
      doses(1, 2, 3, 4, 5, 6),
    ],
    [
      `Logged 45 min of drip on Block 12 mm (5 probes), ${WHEN}: 1 mm over the whole area on Row 1; 2 mm over the whole area on Row 2; 3 mm over the whole area on Row 3; 4 mm over the whole area on Row 4; no dose yet on the other 1.`,
      doses(1, 2, 3, 4, null),
    ],
    [
      `Logged 48 m3 of drip for the whole parcel on Block 12 mm (Row 1), ${WHEN}: 3 mm over the whole area.`,
      [{ ...volume(48), waterMm: 3 }],
    ],
    [
      `Logged 48 m3 of drip for the whole parcel (15950 m2) on Block 12 mm (Row 1), ${WHEN}: 3 mm over the whole area.`,
      [{ ...volume(48), waterMm: 3, configSnapshot: equipment({ irrigatedAreaM2: 15_950.3 }) }],
    ],
    [
      'Logged 45 min of drip on Block 12 mm (Row 1), today 11:50 to 12:15 (Europe/Paris): 21.5 mm over the whole area. It is still running until 12:15.',
      [{ startedAt: iso(FARM_NOW - 10 * MINUTE), endedAt: iso(FARM_NOW + 15 * MINUTE) }],
    ],
  ])('is %j', async (sentence, events) =>
    expect(renderText(await summarize(events))).toBe(sentence),
  );

  // 15,950.3 m2 are 3.941 acres; the name of the parcel is a person's.
  it('has US units', async () => {
    const event = {
      ...volume(48),
      waterMm: 3.009,
      configSnapshot: equipment({ irrigatedAreaM2: 15_950.3 }),
    };
    expect(renderText(await summarize([event]), 'us')).toBe(
      `Logged 12,700 gal (48 m3) of drip for the whole parcel (3.94 acres [15950 m2]) on Block 12 mm (Row 1), ${WHEN}: 0.12 in (3 mm) over the whole area.`,
    );
    expect(renderText(await summarize(doses(1, 2, 3, 4, 5.07, 6.4)), 'us')).toContain(
      '; 0.2 to 0.25 in (5.1 to 6.4 mm) on the other 2.',
    );
  });
});

describe('what the dose of a parcel lacks', () => {
  const noDoses = doses(null, null);

  it.each<[string, readonly string[], readonly WateringAnswer['warnings'][]]>([
    [
      'No equipment of Block 12 mm covers that date, so the dose is missing',
      ['set_parcel_installation(effectiveFrom: that date or before)'],
      [['NO_INSTALLATION'], ['NO_INSTALLATION']],
    ],
    [
      'No equipment of Row 2 covers that date, so the dose is missing',
      ['set_module_installation(effectiveFrom: that date or before)'],
      [[], ['NO_INSTALLATION']],
    ],
    [
      'The irrigated area of Block 12 mm is not known, so its volume gives no dose: ask for it, and add it to the equipment of the parcel.',
      ['set_parcel_installation(irrigatedAreaM2)', 'correct_installation(irrigatedAreaM2)'],
      [['MISSING_IRRIGATED_AREA'], ['MISSING_IRRIGATED_AREA']],
    ],
    [
      'The equipment has no application rate',
      ['correct_installation(flowMmPerH)'],
      [['MISSING_FLOW_RATE'], []],
    ],
  ])('is said once: %s', async (sentence, next, warnings) => {
    const answer = renderAnswer(await summarize(noDoses, warnings));
    expect(answer.summary.split(sentence)).toHaveLength(2);
    expect(answer.next).toEqual(next);
  });

  it('is a dose of some, and the wetted dose of others', async () => {
    const warnings: WateringAnswer['warnings'][] = [['NO_INSTALLATION'], ['NO_INSTALLATION']];
    const { summary } = renderAnswer(await summarize(doses(null, 6), warnings));
    expect(summary).toContain('No equipment of Row 1 covers that date, so the dose is missing');
    expect(summary).toContain(
      'No equipment of Row 2 covers that date, so the dose in the wetted zone is missing',
    );
  });
});

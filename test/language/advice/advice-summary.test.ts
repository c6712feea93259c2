import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { summarizeAdvice } from '../../../src/language/advice/advice-summary.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { ADVICE } from './advice.ts';

const context = contextOf({ modules: [{ ...MODULE, id: 1, name: 'Row 2 in (50 mm)' }] });
const OAK = '"Row 2 in (50 mm)"';

interface AdviceChanges {
  readonly advice?: Partial<AdviceBody>;
  readonly advisories?: readonly Advisory[];
}

const summary = ({ advice = {}, advisories = [] }: AdviceChanges) =>
  summarizeAdvice({ ...ADVICE, ...advice }, context, { expectedRainMm: 60 }, advisories);

const heard = async (changes: AdviceChanges, units?: UnitSystem): Promise<string> =>
  renderText(await summary(changes), units);

const STRESSED = 'it is already at or below the stress point';
const LACKS =
  'It lacks 21 mm in its root zone to reach field capacity, today 11:00 (Europe/Paris).';
const AMOUNT = '4 h 10 min, 21 mm over the whole area, 43 m3';
const NOTHING_PLANNED = 'No watering is planned between now and 5 Jul.';
const SOAKING = 'A recent watering may still be soaking in: ask again when it has soaked in.';

describe('the advice for a probe', () => {
  it.each<[string, AdviceChanges]>([
    [
      `${OAK} needs water now: ${STRESSED}. ${LACKS} To refill it, give ${AMOUNT}, not counting losses or leaching. ${NOTHING_PLANNED}`,
      {},
    ],
    [
      `${OAK} does not need water now: about 5 days until the stress point. ${SOAKING} ${LACKS} To refill it would take ${AMOUNT}. ${NOTHING_PLANNED}`,
      { advice: { daysToStress: 5, reasons: ['RECENT_WATERING'] } },
    ],
    [
      `${SOAKING} ${OAK} lacks 21 mm in its root zone to reach field capacity, today 11:00 (Europe/Paris). To refill it would take ${AMOUNT}, not counting losses or leaching. It is already at or below the stress point. ${NOTHING_PLANNED}`,
      { advice: { reasons: ['RECENT_WATERING'] } },
    ],
    [
      `${OAK} needs 4 h 10 min; planned today 22:00 for 10 h: enough, if it runs. ${LACKS} What is planned for today is enough, if it runs. ${NOTHING_PLANNED}`,
      {
        advice: { waterMm: 0, takenOffMm: 30, daysToStress: null, reasons: ['PLANNED_TODAY'] },
        advisories: [
          {
            kind: 'enough_if_it_runs',
            neededMm: 21.46,
            neededMin: 250,
            at: FARM_NOW + 10 * HOUR,
            durationMin: 600,
          },
        ],
      },
    ],
    [
      `The field capacity is drawn at 41 %, but its texture class has 28.1 %: check it, and move it or draw it again at the same height to confirm it. How much water ${OAK} needs is unknown. ${NOTHING_PLANNED}`,
      {
        advice: {
          deficitMm: null,
          waterMm: null,
          daysToStress: null,
          reasons: ['FIELD_CAPACITY_IN_DOUBT'],
          doubtedLines: [
            { line: 'fieldCapacity', height: 41, expected: 28.1, basis: 'soil_profile' },
          ],
        },
      },
    ],
  ])('is %j', async (sentence, changes) => expect(await heard(changes)).toBe(sentence));

  it('takes fallen rain from what expected rain can refill', async () => {
    const changes: AdviceChanges = {
      advice: { waterMm: 0, reasons: ['RECENT_RAIN', 'EXPECTED_RAIN'] },
      advisories: [{ kind: 'recent_rain', mm: 10, isShown: false, isLost: false, effectiveMm: 8 }],
    };
    // 21.46 mm less 8.
    expect(await heard(changes)).toMatch(
      /10 mm of rain may .* This counts on 60 mm of expected rain, 13 mm of it for the roots: if less falls, ask again\.$/,
    );
  });

  it('converts amounts, and no name', async () => {
    const sentence = await heard({}, 'us');
    expect(sentence).toContain(`${OAK} needs water now`);
    expect(sentence).toContain('It lacks 0.84 in (21 mm) in its root zone');
  });
});

describe('the rest of a crop', () => {
  it.each<[string, Partial<AdviceBody>, string[]]>([
    [
      `${OAK} needs no watering now: its crop is at rest until 15 March.`,
      { reasons: ['AT_REST'], rest: { until: '2027-03-15', harvestedOn: null } },
      ['set_probe_settings(restUntil)', 'set_parcel(plantedOn)'],
    ],
    [
      `${OAK} needs no watering now: its crop was harvested on 12 June.`,
      { reasons: ['AT_REST'], rest: { until: null, harvestedOn: '2026-06-12' } },
      ['set_parcel(harvestedOn)'],
    ],
    [
      `${OAK} needs no watering now: its crop was harvested on 12 June. Planned until 5 Jul: 1 watering, 8 mm in all, the next tomorrow 12:00 (Europe/Paris).`,
      {
        reasons: ['AT_REST'],
        rest: { until: null, harvestedOn: '2026-06-12' },
        planned: {
          until: iso(FARM_NOW + 4 * DAY),
          count: 1,
          waterMm: 8,
          nextAt: iso(FARM_NOW + DAY),
        },
      },
      ['set_parcel(harvestedOn)'],
    ],
  ])('is %j', async (sentence, advice, next) =>
    expect(renderAnswer(await summary({ advice }))).toEqual({ summary: sentence, next }),
  );
});

describe('what is planned', () => {
  const planned = (changes: Partial<AdviceBody['planned']>, advice: Partial<AdviceBody> = {}) =>
    heard({
      advice: {
        ...advice,
        planned: {
          until: iso(FARM_NOW + 4 * DAY),
          count: 2,
          waterMm: 8.34,
          nextAt: iso(FARM_NOW + HOUR),
          ...changes,
        },
      },
    });

  it.each<[string, Partial<AdviceBody['planned']>, Partial<AdviceBody>]>([
    ['2 waterings, 8.3 mm in all, the next today 13:00 (Europe/Paris).', {}, {}],
    ['2 waterings, of unknown dose, the next today 13:00 (Europe/Paris).', { waterMm: null }, {}],
    [
      '1 watering, 15 mm in all, one running since today 11:00 (Europe/Paris).',
      { count: 1, waterMm: 15, nextAt: iso(FARM_NOW - HOUR) },
      {},
    ],
    [
      '2 waterings, 22 mm in all, the next today 13:00 (Europe/Paris). The planned waterings are enough, if they run.',
      { waterMm: 22 },
      {},
    ],
    [
      '2 waterings, 22 mm in all, the next today 13:00 (Europe/Paris). What is planned after today gives as much, if you can wait and if it runs.',
      { waterMm: 22 },
      { waterMm: 20, takenOffMm: 2, reasons: ['PLANNED_TODAY'] },
    ],
  ])('is %j', async (sentence, changes, advice) =>
    expect(await planned(changes, advice)).toMatch(
      new RegExp(`Planned until 5 Jul: ${sentence.replace(/[.()]/g, '\\$&')}$`),
    ),
  );

  it('is not said of a module without soil moisture', async () =>
    expect(await planned({}, { reasons: ['NO_SOIL_MOISTURE'] })).not.toContain('Planned'));
});

describe('the advice by tension', () => {
  const byTension = (value: number, reasons: AdviceBody['reasons'] = ['TENSION_ONLY']) =>
    heard({
      advice: {
        deficitMm: null,
        waterMm: null,
        daysToStress: null,
        reasons,
        tension: { value, wetLevel: null, dryLevel: 50, isDry: value > 50 },
      },
    });

  it.each<[RegExp, number, AdviceBody['reasons']?]>([
    [/^Water now\. "Row 2 in \(50 mm\)" is too dry: 60 kPa today 11:00/, 60],
    [/^No need to water yet\. "Row 2 in \(50 mm\)" is not too dry: 40 kPa/, 40],
    [/^A recent watering may still .* soaked in\. "Row 2 in/, 60, ['RECENT_WATERING']],
    [/^"Row 2 in \(50 mm\)" is too dry: 60 kPa/, 60, ['RECENT_RAIN']],
    [/^Half of the measured soil .* "Row 2 in .* says neither wet nor dry\./, 60, ['FROZEN']],
  ])('is %s', async (sentence, value, reasons) =>
    expect(await byTension(value, reasons)).toMatch(sentence),
  );
});

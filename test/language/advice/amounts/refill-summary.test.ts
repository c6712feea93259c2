import { describe, expect, it } from 'vitest';
import type { WateringDecision } from '../../../../src/domain/advice/watering-decision.ts';
import { sentences } from '../../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../../src/domain/units.ts';
import { describeRefill } from '../../../../src/language/advice/amounts/refill-summary.ts';
import type { AdviceBody } from '../../../../src/schema/advice/advice.ts';
import { FARM_NOW, HOUR } from '../../../farm.ts';
import { renderText } from '../../render-text.ts';
import { contextOfAdvice } from '../advice.ts';

const SETTINGS = { refillPercent: 100, efficiencyPercent: 100, leachingPercent: 0, hoursPerDay: 4 };
const WHOLE = '21 mm over the whole area, 43 m3';

const refill = (
  decision: WateringDecision | null,
  changes: Partial<AdviceBody> = {},
  { now = FARM_NOW, units }: { now?: number; units?: UnitSystem } = {},
): string =>
  renderText(sentences(describeRefill(decision, contextOfAdvice(changes, { now }))), units);

const planned = (mm: number): Partial<AdviceBody> => ({
  reasons: ['PLANNED_TODAY'],
  takenOffMm: mm,
});

describe('the amount of an advice', () => {
  it.each<[string, WateringDecision | null, Partial<AdviceBody>]>([
    [`To refill it, give 4 h 10 min, ${WHOLE}, not counting losses or leaching.`, 'water', {}],
    [`To refill it would take 4 h 10 min, ${WHOLE}, not counting losses or leaching.`, null, {}],
    [`To refill it would take 4 h 10 min, ${WHOLE}.`, 'wait', {}],
    [
      'To refill 80 % of it, give 21 mm over the whole area, of which 19 mm for the roots: efficiency 90 %, no leaching.',
      'water',
      {
        settings: { ...SETTINGS, refillPercent: 80, efficiencyPercent: 90 },
        netMm: 19.3,
        durationMin: null,
        volumeM3: null,
        daily: null,
      },
    ],
    [
      `To refill it would take 4 h 10 min, ${WHOLE}, of which 20 mm for the roots: no losses, leaching 10 %.`,
      'enough',
      { settings: { ...SETTINGS, leachingPercent: 10 }, netMm: 19.5 },
    ],
    ['', 'water', { waterMm: null }],
    ['What is planned for today is enough, if it runs.', 'enough', { waterMm: 0, ...planned(8) }],
    ['The rain would be enough: nothing needs to be given now.', 'enough', { waterMm: 0 }],
    [
      'The expected rain would be enough: nothing needs to be given now.',
      'enough',
      { waterMm: 0, reasons: ['EXPECTED_RAIN'] },
    ],
    [
      `To refill it would take 4 h 10 min, ${WHOLE}. That is in addition to the 7.5 mm planned for today, if they run.`,
      'wait',
      planned(7.46),
    ],
  ])('is %j', (sentence, decision, changes) => expect(refill(decision, changes)).toBe(sentence));

  it('is converted from what it was before it was rounded', () => {
    // 21.46 mm are 0.8449 in, 43.067 m3 are 11 377 gallons; 21 mm would be 0.83 in.
    expect(refill('water', {}, { units: 'us' })).toBe(
      'To refill it, give 4 h 10 min, 0.84 in (21 mm) over the whole area, 11,400 gal (43 m3), not counting losses or leaching.',
    );
    // 7.46 mm are 0.2937 in.
    expect(refill('wait', planned(7.46), { units: 'us' })).toMatch(
      /in addition to the 0\.29 in \(7\.5 mm\) planned for today/,
    );
  });
});

describe('an amount of several days', () => {
  const days = (daily: AdviceBody['daily'], hoursPerDay = 4, now = FARM_NOW): string =>
    refill('water', { daily, settings: { ...SETTINGS, hoursPerDay } }, { now }).replace(
      /^.*?leaching\. /,
      '',
    );

  it.each([
    [2, 'At most 4 h a day: 2 h 5 min tonight, 2 h 5 min tomorrow;'],
    [3, 'At most 4 h a day: 2 h 5 min tonight, then 2 h 5 min a day for 2 more days;'],
    [14, 'At most 4 h a day: 2 h 5 min tonight, then 2 h 5 min a day for 13 more days;'],
    [15, 'At most 4 h a day: 2 h 5 min tonight, then 2 h 5 min a day for more than two weeks;'],
  ])('of %i days starts tonight', (count, sentence) =>
    expect(days({ days: count, minutesPerDay: 125 })).toBe(
      `${sentence} from the second day on, check again first.`,
    ),
  );

  it('starts today before noon, or where it does not fit into a night', () => {
    const morning = FARM_NOW - HOUR;
    expect(days({ days: 2, minutesPerDay: 125 }, 4, morning)).toContain('2 h 5 min today,');
    expect(days({ days: 2, minutesPerDay: 1000 }, 24)).toBe(
      'That is more than a day: 16 h 40 min today, 16 h 40 min tomorrow; from the second day on, check again first.',
    );
  });
});

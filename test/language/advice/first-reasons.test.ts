import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/say.ts';
import {
  describeDoubtAdvisory,
  describeFirstReasons,
  describeUrgentReasons,
} from '../../../src/language/advice/first-reasons.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { renderText } from '../render-text.ts';

// A sentence for every reason is recorded; these depend on more than the reason.
describe('depths in doubt', () => {
  const silent = {
    kind: 'depths_silent' as const,
    depths: [
      { depthCm: 30, since: FARM_NOW - 3 * DAY },
      { depthCm: 60, since: FARM_NOW - 3 * DAY },
      { depthCm: 90, since: null },
    ],
  };
  const jumped = { kind: 'depths_jumped' as const, at: FARM_NOW - HOUR, points: 6.4 };

  it('are named with their last readings', () => {
    expect(renderText(describeDoubtAdvisory(silent))).toBe(
      'Half of the measured soil or more has no recent reading that can be used (none from 30 and 60 cm since 28 Jun 12:00; 90 cm for more than two weeks), so no amount is given: check these sensors.',
    );
    expect(renderText(describeDoubtAdvisory(silent), 'us')).toContain(
      '(none from 12 and 24 in [30 and 60 cm] since 28 Jun 12:00; 35 in [90 cm] for more than two weeks)',
    );
  });

  it('are named with how far they rose, and when', () =>
    expect(renderText(describeDoubtAdvisory(jumped))).toMatch(
      /^All of its depths rose at once, by 6\.4 points or more today 11:00, with no watering or rain recorded,/,
    ));

  it('are not named in an answer without them', () =>
    expect(renderText(sentences(describeFirstReasons(['DEPTHS_JUMPED', 'MOSTLY_SILENT'])))).toMatch(
      /^All of its depths rose at once, with no .* can be used, so no amount is given/,
    ));
});

it('says before all else what who waters now has to know', () => {
  const reasons = ['FROZEN', 'GAPS', 'RECENT_WATERING'] as const;
  const heard = (texts: ReturnType<typeof describeFirstReasons>) =>
    texts.map((text) => renderText(text));
  const [urgent, ...others] = heard(describeUrgentReasons(reasons));
  expect(urgent).toMatch(/^A recent watering may still be soaking in/);
  expect(others).toEqual([]);
  const first = heard(describeFirstReasons(reasons));
  expect(first).toEqual([expect.stringMatching(/^Half of the measured soil/), urgent]);
});

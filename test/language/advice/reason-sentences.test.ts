import { describe, expect, it } from 'vitest';
import type { ReasonKind } from '../../../src/domain/advice/reason-kinds.ts';
import { sentences } from '../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { adviceSentences } from '../../../src/language/advice/advice-advisories.ts';
import {
  describeDelays,
  describeDoubts,
  describeRemainingReasons,
} from '../../../src/language/advice/reason-sentences.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { DAY, FARM_NOW, HOUR } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { contextOfAdvice } from './advice.ts';

const REQUEST = { expectedRainMm: 12.5, demandPercent: 130 };

const answer = (
  reasons: readonly ReasonKind[],
  changes: Partial<AdviceBody> = {},
  { units, request = REQUEST }: { units?: UnitSystem; request?: { expectedRainMm: number } } = {},
) =>
  renderAnswer(
    sentences(
      describeRemainingReasons(contextOfAdvice({ ...changes, reasons: [...reasons] }, { request })),
    ),
    units,
  );

// A sentence for every reason is recorded; these depend on more than the reason.
describe('the reasons of an advice', () => {
  it.each<[ReasonKind, string, Partial<AdviceBody>]>([
    ['TENSION_ONLY', '', {}],
    ['FIELD_CAPACITY_ESTIMATED', '', { deficitMm: null }],
    ['DEFAULT_FRACTION_WETTED', '', { deficitMm: null }],
    ['SLICE_WITHOUT_VALUE', 'A depth without a value was assumed to be as wet as the others.', {}],
    [
      'SLICE_WITHOUT_VALUE',
      'No depth has a usable value (a single 0 is ignored): ask again after the next reading.',
      { deficitMm: null },
    ],
    [
      'ROOTS_TOO_DEEP',
      'Its root depth of 150 cm is more than its crop usually has: check it.',
      { usualRoots: { crop: 'apple', fromCm: 60, toCm: 120, rootDepthCm: 150 } },
    ],
    [
      'DAILY_LIMIT_TOO_SHORT',
      'At most 2 h 30 min a day is too little to catch up: check the application rate, and allow more hours a day if you can.',
      {
        settings: {
          refillPercent: 100,
          efficiencyPercent: 100,
          leachingPercent: 0,
          hoursPerDay: 2.5,
        },
      },
    ],
    [
      'EXPECTED_DEMAND',
      'The days until stress are based on your forecast: drying at 130 % of the pace of the last two weeks.',
      {},
    ],
    // What the advice says elsewhere.
    ['BALANCE_DIFFERS', '', {}],
    ['RECENT_WATERING', '', {}],
  ])('%s is said as %j', (reason, sentence, changes) =>
    expect(answer([reason], changes).summary).toBe(sentence),
  );

  it('do not ask for a reading where what the soil holds is unknown', () =>
    expect(answer(['NO_SOIL_PROFILE', 'SLICE_WITHOUT_VALUE'], { deficitMm: null }).summary).toMatch(
      /^How much water its soil holds is unknown: ask for the texture of its parcel, then declare it\.$/,
    ));

  it('do not call the pace of the weather a forecast of the caller', () =>
    expect(answer(['EXPECTED_DEMAND'], {}, { request: { expectedRainMm: 0 } }).summary).toBe(''));

  it('lead to the calls that remove them', () => {
    expect(answer(['MISSING_IRRIGATED_AREA', 'GAPS'])).toEqual({
      summary: 'More than a tenth of the readings of the last week are missing.',
      next: ['correct_installation(irrigatedAreaM2)', 'get_module_health'],
    });
    expect(answer(['FRACTION_OF_LINE_SPACING'], { fractionWetted: 0.346 })).toEqual({
      summary:
        'Drip lines at their spacing wet about 34.6 % of the area, so this counts with that and not with the default: if it looks right in the field, enter it as the wetted fraction.',
      next: ['correct_installation(fractionWetted: 34.6 %)'],
    });
  });

  it('are converted', () => {
    // Of 12.5 mm, 10 reach the roots: 0.49 and 0.39 in.
    expect(answer(['EXPECTED_RAIN']).summary).toBe(
      'This counts on 12.5 mm of expected rain, 10 mm of it for the roots: if less falls, ask again.',
    );
    expect(answer(['EXPECTED_RAIN'], {}, { units: 'us' }).summary).toBe(
      'This counts on 0.49 in (12.5 mm) of expected rain, 0.39 in (10 mm) of it for the roots: if less falls, ask again.',
    );
    expect(answer(['FIELD_CAPACITY_ESTIMATED'], {}, { units: 'us' }).summary).toBe(
      'Its field capacity is that of a texture class, so the deficit can be off by some 1.2 in (30 mm) in 24 in (60 cm) of roots, and twice that in clay or among stones.',
    );
  });
});

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
    const text = adviceSentences.depths_silent(silent);
    expect(renderText(text)).toBe(
      'Half of the measured soil or more has no recent reading that can be used (none from 30 and 60 cm since 28 Jun 12:00; 90 cm for more than two weeks), so no amount is given: check these sensors.',
    );
    expect(renderText(text, 'us')).toContain(
      '(none from 12 and 24 in [30 and 60 cm] since 28 Jun 12:00; 35 in [90 cm] for more than two weeks)',
    );
  });

  it('are named with how far they rose, and when', () =>
    expect(renderText(adviceSentences.depths_jumped(jumped))).toMatch(
      /^All of its depths rose at once, by 6\.4 points or more today 11:00, with no watering or rain recorded,/,
    ));

  it('are said as by the reason of an advice', () => {
    const context = contextOfAdvice({ reasons: ['DEPTHS_JUMPED', 'MOSTLY_SILENT'] }, {}, [
      jumped,
      silent,
    ]);
    expect(describeDoubts(context)).toEqual([
      adviceSentences.depths_jumped(jumped),
      adviceSentences.depths_silent(silent),
    ]);
  });

  it('are not named in an answer without them', () =>
    expect(
      renderText(
        sentences(describeDoubts(contextOfAdvice({ reasons: ['DEPTHS_JUMPED', 'MOSTLY_SILENT'] }))),
      ),
    ).toMatch(/^All of its depths rose at once, with no .* can be used, so no amount is given/));
});

it('says before all else what who waters now has to know', () => {
  const context = contextOfAdvice({ reasons: ['FROZEN', 'RECENT_WATERING', 'GAPS'] });
  expect(describeDelays(context).map((text) => renderText(text))).toEqual([
    expect.stringMatching(/^A recent watering may still be soaking in/),
  ]);
  expect(describeDoubts(context).map((text) => renderText(text))).toEqual([
    expect.stringMatching(/^Half of the measured soil/),
  ]);
});

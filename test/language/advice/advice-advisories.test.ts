import { describe, expect, it } from 'vitest';
import { adviceSentences } from '../../../src/language/advice/advice-advisories.ts';
import { renderText } from '../render-text.ts';

const slices = [
  { topCm: 0, bottomCm: 20 },
  { topCm: 40, bottomCm: 60 },
];
const {
  deficit_depth,
  slices_without_value,
  slices_in_doubt,
  frozen_slices,
  slices_without_layer,
} = adviceSentences;

describe('the soil that an advice counts', () => {
  it.each([
    ['The deficit is for 0 to 60 cm.', deficit_depth({ kind: 'deficit_depth', bottomCm: 60 })],
    [
      'No recent value from 0 to 20 cm and 40 to 60 cm.',
      slices_without_value({ kind: 'slices_without_value', slices }),
    ],
    [
      'Left out because its readings are in doubt, and taken to be as wet as the rest: 0 to 20 cm and 40 to 60 cm.',
      slices_in_doubt({ kind: 'slices_in_doubt', slices }),
    ],
    [
      'Left out because the soil is frozen there, and taken to be as wet as the rest: 0 to 20 cm and 40 to 60 cm.',
      frozen_slices({ kind: 'frozen_slices', slices }),
    ],
    [
      'No soil layer from 0 to 20 cm and 40 to 60 cm.',
      slices_without_layer({ kind: 'slices_without_layer', slices }),
    ],
  ])('is %j', (sentence, text) => expect(renderText(text)).toBe(sentence));

  it('is converted', () =>
    expect(renderText(slices_without_layer({ kind: 'slices_without_layer', slices }), 'us')).toBe(
      'No soil layer from 0 to 8 in (0 to 20 cm) and 16 to 24 in (40 to 60 cm).',
    ));
});

describe('the pace of drying', () => {
  const drying = { kind: 'drying_rate' as const, count: 5, pointsPerDay: 0.546, residual: null };
  const FORMS = {
    newest: 'It dries by 0.55 points a day: the mean of the newest dry day and the median of 5 in',
    days: 'It dries by 0.55 points a day: the median of 5 dry days in',
    parts: 'It dries by about 0.55 points a day: the median of 5 dry spells in',
  } as const;

  it.each(['newest', 'days', 'parts'] as const)('names its basis: %s', (basis) =>
    expect(renderText(adviceSentences.drying_rate({ ...drying, basis }))).toContain(FORMS[basis]),
  );

  it('slows down towards a residual', () =>
    expect(
      renderText(
        adviceSentences.drying_rate({
          ...drying,
          basis: 'days',
          pointsPerDay: 1.04,
          residual: 9.36,
        }),
      ),
    ).toBe(
      'It dries by 1 point a day: the median of 5 dry days in the last two weeks, each hour compared with the same hour of the day before. Soil dries more slowly the drier it is, so the days until stress are the mean of that pace and of an exponential fall towards 9.4 %.',
    ));
});

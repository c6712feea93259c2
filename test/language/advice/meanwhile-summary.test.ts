import { describe, expect, it } from 'vitest';
import type { Meanwhile } from '../../../src/domain/advice/advice.ts';
import { sentences } from '../../../src/domain/text/say.ts';
import {
  describeMeanwhile,
  meanwhileInBrief,
} from '../../../src/language/advice/meanwhile-summary.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [{ ...MODULE, id: 2, name: 'Elm' }] });

const MEANWHILE: Meanwhile = {
  basis: 'balance',
  moduleId: null,
  waterMm: 18.25,
  durationMin: 240,
  daysToStress: 0.4,
};
const BY_PROBE: Partial<Meanwhile> = { basis: 'probe', moduleId: 2 };

describe('what to do until a doubt is cleared up', () => {
  it.each<[string, string, Partial<Meanwhile>]>([
    ['go by the water balance: give 4 h, 18 mm.', '4 h, 18 mm by the water balance', {}],
    [
      'go by the water balance: give 18 mm.',
      '18 mm by the water balance',
      { durationMin: null, daysToStress: null },
    ],
    [
      'go by the water balance, which asks for no water.',
      'no water now by the water balance',
      { waterMm: 0 },
    ],
    [
      'go by the water balance, which asks for no water now: about 4 days until the stress point; to refill it would take 4 h, 18 mm.',
      'no water now by the water balance',
      { daysToStress: 4 },
    ],
    [
      'go by Elm in the same block: give 4 h, 18 mm.',
      '4 h, 18 mm, as another probe of its block needs',
      BY_PROBE,
    ],
    [
      'go by Elm in the same block, which needs no water.',
      'no water: another probe of its block needs none now',
      { ...BY_PROBE, waterMm: 0 },
    ],
    [
      'go by Elm in the same block, which does not need water now: about 4 days until the stress point; to refill it would take 4 h, 18 mm.',
      'no water: another probe of its block needs none now',
      { ...BY_PROBE, daysToStress: 4 },
    ],
    [
      'go on as in the last two weeks: 4 h a week.',
      'as in the last two weeks, 4 h a week',
      { basis: 'recent', waterMm: null, daysToStress: null },
    ],
    [
      'go on as in the last two weeks: 4 h, 18 mm a week, if all of that ran.',
      'as in the last two weeks, 4 h, 18 mm a week if all of that ran',
      { basis: 'unconfirmed', daysToStress: null },
    ],
  ])('is to %j, in the brief %j', async (sentence, inBrief, changes) => {
    const meanwhile = { ...MEANWHILE, ...changes };
    expect(renderText(sentences(await describeMeanwhile(meanwhile, context)))).toBe(
      `Until it is checked, ${sentence}`,
    );
    expect(renderText(meanwhileInBrief(meanwhile))).toBe(inBrief);
  });

  it('converts what is given', () =>
    // 18.25 mm are 0.7185 in; 18 mm would be 0.71 in.
    expect(renderText(meanwhileInBrief(MEANWHILE), 'us')).toBe(
      '4 h, 0.72 in (18 mm) by the water balance',
    ));

  it('is not said where nothing is in doubt', async () =>
    expect(await describeMeanwhile(null, context)).toEqual([]));
});

import { expect, it } from 'vitest';
import { summarizeThresholdSuggestion } from '../../../src/language/advice/threshold-suggestion-summary.ts';
import type { ThresholdSuggestionBody } from '../../../src/schema/advice/threshold-suggestion.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const SUGGESTION = {
  moduleId: 1,
  fieldCapacity: 27.34,
  doubt: null,
  least: 26.8,
  most: 28.1,
  stressPoint: 20.5,
  inForce: null,
  wettings: [{ time: iso(FARM_NOW - HOUR) }, { time: iso(FARM_NOW - 2 * HOUR) }],
  unused: { wateredAgain: 0, tooRecent: 0, gaps: 0 },
} as Partial<ThresholdSuggestionBody> as ThresholdSuggestionBody;

const summaryOf = (changes: Partial<ThresholdSuggestionBody>) =>
  summarizeThresholdSuggestion({ ...SUGGESTION, ...changes }, contextOf({ modules: [MODULE] }));

const FOUND =
  'the median 24 to 48 hours after 2 wettings that reached its deepest sensor, between 26.8 and 28.1 %. They reached it at these times: today 11:00 and today 10:00 (Europe/Paris).';

it.each<[string, Partial<ThresholdSuggestionBody>]>([
  ['North 1 has no soil moisture sensor, so it shows no field capacity.', { doubt: 'noMoisture' }],
  [
    `Once drained, North 1 holds 27.3 %, its field capacity: ${FOUND} With it, plants begin to suffer at 20.5 %. No field capacity is in force: ask whether 27.3 % should be used, then draw it.`,
    {},
  ],
  [
    `Once drained, North 1 holds 27.3 %, its field capacity: ${FOUND.replace('between 26.8 and 28.1', 'all at 27.3')} The stress point needs a wilting point below it as well: declare the soil of its parcel. 30 % is in force: ask whether 27.3 % should be used, then draw it.`,
    { least: 27.31, most: 27.34, stressPoint: null, inForce: 30 },
  ],
  [
    `Once drained, North 1 holds 27.3 %: ${FOUND} They differ too much for one field capacity: some of these waterings were probably too small to fill the soil. Water once until no sensor rises any more, and draw what it holds two days later.`,
    { doubt: 'tooWide' },
  ],
  [
    `Once drained, North 1 holds 27.3 %: ${FOUND} That is below the 40 % in force, and not each of these waterings is known to have given what the soil lacked: they were probably too small to fill it, or its texture is declared wrong. Water once until no sensor rises any more, and draw what it holds two days later.`,
    { doubt: 'tooLow', inForce: 40 },
  ],
  [
    'The field capacity of North 1 cannot be determined from its readings: in the last year only one wetting reached its deepest sensor from above and then drained for two days without more water, and 3 are needed. Not counted: 2 followed by more water within two days, 1 less than two days ago and 3 with too few readings afterwards. Water until the deepest sensor rises, wait two days, and ask again; or draw a field capacity that the person knows.',
    {
      fieldCapacity: null,
      wettings: SUGGESTION.wettings.slice(1),
      unused: { wateredAgain: 2, tooRecent: 1, gaps: 3 },
    },
  ],
])('says of a suggested field capacity: %j', async (sentence, changes) => {
  const summary = await summaryOf(changes);
  expect(renderText(summary)).toBe(sentence);
  expect(renderText(summary, 'us')).toBe(sentence);
});

it('offers to draw the exact value', async () =>
  expect(renderAnswer(await summaryOf({})).next).toEqual([
    'create_annotation(type: h-line, style.fill: threshold1, value: 27.34)',
  ]));

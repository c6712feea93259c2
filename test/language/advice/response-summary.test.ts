import { describe, expect, it } from 'vitest';
import { name, say, sentences } from '../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { summarizeAdvice } from '../../../src/language/advice/advice-summary.ts';
import { describeDoubts } from '../../../src/language/advice/reason-sentences.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { ADVICE, contextOfAdvice } from './advice.ts';

const response = (changes: Partial<AdviceBody>, units?: UnitSystem): string =>
  renderText(sentences(describeDoubts(contextOfAdvice(changes))), units);

/** The newest first, each at noon. */
const unseen = (
  days: readonly number[],
  changes: Partial<NonNullable<AdviceBody['unseenWaterings']>> = {},
): Partial<AdviceBody> => ({
  reasons: [changes.shiftDays == null ? 'NO_RESPONSE' : 'LOG_SHIFTED'],
  unseenWaterings: {
    startedAt: days.map((day) => iso(FARM_NOW - day * DAY)),
    areScheduled: false,
    shiftDays: null,
    ...changes,
  },
});

const CHECK = 'the valve and the filter, and whether the probe stands in the wetted soil.';

describe('waterings that no depth showed', () => {
  it.each<[string, Partial<AdviceBody>]>([
    [
      `No depth showed the waterings of 26 Jun 12:00 and 29 Jun 12:00: check ${CHECK}`,
      unseen([2, 5]),
    ],
    [`No depth showed the 4 waterings since 26 Jun 12:00: check ${CHECK}`, unseen([2, 3, 4, 5])],
    [
      `Did they run? No depth showed the waterings of 29 Jun 12:00: ask first, because nobody confirmed them; if they ran, check ${CHECK}`,
      unseen([2], { areScheduled: true }),
    ],
    [
      'No depth showed the waterings of 29 Jun 12:00, but each time the soil became wetter 1 day later, when none is logged: either these days are wrong, or this probe gets the water of another valve. Ask which; correct the log only if its days are wrong.',
      unseen([2], { shiftDays: 1 }),
    ],
    [
      'No depth showed the waterings of 29 Jun 12:00, but each time the soil became wetter 2 days earlier, when none is logged: either these days are wrong, or this probe gets the water of another valve. Ask which; correct the log only if its days are wrong.',
      unseen([2], { shiftDays: -2 }),
    ],
    ['', { ...unseen([2]), reasons: ['STALE_DATA', 'NO_RESPONSE'] }],
  ])('are said as %j', (sentence, changes) => expect(response(changes)).toBe(sentence));

  it('are those of another probe where the two are exchanged, and no log is corrected', () => {
    const exchanged = contextOfAdvice(
      { reasons: ['PROBES_EXCHANGED'], exchangedWith: 7 },
      { exchangedWith: say`${name('Elm')}` },
    );
    expect(renderAnswer(sentences(describeDoubts(exchanged)))).toEqual({
      next: [],
      summary:
        'This probe shows the waterings that are logged on Elm, and Elm those of this one: the two have probably been exchanged, so that each shows the soil of the other block. Find out which stands where before you water by either, and leave the log as it is unless both stand in the right block.',
    });
  });

  it('are corrected where their days are wrong', () => {
    const texts = describeDoubts(contextOfAdvice(unseen([2], { shiftDays: 1 })));
    expect(renderAnswer(sentences(texts)).next).toEqual(['correct_watering']);
  });
});

describe('soil that does not follow the water', () => {
  it('is too wet for what has come', () =>
    expect(response({ reasons: ['TOO_WET'], wetSince: iso(FARM_NOW - 6 * DAY) })).toMatch(
      /^This probe has been more than 4 points above its drawn field capacity since 25 Jun, although/,
    ));

  // Whole days end at midnight.
  it.each([
    ['29 Jun', 2.5 * DAY],
    ['28 Jun to 29 Jun', 3.5 * DAY],
  ])('did not rise after the rain of %s', (days, beforeNow) =>
    expect(
      response({
        reasons: ['GAUGE_DOUBTFUL'],
        unshownRain: {
          mm: 22.4,
          from: iso(FARM_NOW - beforeNow),
          until: iso(FARM_NOW - 1.5 * DAY),
        },
      }),
    ).toMatch(new RegExp(`^No depth rose after 22 mm of rain \\(${days}\\), although`)),
  );

  it('is named with the rain in inches', () =>
    // 22.4 mm are 0.8819 in; 22 mm would be 0.87 in.
    expect(
      response(
        {
          reasons: ['GAUGE_DOUBTFUL'],
          unshownRain: { mm: 22.4, from: iso(FARM_NOW - DAY), until: iso(FARM_NOW) },
        },
        'us',
      ),
    ).toMatch(/^No depth rose after 0\.88 in \(22 mm\) of rain \(yesterday to today\), although/));

  it('differs from that of other probes on the valve', async () => {
    const context = contextOf({
      modules: [
        { ...MODULE, id: 2, name: 'Elm' },
        { ...MODULE, id: 3, name: 'Ash' },
      ],
    });
    const summarize = async (differing: number[]) =>
      renderText(
        await summarizeAdvice({ ...ADVICE, reasons: ['PROBES_DIFFER'], differing }, context, {
          expectedRainMm: 0,
        }),
      );
    const sentence =
      'For its soil it is much wetter or drier than Elm and Ash on the same valve: look at both places before you water by one of them.';
    expect(await summarize([2, 3])).toContain(sentence);
    expect(await summarize([])).not.toContain('on the same valve');
  });
});

import { describe, expect, it } from 'vitest';
import {
  UNSEEN_REASONS,
  type UnseenReason,
  type WitnessKind,
} from '../../../src/domain/advice/witness/witness.ts';
import {
  describeWitnesses,
  describeWitnessesOfCount,
  describeWitnessesOfSum,
  describeWitnessesOfThat,
  listWitnesses,
  sumByWitness,
  witnessNote,
} from '../../../src/language/irrigation/witness-summary.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const ASK = 'nobody saw those, so ask whether they ran';

const seen = (witness: WitnessKind, waterMm: number) => ({ witness, waterMm });

const describeOf = (waterings: readonly ReturnType<typeof seen>[], totalMm: number | null = 68) =>
  describeWitnesses(sumByWitness(waterings), totalMm, waterings)!;

const MIXED = [seen('confirmed', 40.3), seen('assumed', 27.7)];
const ASSUMED = [seen('assumed', 27.7)];

describe('who saw waterings', () => {
  it.each([
    ['40.3 mm confirmed, 27.7 mm assumed', MIXED, 68],
    ['1 confirmed, 1 assumed', MIXED, null],
    ['all of it assumed', ASSUMED, 27.7],
    ['all of them shown by the probe', [seen('probe', 0)], null],
    [
      '0.33 mm confirmed, 0.34 mm assumed',
      [seen('confirmed', 0.333), seen('assumed', 0.337)],
      0.67,
    ],
  ])('is %j', (text, waterings, totalMm) =>
    expect(renderText(listWitnesses(sumByWitness(waterings), totalMm, waterings)!)).toBe(text),
  );

  it('is nothing to say where persons confirmed all', () =>
    expect(listWitnesses(sumByWitness([seen('confirmed', 5)]), 5, [])).toBeNull());

  it('is another probe, where its own shows nothing of any', () => {
    const waterings = [{ ...seen('probe', 5), unseen: 'no_rise' } as const];
    expect(renderText(listWitnesses(sumByWitness(waterings), 5, waterings)!)).toBe(
      'all of it shown by another probe',
    );
    expect(renderText(witnessNote(waterings[0]!)!)).toBe('(shown by another probe)');
  });

  it.each([
    ['Of that, 40.3 mm confirmed', describeWitnessesOfThat(describeOf(MIXED))],
    ['All of it assumed', describeWitnessesOfThat(describeOf(ASSUMED))],
    ['Of the 68 mm counted, 40.3 mm confirmed', describeWitnessesOfSum(68.04, describeOf(MIXED))],
    ['27.7 mm counted, all of it assumed', describeWitnessesOfSum(27.7, describeOf(ASSUMED))],
    ['Of these, 1 confirmed', describeWitnessesOfSum(null, describeOf(MIXED, null))],
    ['All of them assumed', describeWitnessesOfSum(null, describeOf(ASSUMED, null))],
    ['Of the 2 waterings done, 1 confirmed', describeWitnessesOfCount(2, describeOf(MIXED, null))],
    [
      '1 watering done, all of them assumed',
      describeWitnessesOfCount(1, describeOf(ASSUMED, null)),
    ],
  ])('follows a sum: %s', (start, text) => {
    const answer = renderAnswer(text);
    expect(answer.summary.startsWith(start)).toBe(true);
    expect(answer.summary).toMatch(new RegExp(`: ${ASK}\\.$`));
    expect(answer.next).toEqual(['correct_watering(status: done or skipped)']);
  });

  // 12.34 mm are 0.486 in, 12.3 mm 0.484.
  it.each([
    [MIXED, '2.68 in (68 mm)', '1.59 in (40.3 mm)', '1.09 in (27.7 mm)'],
    [
      [seen('confirmed', 12.34), seen('assumed', 55.7)],
      '2.68 in (68 mm)',
      '0.49 in (12.3 mm)',
      '2.19 in (55.7 mm)',
    ],
  ])('has US units of the exact amounts: %#', (waterings, sum, confirmed, assumed) =>
    expect(renderText(describeWitnessesOfSum(68.04, describeOf(waterings)), 'us')).toContain(
      `Of the ${sum} counted, ${confirmed} confirmed, ${assumed} assumed`,
    ),
  );

  const REASONS: Readonly<Record<UnseenReason, string>> = {
    no_rise: 'its probe shows no rise',
    too_early: 'too early for its probe',
    no_readings: 'its probe has no readings from that time',
    no_probe: 'no probe measures its soil',
    rain: 'rain explains the rise',
    other_watering: 'a confirmed watering explains the rise',
  };

  it.each(UNSEEN_REASONS)('has the reason why its probe does not show one: %s', (unseen) =>
    expect(renderText(witnessNote({ witness: 'assumed', unseen })!)).toBe(
      `(assumed: ${REASONS[unseen]})`,
    ),
  );
});

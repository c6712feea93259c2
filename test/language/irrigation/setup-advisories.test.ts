import { describe, expect, it } from 'vitest';
import { setupSentences } from '../../../src/language/irrigation/setup-advisories.ts';
import { DAY, FARM_NOW } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const {
  parcel_area_unknown: areaUnknown,
  doses_completed: completed,
  planned_doses_updated: updated,
  recorded_doses_unchanged: unchanged,
  application_rate_lost: rateLost,
  same_equipment: sameEquipment,
  equal_version_before: equalVersion,
  parcel_setup: parcelSetup,
  default_wetted_fraction: defaultFraction,
} = setupSentences;

describe('doses after a change of equipment', () => {
  it.each([
    ['1 missing dose was completed.', completed({ kind: 'doses_completed', count: 1 })],
    ['2 missing doses were completed.', completed({ kind: 'doses_completed', count: 2 })],
    [
      '1 planned watering now has the dose of the new equipment.',
      updated({ kind: 'planned_doses_updated', count: 1 }),
    ],
    [
      '2 planned waterings now have the dose of the new equipment.',
      updated({ kind: 'planned_doses_updated', count: 2 }),
    ],
    [
      '1 recorded dose keeps its earlier figure.',
      unchanged({ kind: 'recorded_doses_unchanged', count: 1 }),
    ],
    [
      '2 recorded doses keep their earlier figure.',
      unchanged({ kind: 'recorded_doses_unchanged', count: 2 }),
    ],
  ])('are counted: %s', (sentence, text) => expect(renderText(text)).toBe(sentence));

  it.each([
    ['Block 12 mm', 'Block 12 mm'],
    ['', 'parcel 3'],
  ])('lack the area of the parcel: "%s"', (parcel, called) => {
    const answer = renderAnswer(
      areaUnknown({ kind: 'parcel_area_unknown', parcelId: 3, parcel, count: 2 }),
      'us',
    );
    expect(answer).toEqual({
      summary: `The irrigated area of ${called} is not known, which the volume of 2 waterings of the whole parcel needs: ask for it, and add it to the equipment of the parcel.`,
      next: ['set_parcel_installation(irrigatedAreaM2)', 'correct_installation(irrigatedAreaM2)'],
    });
  });

  it.each([
    ['the new rate', 'flowMmPerH'],
    ['the spacing of the emitters', 'emittersPerM2'],
  ] as const)('lack %s', (missing, lacks) => {
    const text = rateLost({ kind: 'application_rate_lost', beforeMmPerH: 3.555, lacks });
    expect(renderAnswer(text, 'us')).toEqual({
      summary: `The application rate, 0.14 in/h (3.56 mm/h) before, is not known any more, so that a duration gives no dose: ask for ${missing}.`,
      next: [`correct_installation(${lacks})`],
    });
  });
});

describe('a version of equipment', () => {
  it('is the same as the one before', () => {
    expect(renderAnswer(sameEquipment({ kind: 'same_equipment', id: 1234, from: 0 }))).toEqual({
      summary:
        'It is the same as the version before (#1234, from the start): if it was declared twice by mistake, take this one back.',
      next: ['undo'],
    });
    const before = { kind: 'equal_version_before', id: 3, from: FARM_NOW - DAY } as const;
    expect(renderAnswer(equalVersion(before))).toEqual({
      summary:
        'The version before (#3, from yesterday 12:00 (Europe/Paris)) had the same figures and was not corrected: ask whether it has the same mistake.',
      next: ['correct_installation(versionId: 3)'],
    });
  });

  it.each([
    ['It applies from the start, but reaches no probe.', { from: 0 }],
    [
      'It applies from today 12:00 (Europe/Paris) to North 1 and North 2. South 1 has equipment of its own.',
      { from: FARM_NOW, reached: ['North 1', 'North 2'], own: ['South 1'] },
    ],
    ['A, B, C, D, E, F and 2 more have equipment of their own.', { own: [...'ABCDEFGH'] }],
  ])('of a parcel: %s', (sentence, fields) =>
    expect(
      renderText(
        parcelSetup({ kind: 'parcel_setup', from: null, reached: [], own: [], ...fields }),
      ),
    ).toBe(sentence),
  );

  it.each([
    [
      'The wetted fraction, 35 %, is the default for drip: if you can, measure the width of the wetted strip, and enter it with the distance between lines.',
      'fractionWetted: the width, lineSpacingM',
      { ofSpacing: null },
    ],
    [
      'Drip lines at their spacing wet about 16 % of the area in this soil, and advice counts with that; recorded doses use the default for drip, 35 %, until it is entered.',
      'fractionWetted: 16 %',
      {},
    ],
    [
      'Drip lines at their spacing wet about 16 % of the area in loam, as long as the texture here is unknown, and advice counts with that; recorded doses use the default for drip, 35 %, until it is entered.',
      'fractionWetted: 16 %',
      { isSoilKnown: false },
    ],
  ])('has a default: %s', (summary, argument, fields) => {
    const advisory = {
      kind: 'default_wetted_fraction',
      system: 'drip',
      fraction: 0.35,
      ofSpacing: 0.16,
      isSoilKnown: true,
    } as const;
    expect(renderAnswer(defaultFraction({ ...advisory, ...fields }))).toEqual({
      summary,
      next: [`correct_installation(${argument})`],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import {
  describeAllowedDepletion,
  describeSuspectTension,
  describeTension,
  summarizeAgronomicState,
} from '../../../src/language/monitoring/agronomic-state-summary.ts';
import type { SummaryContext } from '../../../src/language/summary-context.ts';
import type { AgronomicStateBody, TensionBody } from '../../../src/schema/moisture/series.ts';
import { FARM_NOW, HOUR, iso, MINUTE } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const context: SummaryContext = contextOf({ modules: [{ ...MODULE, id: 1, name: 'Oak' }] });

const STATE: AgronomicStateBody = {
  moduleId: 1,
  state: 'comfort',
  value_vwc: 22,
  time: iso(FARM_NOW - HOUR),
  fieldCapacity: 28,
  wiltingPoint: 14,
  stressPoint: 21,
  allowedDepletion: 0.5,
  doubts: [],
  basis: {
    fieldCapacity: 'annotation',
    wiltingPoint: 'soil_profile',
    stressPoint: null,
    allowedDepletion: 'default',
  },
};

const THRESHOLDS =
  'Stress point 21 %, field capacity 28 % (line drawn on its curve), wilting point 14 % (soil profile).';

describe('the state of a probe', () => {
  it.each<[string, Partial<AgronomicStateBody>]>([
    [`Oak is in comfort, 22 % by volume today 11:00 (Europe/Paris). ${THRESHOLDS}`, {}],
    [
      `Oak is under water stress, 22 % by volume today 11:00 (Europe/Paris). ${THRESHOLDS}`,
      { state: 'stress' },
    ],
    [
      `The state of Oak is unknown: it has no soil moisture readings. ${THRESHOLDS}`,
      { state: null, value_vwc: null },
    ],
    [
      'The state of Oak is unknown because it has no usable thresholds: 22 % by volume today 11:00 (Europe/Paris). No field capacity and no wilting point: declare the soil of its parcel, or draw a line.',
      { state: null, fieldCapacity: null, wiltingPoint: null, stressPoint: null },
    ],
    [
      `Old data, so the state of Oak is unknown: its newest moisture is 2 days old, 22 % by volume 29 Jun 12:00 (Europe/Paris). ${THRESHOLDS}`,
      { state: null, time: iso(FARM_NOW - 48 * HOUR) },
    ],
    [
      'The state of Oak is unknown because it has no usable thresholds: 22 % by volume today 11:00 (Europe/Paris). Field capacity 28 % (line drawn on its curve), wilting point 14 % (soil profile). The wilting point is not below the field capacity, so there is no stress point: move or delete a line.',
      { state: null, stressPoint: null },
    ],
  ])('is %j', async (sentence, changes) =>
    expect(renderText(await summarizeAgronomicState({ ...STATE, ...changes }, context))).toBe(
      sentence,
    ),
  );
});

const TENSION: TensionBody = { value: 40, wetLevel: null, dryLevel: null, isDry: null };

const describeTensionOf = (tension: Partial<TensionBody>, isInDoubt = false): string =>
  describeTension(say`Oak`, { ...TENSION, ...tension }, FARM_NOW - HOUR, {
    now: FARM_NOW,
    isInDoubt,
  })
    .map((text) => renderText(text))
    .join(' ');

describe('tension', () => {
  const READING = '40 kPa today 11:00 (Europe/Paris)';

  it.each<[string, Partial<TensionBody>]>([
    [
      `Oak is too dry: ${READING}, above its dry level of 35 kPa (higher is drier).`,
      { dryLevel: 35 },
    ],
    [
      `Oak is wet: ${READING}, below its wet level of 50 kPa (higher is drier).`,
      { wetLevel: 50, dryLevel: 60 },
    ],
    [
      `Oak is in comfort: ${READING}, between its wet level of 10 and its dry level of 60 kPa (higher is drier).`,
      { wetLevel: 10, dryLevel: 60 },
    ],
    [
      `Oak is not too dry: ${READING}, not above its dry level of 60 kPa (higher is drier). No wet level is drawn.`,
      { dryLevel: 60 },
    ],
    [
      `Oak reads ${READING}, where higher is drier, but its wet level of 60 kPa is not below its dry level of 50 kPa: correct one.`,
      { wetLevel: 60, dryLevel: 50 },
    ],
  ])('is %j', (sentence, levels) => expect(describeTensionOf(levels)).toBe(sentence));

  it('suggests levels by the soil where none is drawn', () => {
    const typical = { usdaClass: 'Clay', wetLevel: 10, dryFrom: 60, dryTo: 100 } as const;
    expect(describeTensionOf({ wetLevel: 10, typical })).toBe(
      `Oak is not wet: ${READING}, not below its wet level of 10 kPa (higher is drier). Whether it is too dry is unknown, because no dry level is drawn.` +
        ' Usual on clay: water between 60 and 100 kPa, wet below 10 kPa; it depends on the crop. Ask which levels apply, then draw them.',
    );
    expect(describeTensionOf({})).toContain('Whether that is too dry is unknown');
    expect(describeTensionOf({})).toMatch(/with the texture of its parcel they are suggested\.$/);
  });

  it('says neither wet nor dry of a sensor in doubt', () =>
    expect(describeTensionOf({ dryLevel: 35 }, true)).toBe(
      `Oak reads ${READING} (higher is drier), which says neither wet nor dry.`,
    ));

  it('says what to check of a sensor that stands still or fell', () => {
    const suspect = {
      depthCm: 30,
      value: 12,
      from: 80,
      since: FARM_NOW - 30 * MINUTE,
    };
    const [fell] = describeSuspectTension([{ ...suspect, reason: 'TENSION_FELL' }]);
    expect(renderText(fell!)).toMatch(
      /^Its tension at 30 cm fell from 80 to 12 kPa \(today 11:30\), but/,
    );
    expect(renderText(fell!, 'us')).toMatch(
      /^Its tension at 12 in \(30 cm\) fell from 80 to 12 kPa/,
    );
    const [limit] = describeSuspectTension([
      { ...suspect, depthCm: null, from: null, reason: 'TENSION_AT_LIMIT' },
    ]);
    expect(renderText(limit!)).toMatch(
      /^Its tension has stood at 12 kPa since today 11:30, the highest/,
    );
  });
});

describe('the share of the water from which plants suffer', () => {
  it.each([
    [
      'setting',
      'when 40 % of the water between field capacity and wilting point is used, as set for this probe.',
    ],
    ['crop', 'is used: the figure of FAO-56 for the crop of the parcel (olive tree).'],
    ['default', 'when about 40 % of the water'],
  ] as const)('has its basis: %s', (basis, words) =>
    expect(renderText(describeAllowedDepletion(40, basis, 'olive tree'))).toContain(words),
  );

  it('asks for the crop by the call that sets it', () =>
    expect(renderAnswer(describeAllowedDepletion(50, 'default', null)).next).toEqual([
      'set_parcel(type)',
    ]));
});

import { describe, expect, it } from 'vitest';
import { name, say, sentences } from '../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import {
  describeDifference,
  describeNeed,
  describeStress,
  missingForBalance,
  type ProbeInSummary,
} from '../../../src/language/advice/need-summary.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { ADVICE } from './advice.ts';

const need = (
  facts: Partial<AdviceBody>,
  decision: ProbeInSummary['decision'] = null,
  units?: UnitSystem,
): string => {
  const advice = { ...ADVICE, waterMm: null, ...facts };
  return renderText(
    sentences(describeNeed(advice, { name: say`${name('Oak')}`, decision }, contextOf())),
    units,
  );
};

const AT = 'today 11:00 (Europe/Paris)';

describe('the need of a probe', () => {
  it.each<[string, Partial<AdviceBody>]>([
    [`Oak lacks 21 mm in its root zone to reach field capacity, ${AT}.`, {}],
    [
      `Oak lacks 21 mm in its wetted zone to reach field capacity, ${AT}.`,
      { fractionWetted: 0.35 },
    ],
    [
      'Oak lacks 21 mm in its root zone to reach field capacity, today 06:00 (Europe/Paris).' +
        ' That is based on a reading that is 6 hours old.',
      { time: iso(FARM_NOW - 6 * HOUR) },
    ],
    [
      `Oak lacks 21 mm in its root zone to reach field capacity, ${AT}. The rain would be enough: nothing needs to be given now.`,
      { waterMm: 0 },
    ],
    ['How much water Oak needs is unknown.', { deficitMm: null }],
    ['How much water Oak needs is unknown.', { time: null, deficitMm: null }],
    [`Oak needs no water: it is at or above field capacity, ${AT}.`, { deficitMm: 0 }],
    [
      `Oak needs no water: it lacks 0.36 mm to reach field capacity, less than its readings can tell, ${AT}.`,
      { deficitMm: 0.36 },
    ],
    [
      `Oak lacks no water at the depths that can be trusted, ${AT}; whether it does at the others is unknown.`,
      { deficitMm: 0.36, reasons: ['SENSOR_STUCK'] },
    ],
    [
      'Old data, so there is no advice: the newest moisture of Oak is 3 days old, from 28 Jun 12:00 (Europe/Paris).',
      { time: iso(FARM_NOW - 3 * DAY), deficitMm: null, reasons: ['STALE_DATA'] },
    ],
    [
      'Old data, so there is no advice: the newest moisture of Oak is 3 days old, from 28 Jun 12:00 (Europe/Paris).' +
        ' While it is silent, the balance of rain, waterings and evapotranspiration could tell how much water it needs. Missing for that: the crop of its parcel.',
      {
        time: iso(FARM_NOW - 3 * DAY),
        deficitMm: null,
        reasons: ['STALE_DATA'],
        balanceNeeds: ['crop'],
      },
    ],
  ])('is %j', (sentence, facts) => expect(need(facts)).toBe(sentence));

  it('follows a decision, which names the probe', () =>
    expect(need({}, 'unknown')).toBe(
      `It lacks 21 mm in its root zone to reach field capacity, ${AT}.`,
    ));

  it('is converted from what it was before it was rounded', () =>
    // 21.46 mm are 0.8449 in; 21 mm would be 0.83 in.
    expect(need({}, null, 'us')).toMatch(/^Oak lacks 0\.84 in \(21 mm\) in its root zone/));
});

describe('the water balance in place of a silent probe', () => {
  const BALANCE = { since: '2026-06-20', deficitMm: 21.46 };
  const BY = 'By the balance of rain, waterings and evapotranspiration since';
  const LOGGED = 'if every watering was logged, Oak';
  const silent: Partial<AdviceBody> = { time: null, basis: 'balance' };

  it.each<[string, Partial<AdviceBody>]>([
    [
      `${BY} 20 Jun, when, as you say, its soil was full, ${LOGGED} lacks 21 mm in its root zone to reach field capacity.`,
      { balance: { ...BALANCE, from: 'said' } },
    ],
    [
      `${BY} 20 Jun, before which rain or waterings had filled its soil, ${LOGGED} needs no water.`,
      { balance: { ...BALANCE, from: 'filled' }, deficitMm: 0.2 },
    ],
    [
      `${BY} planting on 20 Jun, when its soil is taken to have been at field capacity, ${LOGGED} needs no water.`,
      { balance: { ...BALANCE, from: 'planting' }, deficitMm: 0 },
    ],
    [
      `The newest moisture of Oak is 3 days old, from 28 Jun 12:00 (Europe/Paris). ${BY} 20 Jun, ${LOGGED} needs no water.`,
      {
        balance: BALANCE,
        deficitMm: 0,
        time: iso(FARM_NOW - 3 * DAY),
        reasons: ['STALE_DATA'],
      },
    ],
  ])('says %j', (sentence, facts) => expect(need({ ...silent, ...facts })).toBe(sentence));

  it('asks for each thing that it needs, by the call that sets it', () => {
    const needs = ['crop', 'stage', 'root_depth', 'soil', 'weather', 'doses', 'full_soil'] as const;
    const answer = renderAnswer(missingForBalance(needs));
    expect(answer.summary).toBe(
      'Missing for that: the crop of its parcel, the day of planting, or the growth stage, the root depth, the soil, the temperatures of the days since its soil was full (an import, or a weather station), the doses of its waterings (its equipment) and a day on which rain or a watering filled its soil.',
    );
    expect(answer.next).toEqual([
      'set_parcel(type)',
      'set_parcel(plantedOn or stage)',
      'set_probe_settings(rootDepthCm)',
      'set_soil_profile',
      'log_watering',
      'advise_watering(parcel, filledOn)',
    ]);
  });

  it('beside readings says how they differ', () => {
    const differing = (reason: 'DRY_BY_BALANCE' | 'BALANCE_DIFFERS', units?: UnitSystem): string =>
      renderText(
        sentences(describeDifference({ ...ADVICE, balance: BALANCE, reasons: [reason] })),
        units,
      );
    const CHECKS =
      'See whether all waterings and rain are logged and the waterings ran, then whether its application rate, wetted fraction and crop are right, and then check the probe.';
    expect(differing('BALANCE_DIFFERS')).toBe(
      `${BY} 20 Jun it would lack 21 mm, and the difference to its readings grows. ${CHECKS}`,
    );
    expect(differing('DRY_BY_BALANCE')).toBe(
      `${BY} 20 Jun it would lack 21 mm and its crop be under stress, which its readings do not show: look at the soil by hand first. ${CHECKS}`,
    );
    expect(differing('BALANCE_DIFFERS', 'us')).toContain('it would lack 0.84 in (21 mm), and');
    expect(describeDifference({ ...ADVICE, balance: BALANCE })).toEqual([]);
  });
});

describe('the day of stress', () => {
  it.each<[string, Partial<AdviceBody>]>([
    ['', { daysToStress: null }],
    ['It is already at or below the stress point.', {}],
    [
      'As fast as it dries now, it reaches the stress point in about 4 days.',
      { daysToStress: 3.6 },
    ],
    [
      'In the expected weather, it reaches the stress point in more than two weeks.',
      { daysToStress: 14, reasons: ['EXPECTED_RAIN'] },
    ],
  ])('is %j', (sentence, facts) =>
    expect(renderText(sentences(describeStress({ ...ADVICE, ...facts })))).toBe(sentence),
  );
});

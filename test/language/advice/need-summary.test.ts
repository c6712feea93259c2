import { describe, expect, it } from 'vitest';
import type { WateringDecision } from '../../../src/domain/advice/watering-decision.ts';
import { sentences } from '../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { describeNeed, describeStress } from '../../../src/language/advice/need-summary.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { renderText } from '../render-text.ts';
import { contextOfAdvice } from './advice.ts';

const need = (
  changes: Partial<AdviceBody>,
  decision: WateringDecision | null = null,
  units?: UnitSystem,
): string =>
  renderText(
    sentences(describeNeed(decision, contextOfAdvice({ waterMm: null, ...changes }))),
    units,
  );

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
  ])('is %j', (sentence, changes) => expect(need(changes)).toBe(sentence));

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
  const silent: Partial<AdviceBody> = {
    time: null,
    basis: 'balance',
    reasons: ['NO_DATA', 'BY_BALANCE'],
  };

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
        reasons: ['STALE_DATA', 'BY_BALANCE'],
      },
    ],
  ])('says %j', (sentence, changes) => expect(need({ ...silent, ...changes })).toBe(sentence));
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
  ])('is %j', (sentence, changes) =>
    expect(renderText(sentences(describeStress(contextOfAdvice(changes).advice)))).toBe(sentence),
  );
});

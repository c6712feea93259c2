import { describe, expect, it } from 'vitest';
import type { SuspectReading } from '../../../src/domain/facts/probe-facts.ts';
import { LANGS, type Lang } from '../../../src/domain/lang.ts';
import {
  describeDoubtfulValues,
  describeSuspectReadings,
} from '../../../src/language/moisture/suspect-readings-summary.ts';
import { DAY, FARM_NOW } from '../../farm.ts';
import { renderText, renderTextIn } from '../render-text.ts';

const doubt = (
  reason: SuspectReading['reason'],
  changes: Partial<SuspectReading> = {},
): SuspectReading => ({
  reason,
  depthCm: 30,
  value: 62.04,
  limit: 46.26,
  since: FARM_NOW - 6 * DAY,
  ...changes,
});

const TOO_WET = doubt('TOO_WET_FOR_SOIL', { since: null });
const STUCK = doubt('SENSOR_STUCK', { depthCm: 10, value: 24.654, limit: null });

describe('readings in doubt', () => {
  it.each<[SuspectReading['reason'], string, string]>([
    [
      'TOO_DRY_FOR_SOIL',
      'The probe reads 62 % at DEPTH, where its soil keeps at least 46.3 %: check the sensor, its contact with the soil and the soil profile before you rely on it.',
      '62 % at DEPTH, where its soil keeps at least 46.3 %',
    ],
    [
      'TOO_WET_FOR_SOIL',
      'The probe reads 62 % at DEPTH, where its soil holds at most 46.3 %: check the sensor, its cable and the soil profile before you rely on it.',
      '62 % at DEPTH, where its soil holds at most 46.3 %',
    ],
    [
      'SENSOR_FELL',
      'The probe reads 62 % at DEPTH, fallen from 46.3 % 6 days ago, faster than its soil can dry: see whether the sensor still stands firmly in the soil, and check its cable before you rely on it.',
      '62 % at DEPTH, fallen from 46.3 % 6 days ago',
    ],
    [
      'SENSOR_NOISY',
      'The probe reads 62 % at DEPTH, with values that stray by 46.3 points from hour to hour: check its cable, its plugs and its power before you rely on it.',
      '62 % at DEPTH, with values that stray by 46.3 points from hour to hour',
    ],
    [
      'SENSOR_DRIFTS',
      'The probe reads 62 % at DEPTH, up from 46.3 % in 6 days without water and without another depth losing as much: check the sensor, and look at the soil before you rely on it.',
      '62 % at DEPTH, up from 46.3 % in 6 days without water',
    ],
    [
      'SENSOR_STUCK',
      'The probe has read exactly 62.04 % at DEPTH for 6 days: check the sensor and its cable, and look at the soil before you rely on it.',
      'exactly 62.04 % at DEPTH for 6 days',
    ],
  ])('are said of %s', (reason, sentence, values) => {
    const [text] = describeSuspectReadings([doubt(reason)], { now: FARM_NOW });
    const inBrief = describeDoubtfulValues([doubt(reason)], { now: FARM_NOW });
    expect(renderText(text!)).toBe(sentence.replace('DEPTH', '30 cm'));
    expect(renderText(text!, 'us')).toBe(sentence.replace('DEPTH', '12 in (30 cm)'));
    expect(renderText(inBrief)).toBe(values.replace('DEPTH', '30 cm'));
  });

  it('of one reason, limit and age are named together', () => {
    const doubts = [
      TOO_WET,
      { ...TOO_WET, depthCm: null },
      { ...TOO_WET, depthCm: 50, limit: 41 },
      STUCK,
    ];
    expect(renderText(describeDoubtfulValues(doubts, { now: FARM_NOW }))).toBe(
      '62 % at 30 cm and 62 % at an unknown depth, where its soil holds at most 46.3 %; 62 % at 50 cm, where its soil holds at most 41 %; exactly 24.654 % at 10 cm for 6 days',
    );
  });

  const SENTENCES: Record<Lang, readonly [tooWet: string, stuck: string]> = {
    en: [
      'The probe reads 62 % at 30 cm, where its soil holds at most 46.3 %: check the sensor, its cable and the soil profile before you rely on it.',
      'The probe has read exactly 24.654 % at 10 cm for 6 days: check the sensor and its cable, and look at the soil before you rely on it.',
    ],
    fr: [
      'La sonde indique 62 % à 30 cm, où le sol retient au plus 46,3 % : vérifiez le capteur, son câble et le profil de sol avant de vous y fier.',
      'La sonde indique exactement 24,654 % à 10 cm depuis 6 jours : vérifiez le capteur et son câble, et regardez le sol sur place avant de vous y fier.',
    ],
    es: [
      'La sonda marca 62 % a 30 cm, donde el suelo retiene como mucho un 46,3 %: revise el sensor, su cable y el perfil del suelo antes de fiarse.',
      'La sonda marca exactamente 24,654 % a 10 cm desde hace 6 días: revise el sensor y su cable, y mire el suelo en el campo antes de fiarse.',
    ],
  };

  it.each(LANGS)('are said to people in %s, one sentence for each reason', (lang) =>
    expect(
      describeSuspectReadings([STUCK, TOO_WET], { lang, now: FARM_NOW }).map((text) =>
        renderTextIn(lang, text),
      ),
    ).toEqual(SENTENCES[lang]),
  );
});

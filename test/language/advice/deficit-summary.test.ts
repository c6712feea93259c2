import { describe, expect, it } from 'vitest';
import { sentences } from '../../../src/domain/text/say.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { missingForBalance } from '../../../src/language/advice/deficit-summary.ts';
import { describeReasons } from '../../../src/language/advice/reason-sentences.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { contextOfAdvice } from './advice.ts';

const BALANCE = { since: '2026-06-20', deficitMm: 21.46 };
const BY = 'By the balance of rain, waterings and evapotranspiration since';

describe('a water balance', () => {
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
    const differing = (
      reason: 'DRY_BY_BALANCE' | 'BALANCE_DIFFERS',
      units?: UnitSystem,
    ): string => {
      const context = contextOfAdvice({ balance: BALANCE, reasons: [reason] });
      return renderText(sentences(describeReasons(context.advice.reasons, context)), units);
    };
    const CHECKS =
      'See whether all waterings and rain are logged and the waterings ran, then whether its application rate, wetted fraction and crop are right, and then check the probe.';
    expect(differing('BALANCE_DIFFERS')).toBe(
      `${BY} 20 Jun it would lack 21 mm, and the difference to its readings grows. ${CHECKS}`,
    );
    expect(differing('DRY_BY_BALANCE')).toBe(
      `${BY} 20 Jun it would lack 21 mm and its crop be under stress, which its readings do not show: look at the soil by hand first. ${CHECKS}`,
    );
    expect(differing('BALANCE_DIFFERS', 'us')).toContain('it would lack 0.84 in (21 mm), and');
  });
});

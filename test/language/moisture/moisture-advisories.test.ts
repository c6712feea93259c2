import { describe, expect, it } from 'vitest';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { adviceOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

describe('what is said of readings, roots and seasons', () => {
  const lettuce = { kind: 'usual_roots', crop: 'lettuce', fromCm: 30, toCm: 50 } as const;

  it.each<[string, Advisory, string[]]>([
    [
      'No readings have come from the probes of the parcel (Oak and Elm) in four months: check whether they transmit.',
      { kind: 'silent_probes', probes: ['Oak', 'Elm'] },
      [],
    ],
    [
      'No reading at 10 and 30 cm: the value is based on 40 % of the weight, so trust it less.',
      { kind: 'silent_depths', depths: [10, 30], weightPercent: 40 },
      [],
    ],
    [
      'No reading at 10 cm and an unknown depth: the value is based on 40 % of the weight, so trust it less.',
      { kind: 'silent_depths', depths: [10, null], weightPercent: 40 },
      [],
    ],
    [
      'The first and last values are based on different depths, so the change between them may not come from the soil.',
      { kind: 'different_depths' },
      [],
    ],
    [
      'It measures no soil moisture, so no deficit is computed and these settings have no effect: was another probe meant?',
      { kind: 'settings_without_effect' },
      [],
    ],
    [
      'Its deepest sensor is at 60 cm: the moisture from there down to 500 cm is taken to be the same.',
      { kind: 'roots_below_sensors', rootDepthCm: 500, deepestCm: 60 },
      [],
    ],
    [
      'No root depth is set for this parcel: FAO-56 has 30 to 50 cm for a grown crop (lettuce), and young plants have less. The amount of water depends on it: dig, and say how deep they are.',
      { ...lettuce, rootDepthCm: null },
      ['set_parcel(rootDepthCm)'],
    ],
    [
      'Roots of 300 cm are deeper than usual: FAO-56 has 30 to 50 cm for a grown crop (lettuce), and young plants have less. The amount of water depends on it: dig, and set what you find.',
      { ...lettuce, rootDepthCm: 300 },
      [],
    ],
    [
      'It counts where no probe measures: advice at 2 probes of this parcel goes by settings with another root depth, or none.',
      { kind: 'roots_of_probes_differ', count: 2 },
      ['set_probe_settings(rootDepthCm)'],
    ],
    [
      'The harvest on 1 Sep is still to come: until then the crop is advised on as before.',
      { kind: 'harvest_ahead', day: '2026-09-01' },
      [],
    ],
  ])('is %j', (summary, advisory, next) =>
    expect(renderAnswer(adviceOf(advisory))).toEqual({ summary, next }),
  );

  it('has depths in inches', () =>
    expect(renderText(adviceOf({ ...lettuce, rootDepthCm: 300 }), 'us')).toMatch(
      /^Roots of 118 in \(300 cm\) are deeper than usual: FAO-56 has 12 to 20 in \(30 to 50 cm\) for/,
    ));
});

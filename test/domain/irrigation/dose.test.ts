import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applicationRateMmPerH,
  completeDose,
  computeDoseMm,
  computeWettedDoseMm,
  type Dose,
  type DoseSetup,
  defaultFractionWetted,
  doseWarnings,
  freezeDose,
  missingDoseReason,
  sumDoses,
} from '../../../src/domain/irrigation/dose.ts';
import type { Amount } from '../../../src/domain/irrigation/watering-amount.ts';

const NOW = Date.UTC(2026, 6, 1);

const drip: DoseSetup = {
  id: 7,
  scope: 'module',
  system: 'drip',
  flowMmPerH: 3.2,
  fractionWetted: 0.35,
  fractionWettedIsDefault: true,
  irrigatedAreaM2: 14_000,
};
const setup = (changes: Partial<DoseSetup> = {}): DoseSetup => ({ ...drip, ...changes });

const minutes = (value: number): Amount => ({ mode: 'duration', value });
const depth = (value: number): Amount => ({ mode: 'depth_mm', value });
const volume = (value: number): Amount => ({ mode: 'volume_m3', value });

/** The rate of emitters on a grid of `spacing` x `lateral` m. */
const gridRate = (lph: number, spacing: number, lateral: number): number =>
  applicationRateMmPerH({ emitterFlowLph: lph, emittersPerM2: 1 / (spacing * lateral), flowMmPerH: null })!;

describe('default wetted fraction', () => {
  it.each([
    ['drip', 0.35],
    ['micro_sprinkler', 0.6],
    ['sprinkler', 1],
    ['pivot', 1],
    ['gravity', 1],
    ['manual', 1],
    ['other', 1],
  ] as const)('of %s is %d', (system, fw) => {
    expect(defaultFractionWetted(system)).toBe(fw);
  });
});

describe('application rate', () => {
  it('is 17.7778 mm/h for 1.6 L/h at 0.3 x 0.3 m', () => {
    expect(gridRate(1.6, 0.3, 0.3)).toBeCloseTo(17.7778, 4);
  });

  it('is 1.25 mm/h for 3.75 L/h at 1 x 3 m', () => {
    expect(gridRate(3.75, 1, 3)).toBeCloseTo(1.25, 12);
  });

  it('is 1 mm/h for six 2 L/h drippers on a tree of 12 m2', () => {
    expect(applicationRateMmPerH({ emitterFlowLph: 2, emittersPerM2: 6 / 12, flowMmPerH: null })).toBe(1);
  });

  it('ignores the entered rate when both emitter figures are given', () => {
    expect(applicationRateMmPerH({ emitterFlowLph: 2, emittersPerM2: 2, flowMmPerH: 99 })).toBe(4);
  });

  it.each([
    ['the flow', { emitterFlowLph: 2, emittersPerM2: null }],
    ['the density', { emitterFlowLph: null, emittersPerM2: 2 }],
    ['none', { emitterFlowLph: null, emittersPerM2: null }],
  ])('is the entered one when of the emitter figures %s is given', (_, given) => {
    expect(applicationRateMmPerH({ ...given, flowMmPerH: 5 })).toBe(5);
  });

  it('is unknown when one emitter figure stands alone and no rate was entered', () => {
    expect(applicationRateMmPerH({ emitterFlowLph: 2, emittersPerM2: null, flowMmPerH: null })).toBeNull();
  });
});

describe('dose over the total area', () => {
  it('from a duration is the rate times the hours: six 2 L/h drippers on 12 m2 give 5.25 mm in 315 min', () => {
    const rate = applicationRateMmPerH({ emitterFlowLph: 2, emittersPerM2: 6 / 12, flowMmPerH: null });
    expect(computeDoseMm(minutes(315), setup({ flowMmPerH: rate }))).toBe(5.25);
  });

  it('from a volume is spread over the area: 45 m3 on 1.4 ha is 3.2143 mm', () => {
    expect(computeDoseMm(volume(45), setup({ irrigatedAreaM2: 14_000 }))).toBeCloseTo(3.2143, 4);
  });

  it('from a depth is the depth as entered, whatever the setup', () => {
    expect(computeDoseMm(depth(12.3456789), setup())).toBe(12.3456789);
  });

  it('from a depth needs no setup', () => {
    expect(computeDoseMm(depth(10), null)).toBe(10);
  });

  it('is unknown from a duration without a rate', () => {
    expect(computeDoseMm(minutes(60), setup({ flowMmPerH: null }))).toBeNull();
  });

  it('is unknown from a volume without an area', () => {
    expect(computeDoseMm(volume(5), setup({ irrigatedAreaM2: null }))).toBeNull();
  });

  it.each([
    ['duration', minutes(60)],
    ['volume', volume(5)],
  ])('is unknown from a %s without a setup', (_, input) => {
    expect(computeDoseMm(input, null)).toBeNull();
  });

  it('is unknown from a volume on an area so small that no number holds it', () => {
    expect(computeDoseMm(volume(5), setup({ irrigatedAreaM2: 1e-310 }))).toBeNull();
  });

  it('knows nothing of the wetted fraction', () => {
    expect(computeDoseMm(minutes(60), setup({ fractionWetted: 0.1 }))).toBe(
      computeDoseMm(minutes(60), setup({ fractionWetted: 1 })),
    );
  });

  it('is kept in full precision: 20 min at 1 mm/h is a third of a millimetre', () => {
    expect(computeDoseMm(minutes(20), setup({ flowMmPerH: 1 }))).toBe(1 / 3);
  });

  it('grows in proportion to the duration', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.double({ min: 0.01, max: 1000, noNaN: true }),
        (min, rate) => {
          const at = setup({ flowMmPerH: rate });
          expect(computeDoseMm(minutes(2 * min), at)).toBeCloseTo(2 * computeDoseMm(minutes(min), at)!, 6);
        },
      ),
    );
  });
});

describe('dose in the wetted zone', () => {
  it('is the total over fw: drip of 10 mm is 28.5714 mm', () => {
    expect(computeWettedDoseMm(10, setup({ fractionWetted: 0.35 }))).toBeCloseTo(28.5714, 4);
  });

  it('is null when fw is 1', () => {
    expect(computeWettedDoseMm(10, setup({ fractionWetted: 1 }))).toBeNull();
  });

  it('is null without a total', () => {
    expect(computeWettedDoseMm(null, setup())).toBeNull();
  });

  it('is null without a setup', () => {
    expect(computeWettedDoseMm(10, null)).toBeNull();
  });

  it('is null where the fraction is so small that no number holds it', () => {
    expect(computeWettedDoseMm(10, setup({ fractionWetted: 1e-310 }))).toBeNull();
  });

  it('is divided from the full total, never from a rounded one', () => {
    const total = computeDoseMm(minutes(20), setup({ flowMmPerH: 1 }))!;
    expect(computeWettedDoseMm(total, setup())).toBe(1 / 3 / 0.35);
  });

  it('is never less than the total', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (total, fractionWetted) => {
          expect(computeWettedDoseMm(total, setup({ fractionWetted }))).toBeGreaterThan(total);
        },
      ),
    );
  });
});

describe('snapshot', () => {
  it('holds the parameters used and the instant it was taken', () => {
    expect(freezeDose(minutes(60), setup(), NOW).snapshot).toEqual({
      installationId: 7,
      scope: 'module',
      system: 'drip',
      flowMmPerH: 3.2,
      fractionWetted: 0.35,
      fractionWettedIsDefault: true,
      irrigatedAreaM2: 14_000,
      computedAt: NOW,
    });
  });

  it('is present where a version applied, though no dose could be computed', () => {
    expect(freezeDose(minutes(60), setup({ flowMmPerH: null }), NOW).snapshot?.installationId).toBe(7);
  });

  it('holds nulls, and no default fraction, for a depth without a version', () => {
    expect(freezeDose(depth(10), null, NOW).snapshot).toEqual({
      installationId: null,
      scope: null,
      system: null,
      flowMmPerH: null,
      fractionWetted: null,
      fractionWettedIsDefault: false,
      irrigatedAreaM2: null,
      computedAt: NOW,
    });
  });

  it('is absent where neither a version applied nor a dose was computed', () => {
    expect(freezeDose(minutes(60), null, NOW).snapshot).toBeNull();
  });
});

describe('warnings', () => {
  const of = (amount: Amount, under: DoseSetup | null) => doseWarnings(amount.mode, freezeDose(amount, under, NOW));

  it.each([
    ['duration', minutes(60)],
    ['depth_mm', depth(10)],
    ['volume_m3', volume(5)],
  ])('say NO_INSTALLATION in %s mode when no version covers the date', (_, input) => {
    expect(of(input, null)).toEqual(['NO_INSTALLATION']);
  });

  it('say MISSING_FLOW_RATE for a duration under a version without a rate', () => {
    expect(of(minutes(60), setup({ flowMmPerH: null }))).toEqual(['MISSING_FLOW_RATE']);
  });

  it('say MISSING_IRRIGATED_AREA for a volume under a version without an area', () => {
    expect(of(volume(5), setup({ irrigatedAreaM2: null }))).toEqual(['MISSING_IRRIGATED_AREA']);
  });

  it('say DEFAULT_FRACTION_WETTED when the wetted dose rests on a default fw', () => {
    expect(of(depth(10), setup({ fractionWettedIsDefault: true }))).toEqual(['DEFAULT_FRACTION_WETTED']);
  });

  it('say nothing of an entered fw', () => {
    expect(of(depth(10), setup({ fractionWettedIsDefault: false }))).toEqual([]);
  });

  it('say nothing of a default fw of 1, which computes no wetted dose', () => {
    expect(of(depth(10), setup({ system: 'pivot', fractionWetted: 1 }))).toEqual([]);
  });

  it('say nothing of what the mode does not need', () => {
    expect(of(depth(10), setup({ flowMmPerH: null, irrigatedAreaM2: null, fractionWettedIsDefault: false }))).toEqual(
      [],
    );
  });
});

describe('completion', () => {
  const missing: Dose = { waterMm: null, waterMmWetted: null, snapshot: null };

  it('fills in a total that is missing, with a new snapshot', () => {
    expect(completeDose(minutes(60), missing, setup(), NOW)).toEqual(freezeDose(minutes(60), setup(), NOW));
  });

  it('leaves a row alone while the setup still lacks what its mode needs', () => {
    expect(completeDose(minutes(60), missing, setup({ flowMmPerH: null }), NOW)).toBeNull();
  });

  it('leaves a row alone while no setup covers it', () => {
    expect(completeDose(minutes(60), missing, null, NOW)).toBeNull();
  });

  it('fills in a wetted dose that was missing for want of a setup, and keeps the total', () => {
    const recorded = freezeDose(depth(10), null, NOW - 1);
    expect(completeDose(depth(10), recorded, setup(), NOW)).toMatchObject({ waterMm: 10, waterMmWetted: 10 / 0.35 });
  });

  it('replaces the snapshot of the row it completes', () => {
    const recorded = freezeDose(minutes(60), setup({ id: 1, flowMmPerH: null }), NOW - 1);
    expect(completeDose(minutes(60), recorded, setup({ id: 1 }), NOW)?.snapshot).toMatchObject({
      flowMmPerH: 3.2,
      computedAt: NOW,
    });
  });

  it('never rewrites a recorded dose, whatever the setup is now', () => {
    const anySetup = fc.record({
      flowMmPerH: fc.double({ min: 0.1, max: 99, noNaN: true }),
      fractionWetted: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.constantFrom(minutes(60), depth(10), volume(5)), anySetup, (input, changes) => {
        const recorded = freezeDose(input, setup(), NOW - 1);
        expect(completeDose(input, recorded, setup({ id: 8, ...changes }), NOW)).toBeNull();
      }),
    );
  });

  it('finds nothing more to do the second time', () => {
    for (const recorded of [missing, freezeDose(depth(10), null, NOW - 1)]) {
      const input = recorded.waterMm === null ? minutes(60) : depth(10);
      const completed = completeDose(input, recorded, setup(), NOW)!;
      expect(completeDose(input, completed, setup(), NOW + 1)).toBeNull();
    }
  });
});

describe('a missing dose', () => {
  it('lacks equipment, or the number that its way of entry goes by', () => {
    expect(missingDoseReason('duration', false)).toBe('NO_INSTALLATION');
    expect(missingDoseReason('duration', true)).toBe('MISSING_FLOW_RATE');
    expect(missingDoseReason('volume_m3', true)).toBe('MISSING_IRRIGATED_AREA');
  });
});

describe('the sum of doses', () => {
  it('is that of all, 0 of none, and not known where one of them is not', () => {
    expect(sumDoses([3, 4.5])).toBe(7.5);
    expect(sumDoses([])).toBe(0);
    expect(sumDoses([3, null, 4.5])).toBeNull();
  });
});

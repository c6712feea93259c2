import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  completeDose,
  computeDose,
  computeDoseMm,
  computeWettedDoseMm,
  type Dose,
  type DoseEquipment,
  doseWarnings,
  missingDoseReason,
  sumDoses,
} from '../../../src/domain/irrigation/dose.ts';
import {
  applicationRateMmPerH,
  defaultFractionWetted,
} from '../../../src/domain/irrigation/equipment.ts';
import type { Amount } from '../../../src/domain/irrigation/watering-amount.ts';

const NOW = Date.UTC(2026, 6, 1);

const drip: DoseEquipment = {
  id: 7,
  scope: 'module',
  system: 'drip',
  flowMmPerH: 3.2,
  fractionWetted: 0.35,
  fractionWettedIsDefault: true,
  irrigatedAreaM2: 14_000,
};
const setup = (changes: Partial<DoseEquipment> = {}): DoseEquipment => ({ ...drip, ...changes });

const minutes = (value: number): Amount => ({ mode: 'duration', value });
const depth = (value: number): Amount => ({ mode: 'depth_mm', value });
const volume = (value: number): Amount => ({ mode: 'volume_m3', value });

it.each([
  ['drip', 0.35],
  ['micro_sprinkler', 0.6],
  ['sprinkler', 1],
  ['pivot', 1],
  ['gravity', 1],
  ['manual', 1],
  ['other', 1],
] as const)('the default wetted fraction of %s is %d', (system, fraction) => {
  expect(defaultFractionWetted(system)).toBe(fraction);
});

describe('application rate', () => {
  /** Emitters on a grid of `spacing` x `lateral` m. */
  const grid = (emitterFlowLph: number, spacing: number, lateral: number) => ({
    emitterFlowLph,
    emittersPerM2: 1 / (spacing * lateral),
    flowMmPerH: null,
  });

  it.each([
    ['of 1.6 L/h at 0.3 x 0.3 m is 17.7778 mm/h', grid(1.6, 0.3, 0.3), 17.7778],
    ['of 3.75 L/h at 1 x 3 m is 1.25 mm/h', grid(3.75, 1, 3), 1.25],
    [
      'of six 2 L/h drippers on 12 m2 is 1 mm/h',
      { emitterFlowLph: 2, emittersPerM2: 6 / 12, flowMmPerH: null },
      1,
    ],
    [
      'ignores the entered one beside both figures',
      { emitterFlowLph: 2, emittersPerM2: 2, flowMmPerH: 99 },
      4,
    ],
    [
      'is the entered one without the density',
      { emitterFlowLph: 2, emittersPerM2: null, flowMmPerH: 5 },
      5,
    ],
    [
      'is the entered one without the flow',
      { emitterFlowLph: null, emittersPerM2: 2, flowMmPerH: 5 },
      5,
    ],
    [
      'is the entered one without both',
      { emitterFlowLph: null, emittersPerM2: null, flowMmPerH: 5 },
      5,
    ],
  ])('%s', (_, equipment, mmPerH) => {
    expect(applicationRateMmPerH(equipment)).toBeCloseTo(mmPerH, 4);
  });

  it('is unknown with one emitter figure and no entered rate', () => {
    expect(
      applicationRateMmPerH({ emitterFlowLph: 2, emittersPerM2: null, flowMmPerH: null }),
    ).toBeNull();
  });
});

describe('dose over the total area', () => {
  it.each([
    ['of 315 min at 1 mm/h is 5.25 mm', minutes(315), setup({ flowMmPerH: 1 }), 5.25],
    [
      'has full precision: 20 min at 1 mm/h are a third of a mm',
      minutes(20),
      setup({ flowMmPerH: 1 }),
      1 / 3,
    ],
    [
      'of 45 m3 on 1.4 ha is 3.2143 mm',
      volume(45),
      setup({ irrigatedAreaM2: 14_000 }),
      45_000 / 14_000,
    ],
    ['of a depth is the depth as entered', depth(12.3456789), setup(), 12.3456789],
    ['of a depth needs no setup', depth(10), null, 10],
    ['of a duration without a rate is unknown', minutes(60), setup({ flowMmPerH: null }), null],
    ['of a volume without an area is unknown', volume(5), setup({ irrigatedAreaM2: null }), null],
    ['of a duration without a setup is unknown', minutes(60), null, null],
    ['of a volume without a setup is unknown', volume(5), null, null],
    [
      'that overflows on a tiny area is unknown',
      volume(5),
      setup({ irrigatedAreaM2: 1e-310 }),
      null,
    ],
    ['does not depend on the wetted fraction', minutes(60), setup({ fractionWetted: 0.1 }), 3.2],
  ])('%s', (_, amount, under, mm) => {
    expect(computeDoseMm(amount, under)).toBe(mm);
  });
});

describe('dose in the wetted zone', () => {
  it.each([
    ['is the total over fw: 10 mm of drip are 28.5714 mm', 10, setup(), 10 / 0.35],
    ['is computed from the total in full precision', 1 / 3, setup(), 1 / 3 / 0.35],
    ['is null when fw is 1', 10, setup({ fractionWetted: 1 }), null],
    ['is null without a total', null, setup(), null],
    ['is null without a setup', 10, null, null],
    ['is null when it overflows with a tiny fraction', 10, setup({ fractionWetted: 1e-310 }), null],
  ])('%s', (_, total, under, mm) => {
    expect(computeWettedDoseMm(total, under)).toBe(mm);
  });
});

describe('snapshot', () => {
  const { id: installationId, ...parameters } = drip;

  it('has the parameters used and the instant of the computation', () => {
    const snapshot = { installationId, ...parameters, computedAt: NOW };
    expect(computeDose(minutes(60), setup(), NOW).snapshot).toEqual(snapshot);
  });

  it('is present when a version applied, although no dose could be computed', () => {
    expect(
      computeDose(minutes(60), setup({ flowMmPerH: null }), NOW).snapshot?.installationId,
    ).toBe(7);
  });

  it('has nulls, and no default fraction, for a depth without a version', () => {
    expect(computeDose(depth(10), null, NOW).snapshot).toEqual({
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

  it('is absent without a version and a dose', () => {
    expect(computeDose(minutes(60), null, NOW).snapshot).toBeNull();
  });
});

it.each([
  ['a duration without a version', minutes(60), null, ['NO_INSTALLATION']],
  ['a depth without a version', depth(10), null, ['NO_INSTALLATION']],
  ['a volume without a version', volume(5), null, ['NO_INSTALLATION']],
  ['a duration without a rate', minutes(60), setup({ flowMmPerH: null }), ['MISSING_FLOW_RATE']],
  [
    'a volume without an area',
    volume(5),
    setup({ irrigatedAreaM2: null }),
    ['MISSING_IRRIGATED_AREA'],
  ],
  [
    'a default fw',
    depth(10),
    setup({ fractionWettedIsDefault: true }),
    ['DEFAULT_FRACTION_WETTED'],
  ],
  ['an entered fw', depth(10), setup({ fractionWettedIsDefault: false }), []],
  ['a default fw of 1, which gives no wetted dose', depth(10), setup({ fractionWetted: 1 }), []],
  [
    'figures that the mode does not need',
    depth(10),
    setup({ flowMmPerH: null, irrigatedAreaM2: null, fractionWettedIsDefault: false }),
    [],
  ],
])('the warnings for %s', (_, amount, under, warnings) => {
  expect(doseWarnings(amount.mode, computeDose(amount, under, NOW))).toEqual(warnings);
});

it('a missing dose lacks equipment, or the figure of its mode', () => {
  expect(missingDoseReason('duration', false)).toBe('NO_INSTALLATION');
  expect(missingDoseReason('duration', true)).toBe('MISSING_FLOW_RATE');
  expect(missingDoseReason('volume_m3', true)).toBe('MISSING_IRRIGATED_AREA');
});

describe('completion', () => {
  const missing: Dose = { waterMm: null, waterMmWetted: null, snapshot: null };

  it('fills in a missing total, with a new snapshot', () => {
    expect(completeDose(minutes(60), missing, setup(), NOW)).toEqual(
      computeDose(minutes(60), setup(), NOW),
    );
  });

  it.each([
    ['lacks the figure of its mode', setup({ flowMmPerH: null })],
    ['is absent', null],
  ])('leaves a row alone while the setup %s', (_, under) => {
    expect(completeDose(minutes(60), missing, under, NOW)).toBeNull();
  });

  it('fills in a wetted dose that lacked a setup, and keeps the total', () => {
    const recorded = computeDose(depth(10), null, NOW - 1);
    expect(completeDose(depth(10), recorded, setup(), NOW)).toMatchObject({
      waterMm: 10,
      waterMmWetted: 10 / 0.35,
    });
  });

  it('replaces the snapshot of the row it completes', () => {
    const recorded = computeDose(minutes(60), setup({ flowMmPerH: null }), NOW - 1);
    const snapshot = { flowMmPerH: 3.2, computedAt: NOW };
    expect(completeDose(minutes(60), recorded, setup(), NOW)?.snapshot).toMatchObject(snapshot);
  });

  it('never changes a recorded dose, whatever the setup is now', () => {
    const anySetup = fc.record({
      flowMmPerH: fc.double({ min: 0.1, max: 99, noNaN: true }),
      fractionWetted: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(minutes(60), depth(10), volume(5)),
        anySetup,
        (amount, changes) => {
          const recorded = computeDose(amount, setup(), NOW - 1);
          expect(completeDose(amount, recorded, setup({ id: 8, ...changes }), NOW)).toBeNull();
        },
      ),
    );
  });

  it.each([
    ['total', minutes(60), missing],
    ['wetted dose', depth(10), computeDose(depth(10), null, NOW - 1)],
  ])('of a %s has nothing left to do the second time', (_, amount, recorded) => {
    const completed = completeDose(amount, recorded, setup(), NOW)!;
    expect(completeDose(amount, completed, setup(), NOW + 1)).toBeNull();
  });
});

it('the sum of doses is 0 of none, and unknown when one of them is', () => {
  expect(sumDoses([3, 4.5])).toBe(7.5);
  expect(sumDoses([])).toBe(0);
  expect(sumDoses([3, null, 4.5])).toBeNull();
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbeAdvice } from '../../../../src/domain/advice/advice.ts';
import { compareProbes } from '../../../../src/domain/advice/farm/compared-probes.ts';
import { availableShare } from '../../../../src/domain/advice/farm/differing-probes.ts';
import { compareChecks } from '../../../../src/domain/advice/farm/needs.ts';
import { reasonOf } from '../../../../src/domain/advice/reason.ts';
import { DAY, FARM_NOW } from '../../../farm.ts';
import { adviceOf, anyProbes, probeOf, stateOf, wateringOf } from './farm-probes.ts';

const onValve = { parcelId: 1, scope: 'parcel' } as const;
const at = (moisture: number) => stateOf({ moisture, fieldCapacity: 28, wiltingPoint: 12 });
const differingFrom = (advice: ProbeAdvice | null | undefined): readonly number[] =>
  reasonOf(advice?.reasons ?? [], 'PROBES_DIFFER')?.moduleIds ?? [];
const withheld = adviceOf({ reasons: [{ kind: 'NO_RESPONSE' }], waterMm: null, durationMin: null });

describe('probes on one valve', () => {
  const differing = (moistures: readonly number[]): (readonly number[] | undefined)[] =>
    compareProbes(
      moistures.map((moisture, index) =>
        probeOf({ ...onValve, id: index + 1, state: at(moisture) }),
      ),
      FARM_NOW,
    ).map(({ advice }) => differingFrom(advice));

  it('hold shares of what lies between wilting point and field capacity', () => {
    expect(availableShare(at(20), FARM_NOW)).toBe(0.5);
    expect(availableShare(at(32), FARM_NOW)).toBe(1.25);
    expect(availableShare(stateOf({ wiltingPoint: null }), FARM_NOW)).toBeNull();
  });

  it('differ by half of it, unless both are above field capacity', () => {
    expect(differing([16, 24])).toEqual([[2], [1]]);
    expect(differing([16, 23.9])).toEqual([[], []]);
    expect(differing([28, 40])).toEqual([[], []]);
  });

  it('are compared with the first dozen of the others', () => {
    const moistures = [...Array(20).fill(24), 16];
    const [first, ...rest] = differing(moistures);
    expect(first).toEqual([]);
    expect(rest.at(-1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('are not compared with one whose readings are in doubt', () => {
    const probes = [16, 24].map((moisture, index) =>
      probeOf({
        ...onValve,
        id: index + 1,
        state: at(moisture),
        ...(index === 0 ? { advice: withheld } : {}),
      }),
    );
    expect(compareProbes(probes, FARM_NOW).map(({ advice }) => differingFrom(advice))).toEqual([
      [],
      [],
    ]);
  });

  it('name each other, and nobody of another valve', () => {
    const property = fc.property(anyProbes(), (probes) => {
      const compared = compareProbes(probes, FARM_NOW);
      const naming = (from: number, to: number): boolean =>
        differingFrom(compared.find(({ module }) => module.id === from)?.advice).includes(to);
      for (const { module, advice } of compared)
        for (const id of differingFrom(advice)) {
          const other = compared.find((probe) => probe.module.id === id);
          expect(other?.module.parcelId).toBe(module.parcelId);
          if (differingFrom(other?.advice).length > 0) expect(naming(id, module.id)).toBe(true);
        }
    });
    fc.assert(property, { numRuns: 60 });
  });
});

describe('the order of what is to be checked', () => {
  it('begins with a probe of which nothing can be said', () => {
    const sooner = { reason: 'RECENT_WATERING', daysToStress: 0 } as const;
    const unknown = { reason: 'NO_RESPONSE', daysToStress: null } as const;
    expect([sooner, unknown].sort(compareChecks)).toEqual([unknown, sooner]);
  });
});

describe('what to do while a probe is in doubt', () => {
  const meanwhileOf = (...probes: Parameters<typeof probeOf>[0][]) =>
    compareProbes(
      probes.map((probe, index) => probeOf({ id: index + 1, ...probe })),
      FARM_NOW,
    )[0]?.advice?.meanwhile;

  const before = [3, 6, 20].map((days) =>
    wateringOf({ startedAt: FARM_NOW - days * DAY, status: 'done', durationMin: 60, waterMm: 7 }),
  );

  it('is the amount of the driest other one on its valve that is in no doubt', () => {
    const sure = adviceOf({ waterMm: 9, durationMin: 90 });
    expect(
      meanwhileOf(
        { ...onValve, advice: withheld },
        { ...onValve, advice: withheld },
        { ...onValve, advice: adviceOf({ reasons: [{ kind: 'SENSOR_STUCK' }] }) },
        { ...onValve, advice: { ...sure, daysToStress: 3 } },
        { ...onValve, advice: sure },
        { parcelId: 2, scope: 'parcel' },
      ),
    ).toEqual({ basis: 'probe', moduleId: 5, waterMm: 9, durationMin: 90, daysToStress: 0 });
  });

  it('is what was given in the last two weeks where there is none', () => {
    const waterings = before.slice(0, 2);
    const recent = {
      basis: 'recent',
      moduleId: null,
      waterMm: 7,
      durationMin: 60,
      daysToStress: null,
    };
    expect(meanwhileOf({ advice: withheld, waterings })).toEqual({
      ...recent,
      basis: 'unconfirmed',
    });
    const confirmed = waterings.map((watering) => ({ ...watering, isConfirmed: true }));
    expect(meanwhileOf({ advice: withheld, waterings: confirmed })).toEqual(recent);
    expect(meanwhileOf({ advice: withheld })).toBeNull();
  });

  it('is no more water where the soil is too wet', () => {
    const advice = adviceOf({ reasons: [{ kind: 'TOO_WET' }], waterMm: null });
    expect(meanwhileOf({ advice, waterings: before })).toBeNull();
  });

  it('is nothing where nothing is in doubt, or the crop may be at rest', () => {
    expect(meanwhileOf({ waterings: before })).toBeNull();
    const advice = adviceOf({
      reasons: [{ kind: 'REST_UNKNOWN' }, { kind: 'NO_RESPONSE' }],
      waterMm: null,
    });
    expect(meanwhileOf({ advice, waterings: before })).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DepthFacts, ProbeFacts } from '../../../src/domain/facts/probe-facts.ts';
import { curveOfDepths } from '../../../src/domain/facts/probe-series.ts';
import { weightOf, withoutValuesAt } from '../../../src/domain/facts/trusted-depths.ts';
import { propertyRuns } from '../../property-runs.ts';
import { HOUR } from '../../time.ts';

const NOW = 100 * HOUR;

interface PlannedDepth {
  readonly weight: number;
  readonly value: number;
  readonly fieldCapacity?: number;
}

/** The thresholds are the means of the layers, as the state has them. */
function factsOf(planned: readonly PlannedDepth[], drawn = 0): ProbeFacts {
  const depths = planned.map(
    ({ weight, value, fieldCapacity = 0.28 }, index): DepthFacts => ({
      depthCm: 10 + 20 * index,
      slice: { topCm: 20 * index, bottomCm: 20 * index + 20 },
      weight,
      fieldCapacity,
      wiltingPoint: fieldCapacity / 2,
      saturation: 0.46,
      points: [{ at: NOW - HOUR, value }],
    }),
  );
  const curve = curveOfDepths(depths);
  const fieldCapacity =
    drawn + depths.reduce((sum, depth) => sum + 100 * depth.weight * depth.fieldCapacity!, 0);
  const facts: Partial<ProbeFacts> = {
    recent: { type: 'humidity', hasSensors: true, rootDepthCm: 60, depths, curve },
    state: {
      state: 'comfort',
      moisture: curve[0]?.value ?? null,
      at: NOW - HOUR,
      fieldCapacity,
      wiltingPoint: fieldCapacity / 2,
      stressPoint: 0.75 * fieldCapacity,
      allowedDepletion: 0.5,
      basis: {
        fieldCapacity: 'soil_profile',
        wiltingPoint: 'soil_profile',
        stressPoint: 'soil_profile',
        allowedDepletion: 'default',
      },
      doubts: [],
    },
  };
  return facts as ProbeFacts;
}

describe('the facts without the values of some depths', () => {
  it('are the same where no depth is left out', () => {
    const facts = factsOf([{ weight: 1, value: 20 }]);
    expect(withoutValuesAt(facts, new Set([99]), NOW)).toBe(facts);
  });

  it('have the state of the other depths, with the thresholds of their soil', () => {
    const facts = factsOf([
      { weight: 0.5, value: 2, fieldCapacity: 0.3 },
      { weight: 0.3, value: 20, fieldCapacity: 0.2 },
      { weight: 0.2, value: 15, fieldCapacity: 0.2 },
    ]);
    const { state, recent } = withoutValuesAt(facts, new Set([10]), NOW);
    expect(state).toMatchObject({
      moisture: 18,
      fieldCapacity: 20,
      wiltingPoint: 10,
      stressPoint: 15,
      state: 'comfort',
    });
    expect(recent.curve).toEqual([{ at: NOW - HOUR, value: 18 }]);
    expect(recent.depths.map(({ points }) => points.length)).toEqual([0, 1, 1]);
    expect(weightOf(facts.recent.depths, new Set([10, 50]))).toBeCloseTo(0.7);
  });

  it('move a drawn line as much as the mean of the layers', () => {
    const depths = [
      { weight: 0.5, value: 20, fieldCapacity: 0.3 },
      { weight: 0.5, value: 20, fieldCapacity: 0.2 },
    ];
    const { state } = withoutValuesAt(factsOf(depths, 3), new Set([30]), NOW);
    expect(state.fieldCapacity).toBeCloseTo(33);
  });

  it('know no state without any depth', () => {
    const { state } = withoutValuesAt(factsOf([{ weight: 1, value: 2 }]), new Set([10]), NOW);
    expect(state).toMatchObject({ moisture: null, state: null, fieldCapacity: 28 });
  });

  it('depend on no value that was left out', () => {
    const value = fc.double({ min: 0, max: 60, noNaN: true });
    fc.assert(
      fc.property(value, value, value, (first, second, kept) => {
        const withDoubted = (doubted: number) =>
          withoutValuesAt(
            factsOf([
              { weight: 0.4, value: doubted },
              { weight: 0.6, value: kept },
            ]),
            new Set([10]),
            NOW,
          ).state;
        expect(withDoubted(first)).toEqual(withDoubted(second));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

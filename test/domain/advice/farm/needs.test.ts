import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareChecks,
  probesNeedingWater,
  probesToCheck,
  wateringNeeds,
} from '../../../../src/domain/advice/farm/needs.ts';
import { adviceOf, anyProbes, probeOf } from './farm-probes.ts';

type Doses = ReadonlyMap<number, readonly (number | null)[]>;

const needing = (probes: ReturnType<typeof probeOf>[], dosesToday: Doses = new Map()) =>
  probesNeedingWater(
    probes,
    { dosesToday },
    probes.map(({ module }) => module),
  );

const tension = { value: 60, wetLevel: 10, dryLevel: 40, isDry: true };

describe('probes that need water today', () => {
  it('are those under stress whose planned doses do not suffice', () => {
    const probes = [1, 2, 3].map((id) => probeOf({ id }));
    const doses: Doses = new Map([
      [1, [12]],
      [2, [5, 6]],
    ]);
    expect(needing(probes, doses).map(({ probe, doses }) => [probe.module.id, doses])).toEqual([
      [2, [5, 6]],
      [3, []],
    ]);
  });

  it('are no tensiometers of a parcel that is watered today, whatever the amount', () => {
    const advice = adviceOf({ tension, waterMm: null });
    const tensiometer = { category: 'TENSIOMETER', advice };
    const probes = [
      probeOf({ id: 1, parcelId: 7, ...tensiometer }),
      probeOf({ id: 2, parcelId: 8, ...tensiometer }),
      probeOf({ id: 3, parcelId: 7, advice: adviceOf({ daysToStress: 9 }) }),
    ];
    expect(needing(probes, new Map([[3, [0.1]]])).map(({ probe }) => probe.module.id)).toEqual([2]);
  });
});

describe('the needs of a farm', () => {
  it('have one row for a valve, with what its probes lack beyond the plan', () => {
    const shared = { parcelId: 7, scope: 'parcel' } as const;
    const probes = [
      probeOf({ id: 1, ...shared, advice: adviceOf({ waterMm: 8, durationMin: 80 }) }),
      probeOf({ id: 2, ...shared, advice: adviceOf({ waterMm: 12, durationMin: 120 }) }),
      probeOf({ id: 3, ...shared, advice: adviceOf({ daysToStress: 9 }) }),
      probeOf({ id: 4, parcelId: 7, advice: adviceOf({ waterMm: 3, durationMin: 30 }) }),
    ];
    const needs = wateringNeeds(probes, needing(probes, new Map([[1, [2]]])));
    expect(needs).toMatchObject([
      {
        parcelId: 7,
        probes: 3,
        dry: [{ probe: probes[1] }, { probe: probes[0] }],
        remainingMm: { least: 6, most: 12 },
        remainingMin: { least: 60, most: 120 },
        plannedMm: 0,
      },
      { parcelId: null, probes: 1, dry: [{ probe: probes[3] }] },
    ]);
  });

  it('and the checks divide the probes in need between them', () => {
    fc.assert(
      fc.property(anyProbes(), (probes) => {
        const inNeed = needing(probes);
        const needs = wateringNeeds(probes, inNeed);
        const toCheck = new Set(probesToCheck(probes, inNeed).map(({ moduleId }) => moduleId));
        const watered = needs.flatMap(({ dry }) => dry.map(({ probe }) => probe.module.id));

        const expected = inNeed
          .map(({ probe }) => probe.module.id)
          .filter((id) => !toCheck.has(id));
        expect(watered.toSorted((a, b) => a - b)).toEqual(expected);
        for (const { parcelId, probes: count, dry } of needs) {
          expect(count).toBeGreaterThanOrEqual(dry.length);
          if (parcelId === null) expect(dry).toHaveLength(1);
        }
        const valves = needs.flatMap(({ parcelId }) => parcelId ?? []);
        expect(new Set(valves).size).toBe(valves.length);
      }),
    );
  });

  it('lead with the check that may hide stress, then with the soonest stress', () => {
    const checks = [
      { reason: 'RECENT_WATERING', daysToStress: 0 },
      { reason: 'SENSOR_STUCK', daysToStress: null },
      { reason: 'TOO_WET_FOR_SOIL', daysToStress: 3 },
      { reason: 'TOO_DRY_FOR_SOIL', daysToStress: null },
    ] as const;
    expect(checks.toSorted(compareChecks)).toEqual([checks[2], checks[1], checks[0], checks[3]]);
  });
});

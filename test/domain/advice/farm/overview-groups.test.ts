import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbeAdvice } from '../../../../src/domain/advice/advice.ts';
import {
  assessProbes,
  withTensiometersOfParcels,
} from '../../../../src/domain/advice/farm/assessed-probes.ts';
import { NEEDS } from '../../../../src/domain/advice/farm/need.ts';
import { probesNeedingWater } from '../../../../src/domain/advice/farm/needs.ts';
import { overviewGroups } from '../../../../src/domain/advice/farm/overview-groups.ts';
import { reasonWith } from '../../../../src/domain/advice/reason.ts';
import { FARM_NOW } from '../../../farm.ts';
import { adviceOf, anyProbes, probeOf, stateOf } from './farm-probes.ts';

const assessed = (probes: ReturnType<typeof probeOf>[]) => {
  const modules = probes.map(({ module }) => module);
  return assessProbes(probes, probesNeedingWater(probes, { dosesToday: new Map() }, modules), []);
};

describe('the groups of an overview', () => {
  it('have the driest probes first, and none that is silent or in doubt', () => {
    fc.assert(
      fc.property(anyProbes(), (probes) => {
        const members = assessed(probes);
        const groups = overviewGroups(members, []);
        const driest = groups.find(({ group }) => group === 'driest');
        const trusted = members
          .filter(({ probe, isInDoubt }) => !probe.isSilent && !isInDoubt)
          .flatMap(({ probe }) => probe.state?.moisture ?? [])
          .sort((a, b) => a - b);
        expect(driest?.count ?? 0).toBe(trusted.length);
        expect(driest?.first.map(({ probe }) => probe.state!.moisture) ?? []).toEqual(
          trusted.slice(0, 6),
        );
      }),
    );
  });

  it('name at most six, count all, and leave out empty groups', () => {
    fc.assert(
      fc.property(anyProbes(20), (probes) => {
        for (const { count, first } of overviewGroups(assessed(probes), [])) {
          expect(count).toBeGreaterThan(0);
          expect(first).toHaveLength(Math.min(6, count));
        }
      }),
    );
  });

  it('have silent stations after the silent probes', () => {
    const probe = probeOf({ id: 2, isSilent: true, advice: null });
    const station = probeOf({ id: 1, category: 'WEATHER_STATION', isSilent: true, advice: null });
    const silent = overviewGroups(assessed([probe]), [station]).find(
      ({ group }) => group === 'silent',
    );
    expect(silent).toMatchObject({ count: 2, first: [{ probe }, { probe: station }] });
  });
});

describe('assessed probes', () => {
  it('stand in the order of their needs', () => {
    fc.assert(
      fc.property(anyProbes(), (probes) => {
        const ranks = assessed(probes).map(({ need }) => NEEDS.indexOf(need));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(ranks).toHaveLength(probes.length);
      }),
    );
  });

  it('need no water while something is to be checked before', () => {
    const advice = adviceOf({ reasons: [{ kind: 'RECENT_WATERING' }] });
    expect(assessed([probeOf({ advice })])).toMatchObject([
      { needsWater: false, check: 'RECENT_WATERING' },
    ]);
  });

  it.each(['NO_RESPONSE', 'FROZEN', 'SENSOR_DRIFTS'] as const)(
    'are neither dry nor wet with %s',
    (reason) => {
      const stressed = { state: stateOf({ state: 'stress' }) };
      const isDoubted = (reasons: ProbeAdvice['reasons']) =>
        assessed([probeOf({ ...stressed, advice: adviceOf({ reasons }) })]).map(
          ({ isInDoubt, state }) => ({ isInDoubt, state }),
        );
      expect(isDoubted([reasonWith(reason, {})])).toEqual([{ isInDoubt: true, state: null }]);
      expect(isDoubted([])).toEqual([{ isInDoubt: false, state: 'stress' }]);
    },
  );

  it('have the status of their most serious alert', () => {
    const alert = (status: 'quiet' | 'firing' | 'stale', isFiring = false) => ({
      id: status,
      moduleId: 1,
      threshold: 20,
      state: { status, isFiring, since: null, value: null, at: FARM_NOW },
    });
    const statusOf = (...alerts: ReturnType<typeof alert>[]) =>
      assessProbes([probeOf({ state: stateOf() })], [], alerts)[0]!.alert;
    expect(statusOf()).toBeNull();
    expect(statusOf(alert('quiet'), alert('stale'))).toBe('stale');
    expect(statusOf(alert('quiet'), alert('stale', true), alert('stale'))).toBe('firing');
  });
});

it('the modules that are asked for come with the tensiometers of their parcels', () => {
  const modules = [
    probeOf({ id: 1, parcelId: 7 }),
    probeOf({ id: 2, parcelId: 7, category: 'TENSIOMETER' }),
    probeOf({ id: 3, parcelId: 8, category: 'TENSIOMETER' }),
    probeOf({ id: 4, parcelId: 7 }),
    probeOf({ id: 5, category: 'TENSIOMETER' }),
  ].map(({ module }) => module);
  const idsOf = (...ids: number[]) => withTensiometersOfParcels(ids, modules).map(({ id }) => id);
  expect(idsOf(1)).toEqual([1, 2]);
  expect(idsOf(3)).toEqual([3]);
  expect(idsOf()).toEqual([]);
});

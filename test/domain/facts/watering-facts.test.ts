import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wateringsOnValve, withThoseOfParcel } from '../../../src/domain/facts/watering-facts.ts';
import { wateringOf } from '../advice/farm/farm-probes.ts';

describe('waterings of a parcel', () => {
  const own = wateringOf({ id: 1, moduleId: 1, startedAt: 0 });
  const sameRun = wateringOf({ id: 2, moduleId: 2, startedAt: 0 });
  const ofParcel = wateringOf({ id: 3, moduleId: 2, startedAt: 1 });
  const ofOtherValve = wateringOf({ id: 4, moduleId: 3, startedAt: 2, scope: 'module' });
  const withoutDose = wateringOf({ id: 5, moduleId: 2, startedAt: 3, scope: null });
  const all = [own, sameRun, ofParcel, ofOtherValve, withoutDose];

  it('reach a probe without equipment of its own, each once, unless by that of another', () => {
    expect(wateringsOnValve(all, 1, { scope: 'parcel' })).toEqual([own, ofParcel, withoutDose]);
    expect(wateringsOnValve(all, 1, null)).toEqual([own, ofParcel, withoutDose]);
  });

  it('reach a probe with equipment of its own where they are logged on it', () => {
    const byOwnEquipment = { ...own, scope: 'module' as const };
    expect(wateringsOnValve([byOwnEquipment, ...all.slice(1)], 1, { scope: 'module' })).toEqual([
      byOwnEquipment,
    ]);
  });
});

describe('the waterings of a probe with those that its parcel got before', () => {
  const anyWaterings = (moduleId: number | null, firstId: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 }).map((starts) =>
      starts
        .sort((a, b) => a - b)
        .map((startedAt, index) => ({
          ...wateringOf({ id: firstId + index, startedAt }),
          moduleId,
        })),
    );

  it('are all of the probe, and of the parcel those at other times, oldest first', () => {
    fc.assert(
      fc.property(anyWaterings(1, 1), anyWaterings(null, 101), (ofProbe, ofParcel) => {
        const all = withThoseOfParcel(ofProbe, ofParcel);
        expect(all.filter(({ moduleId }) => moduleId === 1)).toEqual(ofProbe);
        expect(all.filter(({ moduleId }) => moduleId === null)).toEqual(
          ofParcel.filter(({ startedAt }) =>
            ofProbe.every((watering) => watering.startedAt !== startedAt),
          ),
        );
        const starts = all.map(({ startedAt }) => startedAt);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
    );
  });
});

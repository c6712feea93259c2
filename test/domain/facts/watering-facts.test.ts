import { describe, expect, it } from 'vitest';
import { wateringsOnValve } from '../../../src/domain/facts/watering-facts.ts';
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

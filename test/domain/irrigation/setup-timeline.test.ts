import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  completeEquipment,
  coveringVersion,
  currentVersion,
  declareVersion,
  effectiveVersion,
  FIRST_SETUP_AT,
  moveVersionStart,
  replacedVersionEnd,
  type SetupVersion,
  type VersionSpan,
} from '../../../src/domain/irrigation/setup-timeline.ts';

const NOW = 1000;

const reach = (id: number, validFrom: number, validTo: number | null): VersionSpan => ({ id, validFrom, validTo });

const version = (scope: 'module' | 'parcel', id: number, validFrom: number, validTo: number | null): SetupVersion => ({
  id,
  scope,
  moduleId: scope === 'module' ? 1 : null,
  parcelId: scope === 'parcel' ? 1 : null,
  ...completeEquipment({ system: 'drip' }),
  validFrom,
  validTo,
  setAt: validFrom,
  notes: null,
});

describe('entered equipment', () => {
  it('computes the flow when both emitter figures are given, and ignores the entered one', () => {
    expect(completeEquipment({ system: 'drip', emitterFlowLph: 1.5, emittersPerM2: 2, flowMmPerH: 9 }).flowMmPerH).toBe(
      3,
    );
  });

  it('takes the default fw of the system, and says that it is one', () => {
    expect(completeEquipment({ system: 'micro_sprinkler' })).toMatchObject({
      fractionWetted: 0.6,
      fractionWettedIsDefault: true,
    });
  });

  it('keeps an entered fw as entered, also where it equals the default', () => {
    expect(completeEquipment({ system: 'drip', fractionWetted: 0.35 })).toMatchObject({
      fractionWetted: 0.35,
      fractionWettedIsDefault: false,
    });
  });

  it('leaves null what was not given', () => {
    expect(completeEquipment({ system: 'drip' })).toMatchObject({
      flowMmPerH: null,
      emitterFlowLph: null,
      emittersPerM2: null,
      irrigatedAreaM2: null,
    });
  });
});

describe('version in force', () => {
  const versions = [reach(1, 0, 100), reach(2, 100, 200), reach(3, 300, null)];

  it.each([
    [0, 1],
    [99, 1],
    [100, 2],
    [300, 3],
    [9999, 3],
  ])('at %d is version %d: the start is included, the end is not', (at, id) => {
    expect(coveringVersion(versions, at)?.id).toBe(id);
  });

  it.each([-1, 200, 299])('is none at %d, which no version covers', (at) => {
    expect(coveringVersion(versions, at)).toBeNull();
  });

  it('is current when nothing ends it', () => {
    expect(currentVersion(versions)?.id).toBe(3);
  });

  it('is not current when the last one was closed', () => {
    expect(currentVersion(versions.slice(0, 2))).toBeNull();
  });
});

describe('effective version of a probe', () => {
  it('is its own where it covers the instant, as a whole', () => {
    const own = { ...version('module', 1, 50, null), irrigatedAreaM2: null };
    const parcels = { ...version('parcel', 2, 0, null), irrigatedAreaM2: 500 };
    expect(effectiveVersion([parcels, own], 60)).toBe(own);
  });

  it('is the parcel’s before its own begins', () => {
    expect(effectiveVersion([version('module', 1, 50, null), version('parcel', 2, 0, null)], 49)?.id).toBe(2);
  });

  it('is the parcel’s after its own was closed', () => {
    expect(effectiveVersion([version('module', 1, 0, 50), version('parcel', 2, 0, null)], 50)?.id).toBe(2);
  });

  it('is none where neither covers the instant', () => {
    expect(effectiveVersion([version('module', 1, 50, null), version('parcel', 2, 40, null)], 39)).toBeNull();
  });
});

describe('declaring a version', () => {
  it('begins now when no date is given', () => {
    expect(declareVersion([reach(1, 0, null)], null, false, NOW)).toMatchObject({ validFrom: NOW, validTo: null });
  });

  it('begins in 1970 when it is the very first and no date is given', () => {
    expect(declareVersion([], null, true, NOW)).toEqual({
      validFrom: FIRST_SETUP_AT,
      validTo: null,
      closedVersion: null,
    });
    expect(new Date(FIRST_SETUP_AT).toISOString()).toBe('1970-01-01T00:00:00.000Z');
  });

  it('begins at the given date, also when it is the very first', () => {
    expect(declareVersion([], 400, true, NOW)).toMatchObject({ validFrom: 400 });
  });

  it('closes the version that covers its start at that instant', () => {
    expect(declareVersion([reach(1, 0, null)], 400, false, NOW)).toMatchObject({ closedVersion: reach(1, 0, 400) });
  });

  it('ends where the next one starts, and leaves that one alone', () => {
    const declared = declareVersion([reach(1, 0, 600), reach(2, 600, null)], 400, false, NOW);
    expect(declared).toEqual({ validFrom: 400, validTo: 600, closedVersion: reach(1, 0, 400) });
  });

  it('documents the past before the first version without closing anything', () => {
    expect(declareVersion([reach(1, 500, null)], 100, false, NOW)).toEqual({
      validFrom: 100,
      validTo: 500,
      closedVersion: null,
    });
  });

  it('refuses EFFECTIVE_FROM_IN_FUTURE', () => {
    expect(declareVersion([], NOW + 1, true, NOW)).toEqual({ refusal: 'EFFECTIVE_FROM_IN_FUTURE' });
  });

  it('takes an effectiveFrom of now', () => {
    expect(declareVersion([], NOW, true, NOW)).toMatchObject({ validFrom: NOW });
  });

  it.each([0, 600])('refuses INSTALLATION_VERSION_EXISTS_AT_DATE at %d, where a version starts', (at) => {
    expect(declareVersion([reach(1, 0, 600), reach(2, 600, null)], at, false, NOW)).toEqual({
      refusal: 'INSTALLATION_VERSION_EXISTS_AT_DATE',
    });
  });
});

describe('moving a start', () => {
  const own = [reach(1, 100, 300), reach(2, 300, 500), reach(3, 700, null)];

  it('moves the end of the version before it along', () => {
    expect(moveVersionStart(own, 2, 200, NOW)).toEqual([reach(2, 200, 500), reach(1, 100, 200)]);
  });

  it('leaves no hole behind when it moves later', () => {
    expect(moveVersionStart(own, 2, 400, NOW)).toEqual([reach(2, 400, 500), reach(1, 100, 400)]);
  });

  it('moves freely within a hole before it', () => {
    expect(moveVersionStart(own, 3, 600, NOW)).toEqual([reach(3, 600, null)]);
  });

  it('makes the version behind the hole give way where it reaches into it', () => {
    expect(moveVersionStart(own, 3, 400, NOW)).toEqual([reach(3, 400, null), reach(2, 300, 400)]);
  });

  it('has no bound but the first instant for the oldest', () => {
    expect(moveVersionStart(own, 1, 1, NOW)).toEqual([reach(1, 1, 300)]);
  });

  it('changes nothing where it already starts then', () => {
    expect(moveVersionStart(own, 2, 300, NOW)).toEqual([]);
  });

  it.each([
    ['its own end', 2, 500],
    ['after its own end', 2, 550],
    ['before the start of the version before it', 2, 50],
  ])('to %s is INVALID_EFFECTIVE_FROM', (_, id, at) => {
    expect(moveVersionStart(own, id, at, NOW)).toEqual({ refusal: 'INVALID_EFFECTIVE_FROM' });
  });

  it('onto the start of another is INSTALLATION_VERSION_EXISTS_AT_DATE', () => {
    expect(moveVersionStart(own, 2, 100, NOW)).toEqual({ refusal: 'INSTALLATION_VERSION_EXISTS_AT_DATE' });
  });

  it('into the future is EFFECTIVE_FROM_IN_FUTURE', () => {
    expect(moveVersionStart(own, 3, NOW + 1, NOW)).toEqual({ refusal: 'EFFECTIVE_FROM_IN_FUTURE' });
  });
});

describe('end of a version that generalizing replaces', () => {
  it('is the given instant', () => {
    expect(replacedVersionEnd(reach(1, 100, null), 400, NOW)).toBe(400);
  });

  it('is now where none was given', () => {
    expect(replacedVersionEnd(reach(1, 100, null), null, NOW)).toBe(NOW);
  });

  it.each([100, 50])('is now where the given instant %d is not after the version’s start 100', (at) => {
    expect(replacedVersionEnd(reach(1, 100, null), at, NOW)).toBe(NOW);
  });
});

describe('a version entered under a clock that ran ahead', () => {
  it('ends no earlier than it starts when it is generalized', () => {
    expect(replacedVersionEnd(reach(1, NOW + 5, null), null, NOW)).toBe(NOW + 5);
  });
});

describe('any sequence of declarations, moved starts and generalizations', () => {
  type Step = { readonly kind: 'declare' | 'move' | 'generalize'; readonly at: number | null; readonly pick: number };
  const anyStep: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('declare', 'declare', 'move', 'generalize'),
    at: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 4 }),
    pick: fc.nat(20),
  });

  /** One target's versions after the steps, the clock going on by one a step, and the ends that generalizing set. */
  function timelineAfter(steps: readonly Step[]): { own: VersionSpan[]; opened: Set<number> } {
    const own = new Map<number, VersionSpan>();
    const opened = new Set<number>();
    for (const [index, { kind, at, pick }] of steps.entries()) {
      const now = 40 + index;
      const standing = [...own.values()];
      const chosen = standing[pick % Math.max(1, standing.length)];
      if (kind === 'declare') {
        const declared = declareVersion(standing, at, standing.length === 0, now);
        if ('refusal' in declared) continue;
        if (declared.closedVersion) own.set(declared.closedVersion.id, declared.closedVersion);
        own.set(index, reach(index, declared.validFrom, declared.validTo));
      } else if (kind === 'move' && chosen && at !== null) {
        const changes = moveVersionStart(standing, chosen.id, at, now);
        if (!('refusal' in changes)) for (const each of changes) own.set(each.id, each);
      } else if (kind === 'generalize') {
        const current = currentVersion(standing);
        if (!current || (at !== null && (at < current.validFrom || at > now))) continue;
        const end = replacedVersionEnd(current, at, now);
        own.set(current.id, { ...current, validTo: end });
        opened.add(end);
      }
    }
    return { own: [...own.values()].sort((a, b) => a.validFrom - b.validFrom), opened };
  }

  const followed = (own: readonly VersionSpan[]) => own.slice(1).map((next, index) => ({ before: own[index]!, next }));

  it('leaves no two versions that overlap, and none that ends before it starts', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { own } = timelineAfter(steps);
        for (const { before, next } of followed(own)) {
          expect(before.validTo).not.toBeNull();
          expect(before.validTo!).toBeLessThanOrEqual(next.validFrom);
        }
        for (const each of own) if (each.validTo !== null) expect(each.validTo).toBeGreaterThanOrEqual(each.validFrom);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no hole but from where generalizing ended a version', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { own, opened } = timelineAfter(steps);
        for (const { before, next } of followed(own))
          if (before.validTo !== next.validFrom) expect(opened).toContain(before.validTo);
        const last = own.at(-1);
        if (last && last.validTo !== null) expect(opened).toContain(last.validTo);
      }),
      { numRuns: 500 },
    );
  });
});

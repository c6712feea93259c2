import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeEquipment } from '../../../src/domain/irrigation/equipment.ts';
import {
  declareVersion,
  type EquipmentVersion,
  moveVersionStart,
  openVersion,
  replacedVersionEnd,
  type VersionSpan,
  versionAt,
  versionAtWithParcel,
} from '../../../src/domain/irrigation/equipment-timeline.ts';
import { failure, ok } from '../../../src/domain/result.ts';
import { propertyRuns } from '../../property-runs.ts';

const NOW = 1000;

const span = (id: number, validFrom: number, validTo: number | null): VersionSpan => ({
  id,
  validFrom,
  validTo,
});

const version = (
  scope: 'module' | 'parcel',
  id: number,
  validFrom: number,
  validTo: number | null,
): EquipmentVersion => ({
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
  it.each([
    [
      'has the flow of both emitter figures',
      { emitterFlowLph: 1.5, emittersPerM2: 2, flowMmPerH: 9 },
      { flowMmPerH: 3 },
    ],
    [
      'has the default fw of its system',
      {},
      { fractionWetted: 0.35, fractionWettedIsDefault: true },
    ],
    [
      'keeps an entered fw that equals it',
      { fractionWetted: 0.35 },
      { fractionWettedIsDefault: false },
    ],
    [
      'has null for absent figures',
      {},
      { flowMmPerH: null, emitterFlowLph: null, irrigatedAreaM2: null },
    ],
  ])('%s', (_, entered, expected) => {
    expect(completeEquipment({ system: 'drip', ...entered })).toMatchObject(expected);
  });
});

describe('version in force', () => {
  const versions = [span(1, 0, 100), span(2, 100, 200), span(3, 300, null)];

  it.each([
    [-1, null],
    [0, 1],
    [99, 1],
    [100, 2],
    [200, null],
    [299, null],
    [300, 3],
    [9999, 3],
  ])('at %d is %s: the start is included, the end is not', (at, id) => {
    expect(versionAt(versions, at)?.id ?? null).toBe(id);
  });

  it('is current when nothing ends it', () => {
    expect(openVersion(versions)?.id).toBe(3);
    expect(openVersion(versions.slice(0, 2))).toBeNull();
  });
});

describe('effective version of a probe', () => {
  it('is its own as a whole when it covers the instant', () => {
    const own = { ...version('module', 1, 50, null), irrigatedAreaM2: null };
    const ofParcel = { ...version('parcel', 2, 0, null), irrigatedAreaM2: 500 };
    expect(versionAtWithParcel([ofParcel, own], 60)).toBe(own);
  });

  it.each([
    ['is its parcel’s before its own starts', version('module', 1, 50, null), 49, 2],
    ['is its parcel’s after its own was closed', version('module', 1, 0, 50), 50, 2],
    ['is null when neither covers the instant', version('module', 1, 50, null), 39, undefined],
  ])('%s', (_, own, at, id) => {
    expect(versionAtWithParcel([own, version('parcel', 2, 40, null)], at)?.id).toBe(id);
  });
});

describe('declaring a version', () => {
  const none: VersionSpan[] = [];
  const two = [span(1, 0, 600), span(2, 600, null)];

  it.each([
    [
      'starts now without a date',
      [span(1, 0, null)],
      null,
      false,
      ok({ validFrom: NOW, validTo: null }),
    ],
    [
      'starts in 1970 when it is the very first',
      none,
      null,
      true,
      ok({ validFrom: 0, validTo: null, closedVersion: null }),
    ],
    ['starts at its date, also as the very first', none, 400, true, ok({ validFrom: 400 })],
    ['may start now by its date', none, NOW, true, ok({ validFrom: NOW })],
    [
      'closes the version that covers its start',
      [span(1, 0, null)],
      400,
      false,
      ok({ closedVersion: span(1, 0, 400) }),
    ],
    [
      'ends where the next one starts',
      two,
      400,
      false,
      ok({ validTo: 600, closedVersion: span(1, 0, 400) }),
    ],
    [
      'before the first one closes none',
      [span(1, 500, null)],
      100,
      false,
      ok({ validTo: 500, closedVersion: null }),
    ],
    ['is refused in the future', none, NOW + 1, true, failure('EFFECTIVE_FROM_IN_FUTURE')],
    [
      'is refused at the start of the first',
      two,
      0,
      false,
      failure('INSTALLATION_VERSION_EXISTS_AT_DATE'),
    ],
    [
      'is refused at the start of another',
      two,
      600,
      false,
      failure('INSTALLATION_VERSION_EXISTS_AT_DATE'),
    ],
  ])('%s', (_, versions, effectiveFrom, isFirst, expected) => {
    expect(declareVersion(versions, effectiveFrom, isFirst, NOW)).toMatchObject(expected);
  });
});

describe('moving a start', () => {
  const versions = [span(1, 100, 300), span(2, 300, 500), span(3, 700, null)];

  it.each([
    [
      'earlier moves the end of the one before along',
      2,
      200,
      ok([span(2, 200, 500), span(1, 100, 200)]),
    ],
    ['later leaves no gap', 2, 400, ok([span(2, 400, 500), span(1, 100, 400)])],
    ['within a gap before it changes no other', 3, 600, ok([span(3, 600, null)])],
    [
      'beyond the gap cuts the version before it',
      3,
      400,
      ok([span(3, 400, null), span(2, 300, 400)]),
    ],
    ['of the oldest has no bound', 1, 1, ok([span(1, 1, 300)])],
    ['to where it is changes nothing', 2, 300, ok([])],
    ['to its own end is refused', 2, 500, failure('INVALID_EFFECTIVE_FROM')],
    ['after its own end is refused', 2, 550, failure('INVALID_EFFECTIVE_FROM')],
    ['before the start of the one before is refused', 2, 50, failure('INVALID_EFFECTIVE_FROM')],
    ['onto another start is refused', 2, 100, failure('INSTALLATION_VERSION_EXISTS_AT_DATE')],
    ['into the future is refused', 3, NOW + 1, failure('EFFECTIVE_FROM_IN_FUTURE')],
  ])('%s', (_, id, at, expected) => {
    expect(moveVersionStart(versions, id, at, NOW)).toEqual(expected);
  });
});

it.each([
  ['is the requested instant', 100, 400, 400],
  ['is now without one', 100, null, NOW],
  ['is now when the instant is the start', 100, 100, NOW],
  ['is now when the instant is before the start', 100, 50, NOW],
  ['is not before a start that a fast clock set ahead', NOW + 5, null, NOW + 5],
])('the end of a version that generalizing replaces %s', (_, validFrom, effectiveFrom, end) => {
  expect(replacedVersionEnd(span(1, validFrom, null), effectiveFrom, NOW)).toBe(end);
});

describe('any sequence of declarations, moved starts and generalizations', () => {
  type Step = {
    readonly kind: 'declare' | 'move' | 'generalize';
    readonly at: number | null;
    readonly pick: number;
  };
  const anyStep: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('declare', 'declare', 'move', 'generalize'),
    at: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 4 }),
    pick: fc.nat(20),
  });

  /**
   * The versions of one target after the steps, one tick each, and the ends that generalizing set.
   */
  function timelineAfter(steps: readonly Step[]): { own: VersionSpan[]; gapStarts: Set<number> } {
    const own = new Map<number, VersionSpan>();
    const gapStarts = new Set<number>();
    for (const [index, { kind, at, pick }] of steps.entries()) {
      const now = 40 + index;
      const versions = [...own.values()];
      const picked = versions[pick % Math.max(1, versions.length)];
      if (kind === 'declare') {
        const declared = declareVersion(versions, at, versions.length === 0, now);
        if (!declared.ok) continue;
        const { validFrom, validTo, closedVersion } = declared.value;
        if (closedVersion) own.set(closedVersion.id, closedVersion);
        own.set(index, span(index, validFrom, validTo));
      } else if (kind === 'move' && picked && at !== null) {
        const changes = moveVersionStart(versions, picked.id, at, now);
        if (changes.ok) for (const each of changes.value) own.set(each.id, each);
      } else if (kind === 'generalize') {
        const current = openVersion(versions);
        if (!current || (at !== null && (at < current.validFrom || at > now))) continue;
        const end = replacedVersionEnd(current, at, now);
        own.set(current.id, { ...current, validTo: end });
        gapStarts.add(end);
      }
    }
    return { own: [...own.values()].sort((a, b) => a.validFrom - b.validFrom), gapStarts };
  }

  const neighbours = (own: readonly VersionSpan[]) =>
    own.slice(1).map((next, index) => ({ before: own[index]!, next }));

  it('leaves no overlap, no version that ends before it starts, and no gap but where generalizing ended one', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const { own, gapStarts } = timelineAfter(steps);
        for (const { before, next } of neighbours(own)) {
          expect(before.validTo).not.toBeNull();
          expect(before.validTo!).toBeLessThanOrEqual(next.validFrom);
          if (before.validTo !== next.validFrom) expect(gapStarts).toContain(before.validTo);
        }
        for (const each of own)
          if (each.validTo !== null) expect(each.validTo).toBeGreaterThanOrEqual(each.validFrom);
        const last = own.at(-1);
        if (last && last.validTo !== null) expect(gapStarts).toContain(last.validTo);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

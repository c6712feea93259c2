import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure, ok } from '../../../src/domain/result.ts';
import { soilHorizonById } from '../../../src/domain/soil/soil-catalog.ts';
import {
  type DatedLayer,
  type DeclaredLayer,
  declareLayers,
  layerAt,
  layersInForce,
  soilAt,
  soilOfSlice,
} from '../../../src/domain/soil/soil-profile.ts';

const SAND = 1;
const LOAM = 6;
const CLAY = 8;

const layer = (
  depthTopCm: number,
  depthBottomCm: number,
  soilHorizonId = LOAM,
  startedAt = 0,
  endedAt: number | null = null,
): DatedLayer => ({ soilHorizonId, depthTopCm, depthBottomCm, startedAt, endedAt });

describe('the layers in force', () => {
  it('have started and not ended, top down', () => {
    const layers = [
      layer(30, 60, CLAY, 100),
      layer(0, 30, SAND, 100, 200),
      layer(0, 30, LOAM, 200),
    ];
    expect(layersInForce(layers, 99)).toEqual([]);
    expect(layersInForce(layers, 100).map(({ soilHorizonId }) => soilHorizonId)).toEqual([
      SAND,
      CLAY,
    ]);
    expect(layersInForce(layers, 200).map(({ soilHorizonId }) => soilHorizonId)).toEqual([
      LOAM,
      CLAY,
    ]);
  });
});

describe('a depth belongs to a layer', () => {
  const adjacent = [layer(0, 30, SAND), layer(30, 60, CLAY)];
  const apart = [layer(0, 30, SAND), layer(40, 60, CLAY)];
  const overlapping = [layer(0, 60, LOAM), layer(20, 40, SAND), layer(30, 50, CLAY)];

  it.each([
    [
      'from its top, included, to its bottom, excluded',
      adjacent,
      [0, 29.9, 30, 59.9],
      [SAND, SAND, CLAY, CLAY],
    ],
    [
      'at the deepest bottom of the profile, which is included, and not below it',
      adjacent,
      [60, 60.1],
      [CLAY, null],
    ],
    [
      'to none in a gap between layers, not even at the bottom of the one above',
      apart,
      [30, 35],
      [null, null],
    ],
    [
      'with the greatest top where layers overlap',
      overlapping,
      [10, 25, 35, 45, 55],
      [LOAM, SAND, CLAY, CLAY, LOAM],
    ],
  ])('%s', (_, layers, depths, owners) => {
    expect(depths.map((depthCm) => layerAt(layers, depthCm, 1000)?.soilHorizonId ?? null)).toEqual(
      owners,
    );
  });

  const replaced = [layer(0, 30, SAND, 100, 200), layer(0, 30, CLAY, 200)];
  const closed = [layer(0, 30, SAND, 100, 200), layer(0, 30, CLAY, 300)];
  const atOnce = [layer(0, 30, SAND, 100, 100), layer(0, 30, CLAY, 100)];

  it.each([
    [
      'in force at the instant, so that the past keeps its layers',
      replaced,
      [150, 199, 200],
      [SAND, SAND, CLAY],
    ],
    [
      'that was declared first there, before any declaration',
      [...replaced, layer(30, 60, LOAM, 300)],
      [50],
      [SAND],
    ],
    ['no longer once the layer was closed without successor', closed, [250, 300], [null, CLAY]],
    ['never when it was replaced at the very instant it began', atOnce, [50], [CLAY]],
  ])('%s', (_, layers, instants, owners) => {
    expect(instants.map((at) => layerAt(layers, 10, at)?.soilHorizonId ?? null)).toEqual(owners);
  });
});

describe('the soil of a slice', () => {
  const of = (id: number) => soilHorizonById(id)!;

  it('is the mean of the layers that it crosses, by thickness', () => {
    // 5 cm of sand and 10 cm of clay.
    const soil = soilOfSlice(
      [layer(0, 30, SAND), layer(30, 60, CLAY)],
      { topCm: 25, bottomCm: 40 },
      1000,
    )!;
    for (const constant of ['wiltingPoint', 'fieldCapacity', 'saturation'] as const)
      expect(soil[constant]).toBeCloseTo(
        (5 * of(SAND)[constant] + 10 * of(CLAY)[constant]) / 15,
        12,
      );
  });

  it('is the mean over its millimetres', () => {
    const cm = fc.integer({ min: 0, max: 50 });
    const layers = fc.array(
      fc
        .tuple(cm, cm, fc.integer({ min: 1, max: 12 }))
        .filter(([top, bottom]) => top < bottom)
        .map(([top, bottom, id]) => layer(top, bottom, id)),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(layers, cm, fc.integer({ min: 1, max: 20 }), (profile, topCm, thickCm) => {
        const capacities: number[] = [];
        for (let mm = 0; mm < 10 * thickCm; mm++) {
          const soil = soilAt(profile, topCm + (mm + 0.5) / 10, 1000);
          if (soil) capacities.push(soil.fieldCapacity);
        }
        const soil = soilOfSlice(profile, { topCm, bottomCm: topCm + thickCm }, 1000);
        if (capacities.length === 0) expect(soil).toBeNull();
        else
          expect(soil!.fieldCapacity).toBeCloseTo(
            capacities.reduce((sum, each) => sum + each) / capacities.length,
            9,
          );
      }),
    );
  });
});

describe('declaring layers', () => {
  const declared = (
    depthTopCm: number,
    depthBottomCm: number,
    soilHorizonId = LOAM,
  ): DeclaredLayer => ({
    soilHorizonId,
    depthTopCm,
    depthBottomCm,
  });

  const [upper, lower] = [layer(0, 30), layer(30, 60)];
  const keeping = (closeOthers: boolean) => ({ closeOthers, cutOverlaps: false });

  it.each([
    [
      'closes the layer with the same top, and leaves the others',
      [declared(30, 80)],
      false,
      [lower],
      [upper],
    ],
    ['replaces a layer by an equal one too', [declared(0, 30)], false, [upper], [lower]],
    ['closes all others with closeOthers', [declared(0, 40)], true, [upper, lower], []],
    ['may overlap a layer that stays', [declared(0, 40)], false, [upper], [lower]],
    [
      'may have adjacent layers in any order',
      [declared(60, 90), declared(30, 60)],
      false,
      [lower],
      [upper],
    ],
  ])('%s', (_, layers, closeOthers, closed, remaining) => {
    expect(declareLayers([upper, lower], layers, keeping(closeOthers))).toEqual(
      ok({ closed, remaining, parts: [] }),
    );
  });

  it.each([
    [
      'a bottom at its top',
      [declared(0, 30), declared(50, 50)],
      { refusal: 'bottom_not_below_top', index: 1 },
    ],
    ['a bottom above its top', [declared(50, 20)], { refusal: 'bottom_not_below_top', index: 0 }],
    ['an overlap', [declared(30, 60), declared(0, 31)], { refusal: 'overlap', index: 1, other: 0 }],
    [
      'two layers with one top',
      [declared(0, 30), declared(0, 30)],
      { refusal: 'overlap', index: 1, other: 0 },
    ],
    [
      'a soil horizon that does not exist',
      [declared(0, 30, 13)],
      { refusal: 'unknown_horizon', index: 0 },
    ],
  ])('refuses %s', (_, layers, refusal) => {
    expect(declareLayers([], layers, keeping(false))).toEqual(failure(refusal));
  });

  it('refuses more layers than a profile can have, of one request or with those that stay', () => {
    const thin = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => declared(from + index, from + index + 1));
    expect(declareLayers([], thin(0, 50), keeping(false))).toEqual(
      ok({ closed: [], remaining: [], parts: [] }),
    );
    expect(declareLayers([], thin(0, 51), keeping(true))).toEqual(
      failure({ refusal: 'too_many', count: 51 }),
    );
    const inForce = thin(0, 50).map((each) => ({ ...each, id: 1 }));
    expect(declareLayers(inForce, thin(50, 1), keeping(false))).toEqual(
      failure({ refusal: 'too_many', count: 51 }),
    );
    // A layer that takes the place of another adds none.
    expect(declareLayers(inForce, thin(49, 1), keeping(false))).toMatchObject({
      value: { closed: [{ depthTopCm: 49 }] },
    });
    expect(declareLayers(inForce, thin(50, 1), keeping(true))).toMatchObject({
      value: { remaining: [] },
    });
  });

  it.each([
    ['the top of a layer', [declared(0, 45)], [[45, 60]]],
    ['the bottom of a layer', [declared(15, 30)], [[0, 15]]],
    ['nothing of the one that it replaces', [declared(0, 10)], []],
    [
      'the middle of layers',
      [declared(10, 20), declared(40, 50)],
      [
        [0, 10],
        [20, 30],
        [30, 40],
        [50, 60],
      ],
    ],
    ['whole layers', [declared(0, 100)], []],
    ['nothing', [declared(90, 120)], []],
  ])('cuts %s', (_, layers, spans) => {
    const done = declareLayers([upper, lower], layers, { closeOthers: false, cutOverlaps: true });
    if (!done.ok) throw new Error(done.failure.refusal);
    expect(done.value.parts.map((part) => [part.depthTopCm, part.depthBottomCm])).toEqual(spans);
  });

  it('that cuts leaves each depth one layer: the declared one, else that of before', () => {
    const cm = fc.integer({ min: 0, max: 9 });
    const layers = fc.array(
      fc
        .tuple(cm, cm, fc.integer({ min: 1, max: 12 }))
        .filter(([top, bottom]) => top < bottom)
        .map(([top, bottom, id]) => declared(top, bottom, id)),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.array(layers, { maxLength: 6 }), (requests) => {
        let inForce: DeclaredLayer[] = [];
        const byCm: (number | null)[] = Array(10).fill(null);
        for (const request of requests) {
          const done = declareLayers(inForce, request, { closeOthers: false, cutOverlaps: true });
          if (!done.ok) continue;
          for (const replaced of inForce)
            if (request.some(({ depthTopCm }) => depthTopCm === replaced.depthTopCm))
              byCm.fill(null, replaced.depthTopCm, replaced.depthBottomCm);
          inForce = [...done.value.remaining, ...done.value.parts, ...request];
          for (const { depthTopCm, depthBottomCm, soilHorizonId } of request)
            byCm.fill(soilHorizonId, depthTopCm, depthBottomCm);
        }
        byCm.forEach((soilHorizonId, top) => {
          const covering = inForce.filter(
            (each) => each.depthTopCm <= top && top < each.depthBottomCm,
          );
          expect(covering.map((each) => each.soilHorizonId)).toEqual(
            soilHorizonId === null ? [] : [soilHorizonId],
          );
        });
      }),
    );
  });

  it('keeps history: at any instant a depth has the layer declared until then, else its first', () => {
    const cm = fc.integer({ min: 0, max: 6 });
    const request = fc.record({
      layers: fc.array(
        fc
          .tuple(cm, cm, fc.integer({ min: 1, max: 12 }))
          .map(([top, bottom, id]) => declared(top, bottom, id)),
        { minLength: 1, maxLength: 3 },
      ),
      closeOthers: fc.boolean(),
      wait: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
        let dated: DatedLayer[] = [];
        // Beside the dated layers: the whole profile by top after each instant with a declaration.
        const profiles: { at: number; byTop: Map<number, DeclaredLayer> }[] = [];
        let now = 2;
        for (const { layers, closeOthers, wait } of requests) {
          now += wait;
          const done = declareLayers(layersInForce(dated, now), layers, keeping(closeOthers));
          if (!done.ok) continue;
          const { closed } = done.value;
          dated = dated.map((each) => (closed.includes(each) ? { ...each, endedAt: now } : each));
          dated.push(...layers.map((each) => ({ ...each, startedAt: now, endedAt: null })));
          const byTop = new Map(closeOthers ? [] : profiles.at(-1)?.byTop);
          for (const each of layers) byTop.set(each.depthTopCm, each);
          if (profiles.at(-1)?.at === now) profiles.pop();
          profiles.push({ at: now, byTop });
        }
        const ownerIn = (byTop: Map<number, DeclaredLayer>, depthCm: number): number | null => {
          const deepest = [...byTop.values()].reduce(
            (most, each) => Math.max(most, each.depthBottomCm),
            0,
          );
          for (let top = Math.floor(depthCm); top >= 0; top--) {
            const bottom = byTop.get(top)?.depthBottomCm ?? 0;
            if (depthCm < bottom || (depthCm === bottom && bottom === deepest))
              return byTop.get(top)!.soilHorizonId;
          }
          return null;
        };
        for (let at = 0; at <= now + 1; at++)
          for (let depthCm = 0; depthCm <= 7; depthCm += 0.5) {
            const owners = profiles.map((each) => ({
              at: each.at,
              owner: ownerIn(each.byTop, depthCm),
            }));
            const until = owners.filter((each) => each.at <= at);
            const isKnown = until.some(({ owner }) => owner !== null);
            const expected = isKnown
              ? until.at(-1)!.owner
              : owners.find(({ owner }) => owner !== null)?.owner;
            expect(layerAt(dated, depthCm, at)?.soilHorizonId ?? null).toBe(expected ?? null);
          }
      }),
    );
  });
});

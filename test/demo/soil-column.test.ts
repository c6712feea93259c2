import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceSoilColumn,
  layerMoisture,
  type SoilColumn,
  type SoilColumnLayer,
  suctionKpa,
  totalWaterMm,
  uniformSoilColumn,
} from '../../demo/farm/soil-column.ts';

/** Saxton & Rawls (2006), Table 3. */
const loam: SoilColumnLayer = {
  wiltingPoint: 0.14,
  fieldCapacity: 0.28,
  saturation: 0.46,
  saturatedConductivityMmPerH: 15.5,
  thicknessMm: 100,
};

/** Six layers of loam, all at the same share of their available water. */
const loamColumn = (share: number): SoilColumn => uniformSoilColumn(Array(6).fill(loam), share);
const ROOTS = [0.3, 0.25, 0.2, 0.15, 0.1, 0];
const IDLE_STEP = { hours: 1 / 12, waterMm: 0, evaporationMm: 0, transpirationMm: 0 };

const layer = fc
  .record({
    wiltingPoint: fc.double({ min: 0.02, max: 0.2, noNaN: true }),
    available: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
    drainable: fc.double({ min: 0.02, max: 0.2, noNaN: true }),
    saturatedConductivityMmPerH: fc.double({ min: 0.1, max: 200, noNaN: true }),
    thicknessMm: fc.double({ min: 50, max: 300, noNaN: true }),
  })
  .map(
    ({ wiltingPoint, available, drainable, ...rest }): SoilColumnLayer => ({
      wiltingPoint,
      fieldCapacity: wiltingPoint + available,
      saturation: wiltingPoint + available + drainable,
      ...rest,
    }),
  );

const weather = fc.record({
  hours: fc.double({ min: 0.01, max: 1, noNaN: true }),
  waterMm: fc.double({ min: 0, max: 60, noNaN: true }),
  evaporationMm: fc.double({ min: 0, max: 2, noNaN: true }),
  transpirationMm: fc.double({ min: 0, max: 2, noNaN: true }),
});

/** Layers with their root weights (normalised later), their initial moisture, and the weather. */
const run = fc.record({
  layersWithRoots: fc.array(fc.tuple(layer, fc.integer({ min: 1, max: 10 })), {
    minLength: 1,
    maxLength: 8,
  }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  steps: fc.array(weather, { minLength: 1, maxLength: 60 }),
});

describe('water in a column of soil', () => {
  it('is conserved: storage grows by inflow less losses', () => {
    fc.assert(
      fc.property(run, ({ layersWithRoots, share, steps }) => {
        const layers = layersWithRoots.map(([each]) => each);
        const totalWeight = layersWithRoots.reduce((sum, [, part]) => sum + part, 0);
        const roots = layersWithRoots.map(([, part]) => part / totalWeight);
        let column = uniformSoilColumn(layers, share);
        let balance = totalWaterMm(column);
        for (const step of steps) {
          const { column: next, losses } = advanceSoilColumn(column, step, roots);
          balance += step.waterMm - losses.evaporatedMm - losses.transpiredMm - losses.drainedMm;
          column = next;
        }
        expect(Math.abs(totalWaterMm(column) - balance)).toBeLessThan(1e-6);
      }),
    );
  });

  it('keeps layers between empty and saturated, and the pond at or above 0', () => {
    fc.assert(
      fc.property(run, ({ layersWithRoots, share, steps }) => {
        let column = uniformSoilColumn(
          layersWithRoots.map(([each]) => each),
          share,
        );
        for (const step of steps) {
          column = advanceSoilColumn(
            column,
            step,
            Array(layersWithRoots.length).fill(1 / layersWithRoots.length),
          ).column;
          expect(column.pondMm).toBeGreaterThanOrEqual(0);
          for (const [index, { saturation }] of column.layers.entries()) {
            expect(layerMoisture(column, index)).toBeGreaterThanOrEqual(0);
            expect(layerMoisture(column, index)).toBeLessThanOrEqual(saturation + 1e-9);
          }
        }
      }),
    );
  });

  it('keeps half of the inflow in the first layer, and half of the rest in each layer below', () => {
    const before = loamColumn(0.2);
    const { column } = advanceSoilColumn(before, { ...IDLE_STEP, waterMm: 8 }, ROOTS);
    const gains = column.waterMm.map((water, index) => water - before.waterMm[index]!);
    // 8 mm: 4, 2, 1, 0.5, 0.25, 0.125, and the 0.125 mm that no layer below can hold stay in the
    // first.
    for (const [index, gain] of [4.125, 2, 1, 0.5, 0.25, 0.125].entries())
      expect(gains[index]).toBeCloseTo(gain, 2);
  });

  it('stays on the surface while the soil is full, and soaks in later', () => {
    const full: SoilColumn = { ...loamColumn(0), waterMm: Array(6).fill(46) };
    const flooded = advanceSoilColumn(full, { ...IDLE_STEP, waterMm: 20 }, ROOTS).column;
    expect(flooded.pondMm).toBeGreaterThan(15);
    expect(
      advanceSoilColumn(flooded, { ...IDLE_STEP, hours: 1 }, ROOTS).column.pondMm,
    ).toBeLessThan(flooded.pondMm);
  });

  it('drains from a wet column and barely from one at field capacity', () => {
    const drained = (column: SoilColumn): number =>
      advanceSoilColumn(column, { ...IDLE_STEP, hours: 1 }, ROOTS).losses.drainedMm;
    // At saturation 15.5 mm in an hour; at field capacity 15.5 x (0.28/0.46)^14.0 = 0.015 mm.
    expect(drained({ ...loamColumn(0), waterMm: Array(6).fill(46) })).toBeCloseTo(15.5, 6);
    expect(drained(loamColumn(1))).toBeCloseTo(0.015, 3);
  });

  it('meets the demand of roots above half of the available water, and none of it at the wilting point', () => {
    const uptake = (share: number): number =>
      advanceSoilColumn(loamColumn(share), { ...IDLE_STEP, transpirationMm: 0.1 }, ROOTS).losses
        .transpiredMm;
    expect(uptake(0.6)).toBeCloseTo(0.1, 9);
    expect(uptake(0.25)).toBeCloseTo(0.05, 3);
    expect(uptake(0)).toBe(0);
  });
});

describe('suction', () => {
  it('is 33 kPa at field capacity and 1,500 kPa at the wilting point (Saxton & Rawls 2006, Table 1)', () => {
    expect(suctionKpa(loam, 0.28)).toBeCloseTo(33, 9);
    expect(suctionKpa(loam, 0.14)).toBeCloseTo(1500, 6);
  });
});

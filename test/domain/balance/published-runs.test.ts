import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GrowingCrop } from '../../../src/domain/balance/crop-growth.ts';
import type { BalanceDay } from '../../../src/domain/balance/daily-balance.ts';
import type { BalanceLayers } from '../../../src/domain/balance/root-zone-soil.ts';
import { mmDownTo } from '../../../src/domain/balance/root-zone-soil.ts';
import { runBalance, stateAtStart } from '../../../src/domain/balance/run-balance.ts';
import { evaporableMm, type ReferenceCrop } from '../../../src/domain/balance/soil-evaporation.ts';
import { firstOf } from '../../../src/domain/items.ts';

/*
 * Daily output of the FAO-56 simulations that are published with https://github.com/kthorp/pyfao56
 * (tests/test01 and tests/test05 of commit 1d242ee, files cottondry2013.out, cottonwet2013.out,
 * E12FF2022_default.out and E12FF2022_Soil.out): a work of the United States Government in the
 * public domain, CC0 1.0 elsewhere. The tables here hold their input and the columns compared.
 */

interface Simulation {
  readonly file: string;
  readonly reference: ReferenceCrop;
  readonly crop: GrowingCrop;
  readonly lengths: readonly [initial: number, development: number, mid: number, late: number];
  readonly layers: BalanceLayers;
  /** Water content at the start, by the bottom of its layer in cm. */
  readonly startContents: readonly (readonly [bottomCm: number, content: number])[];
  readonly evaporation: { readonly depthM: number; readonly readyMm: number };
  readonly followsSoilBelow: boolean;
  readonly adjustsDepletion: boolean;
}

const COTTON = {
  reference: 'grass',
  crop: {
    basis: 'dual',
    coefficients: { initial: 0.15, mid: 1.2, end: 0.573 },
    height: { initial: 0.05, max: 1.2 },
    rootsCm: { initial: 60, max: 170 },
    allowedDepletion: 0.65,
  },
  lengths: [31, 52, 50, 21],
  layers: [{ topCm: 0, bottomCm: 170, fieldCapacity: 0.225, wiltingPoint: 0.1 }],
  startContents: [[170, 0.1]],
  evaporation: { depthM: 0.1143, readyMm: 9 },
  followsSoilBelow: false,
  adjustsDepletion: true,
} as const;

const CORN = {
  reference: 'alfalfa',
  crop: {
    basis: 'dual',
    coefficients: { initial: 0.15, mid: 0.96, end: 0.5 },
    height: { initial: 0.05, max: 2 },
    rootsCm: { initial: 20, max: 105 },
    allowedDepletion: 0.5,
  },
  lengths: [30, 40, 50, 50],
  evaporation: { depthM: 0.0773, readyMm: 8 },
  adjustsDepletion: false,
} as const;

const SIMULATIONS: readonly Simulation[] = [
  { ...COTTON, file: 'cotton-2013-dry' },
  { ...COTTON, file: 'cotton-2013-wet' },
  {
    ...CORN,
    file: 'corn-2022-one-soil',
    layers: [{ topCm: 0, bottomCm: 105, fieldCapacity: 0.207, wiltingPoint: 0.1035 }],
    startContents: [[105, 0.207]],
    followsSoilBelow: false,
  },
  {
    ...CORN,
    file: 'corn-2022-layers',
    layers: [
      { topCm: 0, bottomCm: 15, fieldCapacity: 0.29, wiltingPoint: 0.145 },
      { topCm: 15, bottomCm: 45, fieldCapacity: 0.24, wiltingPoint: 0.12 },
      { topCm: 45, bottomCm: 75, fieldCapacity: 0.182, wiltingPoint: 0.091 },
      { topCm: 75, bottomCm: 105, fieldCapacity: 0.158, wiltingPoint: 0.079 },
    ],
    startContents: [
      [15, 0.26],
      [45, 0.22],
      [75, 0.172],
      [105, 0.158],
    ],
    // Layers are added up by whole millimetres there.
    evaporation: { ...CORN.evaporation, depthM: 0.077 },
    followsSoilBelow: true,
  },
];

type Column =
  | 'etRef'
  | 'rain'
  | 'irrigation'
  | 'wettedFraction'
  | 'wind'
  | 'humidityMin'
  | 'eta'
  | 'percolation'
  | 'depletion';

function publishedDays(file: string): Record<Column, number>[] {
  const text = readFileSync(new URL(`./pyfao56/${file}.csv`, import.meta.url), 'utf8');
  const [names, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map(
    (values) =>
      Object.fromEntries(names!.map((name, index) => [name, Number(values[index])])) as Record<
        Column,
        number
      >,
  );
}

const toDay = (row: Record<Column, number>): BalanceDay => ({
  et0Mm: row.etRef,
  rainMm: row.rain,
  irrigationMm: row.irrigation,
  wettedFraction: row.wettedFraction,
  windMs: row.wind,
  humidityMin: row.humidityMin,
});

function simulate({ crop, layers, evaporation, ...simulation }: Simulation) {
  const [initial, development, mid, late] = simulation.lengths;
  const top = firstOf(layers);
  const surface = {
    totalMm: evaporableMm(top.fieldCapacity, top.wiltingPoint, evaporation.depthM),
    readyMm: evaporation.readyMm,
  };
  const subject = {
    crop,
    clock: { lengths: { initial, development, mid, late }, dayOf: (index: number) => index },
    layers,
    options: {
      surface,
      reference: simulation.reference,
      adjustsDepletion: simulation.adjustsDepletion,
      zoneFraction: 1,
      limitsEvaporation: false,
    },
  };

  const contentAt = (bottomCm: number): number =>
    simulation.startContents.find(([bottom]) => bottomCm <= bottom)![1];
  const lackDownTo = (depthCm: number): number =>
    mmDownTo(layers, depthCm, ({ bottomCm, fieldCapacity }) => fieldCapacity - contentAt(bottomCm));
  const rootZoneMm = lackDownTo(crop.rootsCm.initial);
  const belowMm = simulation.followsSoilBelow ? lackDownTo(crop.rootsCm.max) - rootZoneMm : null;
  const days = publishedDays(simulation.file);
  return {
    days,
    results: runBalance(subject, stateAtStart(subject, { rootZoneMm, belowMm }), days.map(toDay)),
  };
}

describe.each(SIMULATIONS)('$file', (simulation) => {
  it('gives the published evapotranspiration, percolation and depletion of each day', () => {
    const { days, results } = simulate(simulation);

    expect(results).toHaveLength(days.length);
    for (const [
      index,
      { state, evaporationMm, transpirationMm, percolationMm },
    ] of results.entries()) {
      const published = days[index]!;
      expect(Math.abs(evaporationMm + transpirationMm - published.eta)).toBeLessThan(0.05);
      expect(Math.abs(percolationMm - published.percolation)).toBeLessThan(0.05);
      expect(Math.abs(state.rootZoneMm - published.depletion)).toBeLessThan(0.05);
    }
  });
});

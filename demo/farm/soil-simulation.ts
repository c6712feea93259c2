import { rootUptakeShare } from '../../src/domain/moisture/summary-curve.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { READING_INTERVAL_MS } from './calendar.ts';
import { NORTH_SOIL, SOUTH_SOIL } from './demo-farm.ts';
import {
  advanceSoilColumn,
  layerMoisture,
  type SoilColumn,
  type SoilColumnLayer,
  type SoilHydraulics,
  uniformSoilColumn,
} from './soil-column.ts';
import { atProbeMm, type DemoWatering } from './waterings.ts';
import type { DemoWeather } from './weather.ts';

const LAYER_CM = 10;
const STEP_MS = 5 * MINUTE_MS;
/** Share of the demand that evaporates from bare ground; plants transpire the rest. */
const EVAPORATION_SHARE = 0.2;
const ROOT_DEPTH_CM = 60;
/** Share of the available water in the soil at the start. */
const INITIAL_SHARE = 0.85;

export interface Site {
  readonly module: string;
  /** Module whose waterings also reach this site. */
  readonly wateredWith: string;
  readonly horizons: readonly { bottomCm: number; soil: SoilHydraulics }[];
  readonly demandFactor: number;
}

export const SITES: readonly Site[] = [
  { module: 'North 1', wateredWith: 'North 1', horizons: NORTH_SOIL, demandFactor: 1 },
  { module: 'North 2', wateredWith: 'North 2', horizons: NORTH_SOIL, demandFactor: 0.92 },
  { module: 'South 1', wateredWith: 'South 1', horizons: SOUTH_SOIL, demandFactor: 0.96 },
  { module: 'South tension', wateredWith: 'South 1', horizons: SOUTH_SOIL, demandFactor: 0.82 },
];

/**
 * Moisture at the boundaries of layers, m3/m3: [boundary - 1][instant], the mean of the layer above
 * and below.
 */
export type BoundaryMoisture = readonly Float64Array[];

export const moistureAtDepth = (
  boundaryMoisture: BoundaryMoisture,
  depthCm: number,
): Float64Array => boundaryMoisture[depthCm / LAYER_CM - 1]!;

export const initialSoil = ({ horizons }: Site): SoilColumn =>
  uniformSoilColumn(soilLayers(horizons), INITIAL_SHARE);

interface SiteConditions {
  readonly instants: Float64Array;
  readonly weather: DemoWeather;
  readonly waterings: readonly DemoWatering[];
}

export function simulateSoil(
  { wateredWith, demandFactor }: Site,
  before: SoilColumn,
  { instants, weather, waterings }: SiteConditions,
): { boundaryMoisture: BoundaryMoisture; soil: SoilColumn } {
  const roots = rootShare(before.layers.length);
  const watered = waterings.filter(({ module }) => module === wateredWith);
  const boundaryMoisture = before.layers.slice(1).map(() => new Float64Array(instants.length));
  let soil = before;
  for (const [index, at] of instants.entries()) {
    for (let from = at - READING_INTERVAL_MS; from < at; from += STEP_MS) {
      const demand = demandFactor * weather.demandMm(from, from + STEP_MS);
      const step = {
        hours: STEP_MS / HOUR_MS,
        waterMm: weather.rainMm(from, from + STEP_MS) + irrigationMm(watered, from, from + STEP_MS),
        evaporationMm: EVAPORATION_SHARE * demand,
        transpirationMm: (1 - EVAPORATION_SHARE) * demand,
      };
      soil = advanceSoilColumn(soil, step, roots).column;
    }
    for (const [boundary, values] of boundaryMoisture.entries())
      values[index] = (layerMoisture(soil, boundary) + layerMoisture(soil, boundary + 1)) / 2;
  }
  return { boundaryMoisture, soil };
}

function soilLayers(horizons: Site['horizons']): SoilColumnLayer[] {
  const deepest = horizons.at(-1)!.bottomCm;
  return Array.from({ length: deepest / LAYER_CM }, (_, index) => ({
    ...horizons.find(({ bottomCm }) => (index + 1) * LAYER_CM <= bottomCm)!.soil,
    thicknessMm: LAYER_CM * 10,
  }));
}

const rootShare = (layers: number): number[] =>
  Array.from({ length: layers }, (_, layer) =>
    rootUptakeShare({ topCm: layer * LAYER_CM, bottomCm: (layer + 1) * LAYER_CM }, ROOT_DEPTH_CM),
  );

/** mm in [from, to). */
function irrigationMm(waterings: readonly DemoWatering[], from: number, to: number): number {
  let sum = 0;
  for (const watering of waterings) {
    const length = watering.durationMin * MINUTE_MS;
    const shared = Math.min(watering.startedAt + length, to) - Math.max(watering.startedAt, from);
    if (shared > 0) sum += (atProbeMm(watering) * shared) / length;
  }
  return sum;
}

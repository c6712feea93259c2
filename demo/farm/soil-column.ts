import { DEFAULT_ALLOWED_DEPLETION } from '../../src/domain/soil/allowed-depletion.ts';
import { driestMoisture } from '../../src/domain/soil/soil-catalog.ts';

/**
 * A one-dimensional soil water balance without capillary rise. Quantities in mm, moisture in m3/m3.
 */

/** m3/m3, and mm/h for the saturated conductivity. */
export interface SoilHydraulics {
  readonly saturation: number;
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
  readonly saturatedConductivityMmPerH: number;
}

export interface SoilColumnLayer extends SoilHydraulics {
  readonly thicknessMm: number;
}

export interface SoilColumn {
  readonly layers: readonly SoilColumnLayer[];
  readonly waterMm: readonly number[];
  readonly pondMm: number;
}

export interface StepWeather {
  readonly hours: number;
  readonly waterMm: number;
  readonly evaporationMm: number;
  readonly transpirationMm: number;
}

export interface WaterLosses {
  readonly evaporatedMm: number;
  readonly transpiredMm: number;
  readonly drainedMm: number;
}

/** kPa. Source: Saxton & Rawls (2006), Table 1. */
const FIELD_CAPACITY_KPA = 33;
const WILTING_POINT_KPA = 1500;

/** Source: Saxton & Rawls (2006), equation 15: suction = A x moisture^-B. */
const retentionSlope = ({ fieldCapacity, wiltingPoint }: SoilHydraulics): number =>
  Math.log(WILTING_POINT_KPA / FIELD_CAPACITY_KPA) / Math.log(fieldCapacity / wiltingPoint);

/** Source: Saxton & Rawls (2006), equations 11, 14 and 15. */
export const suctionKpa = (soil: SoilHydraulics, moisture: number): number =>
  FIELD_CAPACITY_KPA * (soil.fieldCapacity / moisture) ** retentionSlope(soil);

/** Source: Saxton & Rawls (2006), equation 17. */
const conductivityMmPerH = (soil: SoilHydraulics, moisture: number): number =>
  soil.saturatedConductivityMmPerH * (moisture / soil.saturation) ** (3 + 2 * retentionSlope(soil));

export const layerMoisture = ({ layers, waterMm }: SoilColumn, index: number): number =>
  waterMm[index]! / layers[index]!.thicknessMm;

export const totalWaterMm = ({ waterMm, pondMm }: SoilColumn): number =>
  waterMm.reduce((sum, each) => sum + each, pondMm);

/** `share` of the available water: 0 = wilting point, 1 = field capacity. */
export const uniformSoilColumn = (
  layers: readonly SoilColumnLayer[],
  share: number,
): SoilColumn => ({
  layers,
  waterMm: layers.map(
    ({ wiltingPoint, fieldCapacity, thicknessMm }) =>
      (wiltingPoint + share * (fieldCapacity - wiltingPoint)) * thicknessMm,
  ),
  pondMm: 0,
});

/**
 * One step of some minutes; water is conserved. `rootShare` is each layer's share of the uptake, 1
 * in sum.
 */
export function advanceSoilColumn(
  column: SoilColumn,
  weather: StepWeather,
  rootShare: readonly number[],
): { column: SoilColumn; losses: WaterLosses } {
  const { layers } = column;
  const waterMm = [...column.waterMm];
  const drainedMm = drain(layers, waterMm, weather.hours);
  const pondMm = infiltrate(layers, waterMm, column.pondMm + weather.waterMm);
  const evaporatedMm = evaporate(layers[0]!, waterMm, weather.evaporationMm);
  let transpiredMm = 0;
  for (const [index, layer] of layers.entries()) {
    const demandMm =
      weather.transpirationMm * rootShare[index]! * waterStressCoefficient(layer, waterMm[index]!);
    transpiredMm += withdraw(waterMm, index, demandMm, layer.wiltingPoint * layer.thicknessMm);
  }
  return { column: { layers, waterMm, pondMm }, losses: { evaporatedMm, transpiredMm, drainedMm } };
}

function withdraw(
  waterMm: number[],
  index: number,
  demandMm: number,
  minRemaining: number,
): number {
  const withdrawn = Math.min(demandMm, Math.max(0, waterMm[index]! - minRemaining));
  waterMm[index]! -= withdrawn;
  return withdrawn;
}

/** Lowest layer first to make room; returns what leaves at the bottom. */
function drain(layers: readonly SoilColumnLayer[], waterMm: number[], hours: number): number {
  let drained = 0;
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index]!;
    const below = layers[index + 1];
    const freeCapacity = below
      ? below.saturation * below.thicknessMm - waterMm[index + 1]!
      : Number.POSITIVE_INFINITY;
    const passing = conductivityMmPerH(layer, waterMm[index]! / layer.thicknessMm) * hours;
    const moved = withdraw(
      waterMm,
      index,
      Math.max(0, Math.min(passing, freeCapacity)),
      layer.wiltingPoint * layer.thicknessMm,
    );
    if (below) waterMm[index + 1]! += moved;
    else drained = moved;
  }
  return drained;
}

/**
 * Returns what stays on the surface. The first layer holds half; of the rest, which runs down
 * through cracks, each layer keeps half.
 */
function infiltrate(
  layers: readonly SoilColumnLayer[],
  waterMm: number[],
  available: number,
): number {
  let passing = available;
  for (const [index, layer] of layers.entries())
    passing -= fillLayer(layer, waterMm, index, passing / 2);
  return passing - fillLayer(layers[0]!, waterMm, 0, passing);
}

function fillLayer(
  { saturation, thicknessMm }: SoilColumnLayer,
  waterMm: number[],
  index: number,
  available: number,
): number {
  const added = Math.min(available, Math.max(0, saturation * thicknessMm - waterMm[index]!));
  waterMm[index]! += added;
  return added;
}

function evaporate(
  { wiltingPoint, fieldCapacity, thicknessMm }: SoilColumnLayer,
  waterMm: number[],
  demandMm: number,
): number {
  const driest = driestMoisture(wiltingPoint);
  const share = (waterMm[0]! / thicknessMm - driest) / (fieldCapacity - driest);
  return withdraw(waterMm, 0, demandMm * clampShare(share), driest * thicknessMm);
}

/** Source: FAO-56, equation 84. */
function waterStressCoefficient(
  { wiltingPoint, fieldCapacity, thicknessMm }: SoilColumnLayer,
  waterMm: number,
): number {
  const available = (waterMm / thicknessMm - wiltingPoint) / (fieldCapacity - wiltingPoint);
  return clampShare(available / (1 - DEFAULT_ALLOWED_DEPLETION));
}

const clampShare = (share: number): number => Math.min(1, Math.max(0, share));

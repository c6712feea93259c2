import type { Slice } from './slices.ts';
import { thicknessMm } from './slices.ts';
import { nearestTexture, textureGroupOf } from './texture.ts';

/**
 * In points of volume. The standard error of the field capacity by texture is 0.05 m3/m3 (Saxton &
 * Rawls 2006, Table 1, equation 2); in measured clays, and where layers are unlike, classes are off
 * by twice that (docs/validation.md).
 */
const ERROR_POINTS = 5;
const CLAY_ERROR_POINTS = 10;

interface ClassifiedSlice {
  readonly slice: Slice | null;
  /** In m3/m3, of the class; null without a layer. */
  readonly fieldCapacity: number | null;
  readonly wiltingPoint: number | null;
}

/** How far the deficit of these slices may be off, in mm of the wetted zone. */
export function classErrorMm(slices: readonly ClassifiedSlice[]): number {
  const groups = slices.flatMap(({ slice, fieldCapacity, wiltingPoint }) =>
    slice === null || fieldCapacity === null || wiltingPoint === null
      ? []
      : textureGroupOf(nearestTexture({ fieldCapacity, wiltingPoint })),
  );
  const isHardToTell = groups.includes('clay') || new Set(groups).size > 1;
  const points = isHardToTell ? CLAY_ERROR_POINTS : ERROR_POINTS;
  const zoneMm = slices.reduce((sum, { slice }) => sum + (slice ? thicknessMm(slice) : 0), 0);
  return (points / 100) * zoneMm;
}

import { roundTo } from '../decimal.ts';
import { THRESHOLD_DECIMALS } from '../soil/allowed-depletion.ts';
import type { SoilConstants } from '../soil/soil-catalog.ts';

/** In points of volume: two swapped digits or a fraction differ more, soils of one class less. */
const MAX_DIFFERENCE = 8;
/** Soil that drains holds less than its pores do. */
const MIN_BELOW_SATURATION = 3;

export const JUDGED_LINES = ['fieldCapacity', 'wiltingPoint'] as const;
export type JudgedLine = (typeof JUDGED_LINES)[number];

/**
 * `saturation`: `expected` is the most that it can be. `moved`: it was drawn where the probe stood
 * before, whose soil had what is `expected`.
 */
export const LINE_DOUBT_BASES = ['suggestion', 'soil_profile', 'saturation', 'moved'] as const;

/** A drawn line that its soil does not explain; in % of volume. */
export interface LineDoubt {
  readonly line: JudgedLine;
  readonly height: number;
  readonly expected: number;
  readonly basis: (typeof LINE_DOUBT_BASES)[number];
}

/** All in % of volume. */
export interface JudgedHeight {
  readonly height: number;
  /** The height that past waterings suggested when it was drawn. */
  readonly suggested: number | null;
  /** The height that a person confirmed. */
  readonly confirmed: number | null;
  /** It was drawn before the probe was moved; absent where it was not. */
  readonly isOfEarlierPlace?: true;
}

/** `soil` is in m3/m3, weighted like the curve. */
export function doubtLine(
  line: JudgedLine,
  { height, suggested, confirmed, isOfEarlierPlace }: JudgedHeight,
  soil: SoilConstants | null,
): LineDoubt | null {
  if (isOfEarlierPlace) return { line, height, expected: height, basis: 'moved' };
  if (height === confirmed) return null;

  const most = soil && toPercent(soil.saturation) - MIN_BELOW_SATURATION;
  if (most !== null && height > most) return { line, height, expected: most, basis: 'saturation' };

  const expected = suggested ?? (soil && toPercent(soil[line]));
  if (expected === null || roundPoints(Math.abs(height - expected)) <= MAX_DIFFERENCE) return null;
  return { line, height, expected, basis: suggested === null ? 'soil_profile' : 'suggestion' };
}

const roundPoints = (points: number): number => roundTo(points, THRESHOLD_DECIMALS);

const toPercent = (fraction: number): number => roundPoints(100 * fraction);

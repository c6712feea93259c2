import { roundTo } from '../decimal.ts';
import type { TextureGroup } from '../soil/texture.ts';
import type { IrrigationSystem } from './dose.ts';

/**
 * In m, an assumption: on sand water sinks below the emitter, on clay it spreads. Lines 6.7 m apart
 * on loam, with an emitter each 0.9 m, were seen to wet strips of 1 to 1.2 m.
 */
const STRIP_WIDTH_M: Readonly<Record<TextureGroup, number>> = { sand: 0.6, loam: 1.1, clay: 1.5 };

interface DripLines {
  readonly system: IrrigationSystem;
  readonly emitterSpacingM: number | null;
  readonly lineSpacingM: number | null;
}

/** A hundredth is more than such widths can tell. */
const FRACTION_DECIMALS = 2;
const MIN_FRACTION = 0.01;

/**
 * The share of the area that drip lines wet, by their spacing; null where emitters do not wet a
 * strip, or the spacing is unknown. A soil without a texture counts as loam. Source of the ratio:
 * USDA NRCS, National Engineering Handbook, part 623, chapter 7, percent wetted area.
 */
export function fractionOfSpacing(
  { system, emitterSpacingM, lineSpacingM }: DripLines,
  texture: TextureGroup | null,
): number | null {
  if (system !== 'drip' || emitterSpacingM === null || lineSpacingM === null) return null;

  const stripM = STRIP_WIDTH_M[texture ?? 'loam'];
  if (emitterSpacingM >= stripM) return null;
  return Math.max(MIN_FRACTION, Math.min(1, roundTo(stripM / lineSpacingM, FRACTION_DECIMALS)));
}

import type { DepthFacts, EquipmentFacts, SetupFacts } from '../facts/probe-facts.ts';
import type { WateringFacts } from '../facts/watering-facts.ts';
import { fractionOfSpacing } from '../irrigation/wetted-strip.ts';
import type { UsdaClass } from '../soil/soil-catalog.ts';
import { nearestTexture, textureGroupOf } from '../soil/texture.ts';
import { equipmentAt } from './review/setup-at.ts';

export type SoilOfDepth = Pick<DepthFacts, 'fieldCapacity' | 'wiltingPoint'>;

/** The texture of the uppermost depth with a soil layer; null without one. */
export function textureAtTop(depths: readonly SoilOfDepth[]): UsdaClass | null {
  for (const { fieldCapacity, wiltingPoint } of depths)
    if (fieldCapacity !== null && wiltingPoint !== null)
      return nearestTexture({ fieldCapacity, wiltingPoint });
  return null;
}

/**
 * The wetted fraction that answers use where nobody entered one: that of the spacing of its drip
 * lines. Null where the fraction of the equipment stands.
 */
export function fractionForDefault(
  equipment: Parameters<typeof fractionOfSpacing>[0] &
    Pick<EquipmentFacts, 'fractionWettedIsDefault'>,
  depths: readonly SoilOfDepth[],
): number | null {
  if (!equipment.fractionWettedIsDefault) return null;
  const usdaClass = textureAtTop(depths);
  return fractionOfSpacing(equipment, usdaClass && textureGroupOf(usdaClass));
}

/** The setup with the wetted fractions that answers use. Recorded doses keep the default. */
export function withFractionsOfSpacing<Setup extends Pick<SetupFacts, 'installation' | 'versions'>>(
  setup: Setup,
  depths: readonly SoilOfDepth[],
): Setup {
  const withFraction = (equipment: EquipmentFacts): EquipmentFacts => {
    const fraction = fractionForDefault(equipment, depths);
    return fraction === null
      ? equipment
      : { ...equipment, fractionWetted: fraction, isFractionOfSpacing: true };
  };

  return {
    ...setup,
    installation: setup.installation && withFraction(setup.installation),
    versions: setup.versions.map(withFraction),
  };
}

/** A watering with the dose that is compared with what the soil shows. */
export interface AppliedWatering extends WateringFacts {
  /** mm over the wetted part of the area, which may be all of it; null if unknown. */
  readonly wettedMm: number | null;
}

/** The water of a probe by the fractions that answers use. */
export interface ProbeWater {
  /** The share of the area that its equipment wets now, 0 to 1. */
  readonly fractionWetted: number;
  /** The waterings that were done, oldest first. */
  readonly done: readonly AppliedWatering[];
}

export function probeWater(
  equipment: Pick<SetupFacts, 'installation' | 'versions'>,
  depths: readonly SoilOfDepth[],
  done: readonly WateringFacts[],
): ProbeWater {
  const setup = withFractionsOfSpacing(equipment, depths);
  return {
    // Rain wets the whole area where there is no equipment.
    fractionWetted: setup.installation?.fractionWetted ?? 1,
    done: done.map((watering) => ({ ...watering, wettedMm: wettedDoseMm(watering, setup) })),
  };
}

/**
 * The recorded dose in mm over the wetted part; null if unknown. A depth without equipment may have
 * come from drip, so that nobody knows how much the wetted soil got.
 */
export function wettedDoseMm(
  { waterMm, waterMmWetted, scope, startedAt }: WateringFacts,
  setup: Pick<SetupFacts, 'versions'>,
): number | null {
  if (waterMm === null || scope === null) return null;
  const equipment = equipmentAt(setup, startedAt);
  // Recorded with the default fraction.
  if (equipment?.isFractionOfSpacing) return waterMm / equipment.fractionWetted;
  // The recorded fraction is 1.
  return waterMmWetted ?? waterMm;
}

/** As `waterMmWetted` of a watering: null where it wetted the whole area. */
export const shownWettedMm = (
  watering: WateringFacts,
  setup: Pick<SetupFacts, 'versions'>,
): number | null => (watering.waterMmWetted === null ? null : wettedDoseMm(watering, setup));

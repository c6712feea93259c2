import type { DepthFacts, EquipmentFacts, SetupFacts } from '../facts/probe-facts.ts';
import { fractionOfSpacing } from '../irrigation/wetted-strip.ts';
import type { UsdaClass } from '../soil/soil-catalog.ts';
import { nearestTexture, textureGroupOf } from '../soil/texture.ts';

export type SoilOfDepth = Pick<DepthFacts, 'fieldCapacity' | 'wiltingPoint'>;

/** The texture of the uppermost depth with a soil layer; null without one. */
export function textureAtTop(depths: readonly SoilOfDepth[]): UsdaClass | null {
  for (const { fieldCapacity, wiltingPoint } of depths)
    if (fieldCapacity !== null && wiltingPoint !== null)
      return nearestTexture({ fieldCapacity, wiltingPoint });
  return null;
}

/**
 * The setup with the wetted fractions that answers use: where nobody entered one, that of
 * the spacing of its drip lines, else the default. Recorded doses keep the default.
 */
export function withFractionsOfSpacing<Setup extends Pick<SetupFacts, 'installation' | 'versions'>>(
  setup: Setup,
  depths: readonly SoilOfDepth[],
): Setup {
  const usdaClass = textureAtTop(depths);
  const texture = usdaClass && textureGroupOf(usdaClass);
  const withFraction = (equipment: EquipmentFacts): EquipmentFacts => {
    const fraction = equipment.fractionWettedIsDefault
      ? fractionOfSpacing(equipment, texture)
      : null;
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

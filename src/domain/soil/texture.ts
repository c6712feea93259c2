import { leastBy } from '../items.ts';
import { SOIL_HORIZONS, type SoilConstants, type UsdaClass } from './soil-catalog.ts';

/** Sands take in water fast and let it sink, clays take it in slowly and spread it. */
export type TextureGroup = 'sand' | 'loam' | 'clay';

const GROUPS: Readonly<Record<UsdaClass, TextureGroup>> = {
  Sand: 'sand',
  'Loamy sand': 'sand',
  'Sandy loam': 'loam',
  'Sandy clay loam': 'loam',
  'Sandy clay': 'clay',
  Loam: 'loam',
  'Clay loam': 'loam',
  Clay: 'clay',
  'Silt loam': 'loam',
  Silt: 'loam',
  'Silty clay loam': 'loam',
  'Silty clay': 'clay',
};

export const textureGroupOf = (usdaClass: UsdaClass): TextureGroup => GROUPS[usdaClass];

type WaterContents = Pick<SoilConstants, 'fieldCapacity' | 'wiltingPoint'>;

/** The class whose field capacity and wilting point are nearest to these, in m3/m3. */
export function nearestTexture({ fieldCapacity, wiltingPoint }: WaterContents): UsdaClass {
  const squaredDistance = (horizon: WaterContents): number =>
    (horizon.fieldCapacity - fieldCapacity) ** 2 + (horizon.wiltingPoint - wiltingPoint) ** 2;
  return leastBy(SOIL_HORIZONS, squaredDistance).usdaClass;
}

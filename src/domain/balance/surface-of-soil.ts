import { SOIL_HORIZONS } from '../soil/soil-catalog.ts';
import { type SurfaceSoil, surfaceOf } from './soil-evaporation.ts';

/** By the texture class that holds water most alike; water contents in m3/m3. */
export function surfaceOfSoil(soil: {
  readonly fieldCapacity: number;
  readonly wiltingPoint: number;
}): SurfaceSoil {
  const distance = ({ fieldCapacity, wiltingPoint }: typeof soil): number =>
    Math.hypot(fieldCapacity - soil.fieldCapacity, wiltingPoint - soil.wiltingPoint);
  const nearest = SOIL_HORIZONS.reduce((best, horizon) =>
    distance(horizon) < distance(best) ? horizon : best,
  );
  return surfaceOf(nearest.usdaClass, soil);
}

import type { Crop } from '../soil/allowed-depletion.ts';
import { cropTables } from './crop-tables.ts';

/** The range of the deepest roots of a grown crop. Source: FAO-56, table 22. */
export interface UsualRoots {
  readonly crop: Crop;
  readonly fromCm: number;
  readonly toCm: number;
}

export function usualRootsOf(crop: Crop): UsualRoots {
  const [from, to] = cropTables(crop).rootsM;
  return { crop, fromCm: Math.round(100 * from), toCm: Math.round(100 * to) };
}

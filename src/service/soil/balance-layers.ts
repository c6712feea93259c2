import type { BalanceLayer } from '../../domain/balance/root-zone-soil.ts';
import { soilHorizonById } from '../../domain/soil/soil-catalog.ts';
import { openLayers } from '../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** The layers in force, as they are declared. */
export async function balanceLayersOfParcel(
  db: CompanyDb,
  parcelId: number,
): Promise<BalanceLayer[]> {
  const layers = await openLayers(db, parcelId);
  return layers.flatMap(({ soilHorizonId, depthTopCm: topCm, depthBottomCm: bottomCm }) => {
    const soil = soilHorizonById(soilHorizonId);
    if (soil === null) return [];
    const { fieldCapacity, wiltingPoint } = soil;
    return [{ topCm, bottomCm, fieldCapacity, wiltingPoint }];
  });
}

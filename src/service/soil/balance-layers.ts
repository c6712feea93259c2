import type { BalanceLayer } from '../../domain/balance/root-zone-soil.ts';
import { soilOfLayer } from '../../domain/soil/soil-profile.ts';
import { type StonesByDepth, withStones } from '../../domain/soil/stones.ts';
import { openLayers } from '../../store/soil/soil-layers.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** The layers in force, as they are declared. */
export async function balanceLayersOfParcel(
  db: CompanyDb,
  parcelId: number,
  stones: StonesByDepth | null,
): Promise<BalanceLayer[]> {
  const layers = withStones(await openLayers(db, parcelId), stones);
  return layers.flatMap((layer) => {
    const soil = soilOfLayer(layer);
    if (soil === null) return [];
    const { depthTopCm: topCm, depthBottomCm: bottomCm } = layer;
    const { fieldCapacity, wiltingPoint } = soil;
    return [{ topCm, bottomCm, fieldCapacity, wiltingPoint }];
  });
}

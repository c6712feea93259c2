import { type SoilClass, soilClassByName } from '../../domain/soil/soil-catalog.ts';
import { MAX_LAYERS_IN_FORCE } from '../../domain/soil/soil-profile.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { FarmParcel } from '../../schema/farm/farm-file.ts';
import { addLayer, closeLayer, openLayers } from '../../store/soil/soil-layers.ts';
import { tooManyLayersError } from '../soil/soil-profile.ts';
import type { ImportCounts } from './farm-rows.ts';

/** A changed layer replaces the one with the same top. */
export async function declareSoil(
  { db, now }: WriteContext,
  { id: parcelId, path }: { id: number; path: string },
  parcel: FarmParcel,
  tally: ImportCounts,
): Promise<void> {
  if (parcel.soilProfile === undefined) return;

  const inForce = await openLayers(db, parcelId);
  const tops = new Set([...inForce, ...parcel.soilProfile].map(({ depthTopCm }) => depthTopCm));
  if (tops.size > MAX_LAYERS_IN_FORCE) throw tooManyLayersError(tops.size, `${path}.soilProfile`);

  for (const { usdaClass, depthTopCm, depthBottomCm } of parcel.soilProfile) {
    const { id: soilHorizonId }: SoilClass = soilClassByName(usdaClass);
    const existing = inForce.find((layer) => layer.depthTopCm === depthTopCm);
    if (existing?.soilHorizonId === soilHorizonId && existing.depthBottomCm === depthBottomCm) {
      tally.unchanged++;
      continue;
    }
    if (existing) await closeLayer(db, existing.id, now);
    await addLayer(db, parcelId, { soilHorizonId, depthTopCm, depthBottomCm }, now);
    tally[existing ? 'changed' : 'created']++;
  }
}

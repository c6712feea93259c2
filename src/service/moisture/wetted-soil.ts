import { type SoilOfDepth, textureAtTop } from '../../domain/advice/wetted-fraction.ts';
import { NO_SETTINGS, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { summarySource } from '../../domain/moisture/summary-source.ts';
import type { Call } from '../../operation/call.ts';
import { modulesInService } from '../../store/company/modules.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import {
  ownSettingsVersions,
  settingsVersionsOfModules,
} from '../../store/moisture/settings-versions.ts';
import { layersOfParcels } from '../../store/soil/soil-layers.ts';
import { balanceLayersOfParcel } from '../soil/balance-layers.ts';
import { soilOfSource } from './wetted-fractions.ts';

// The soil from which advice takes the wetted fraction of drip lines.

/** At the depths of probes, by module id. */
export async function soilOfProbes(
  { db, now }: Pick<Call, 'db' | 'now'>,
  moduleIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SoilOfDepth[]>> {
  if (moduleIds.length === 0) return new Map();
  const modules = await modulesInService(db, moduleIds);
  const sensors = await sensorsOf(db, moduleIds);
  const settings = await settingsVersionsOfModules(db, modules);
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const layers = await layersOfParcels(db, parcelIds);
  return new Map(
    modules.map(({ id, parcelId }) => {
      const source = summarySource(
        sensors.filter(({ moduleId }) => moduleId === id),
        settingsVersionAt(settings.get(id) ?? [], now) ?? NO_SETTINGS,
        layers.filter((layer) => layer.parcelId === parcelId),
        'humidity',
      );
      return [id, soilOfSource(source, now)];
    }),
  );
}

/** In the layers of a parcel without a probe. */
export async function soilOfParcel(
  { db, now }: Pick<Call, 'db' | 'now'>,
  parcelId: number,
): Promise<readonly SoilOfDepth[]> {
  const settings = settingsVersionAt(await ownSettingsVersions(db, { parcelId }), now);
  return balanceLayersOfParcel(db, parcelId, settings?.stonesByDepth ?? null);
}

/** At the depths of a probe that measures its soil, else in the layers of its parcel. */
export async function soilUnderEmitters(
  call: Pick<Call, 'db' | 'now'>,
  { moduleId, parcelId }: { readonly moduleId: number | null; readonly parcelId: number | null },
): Promise<readonly SoilOfDepth[]> {
  const ofProbe = moduleId === null ? [] : (await soilOfProbes(call, [moduleId])).get(moduleId);
  if (ofProbe !== undefined && textureAtTop(ofProbe) !== null) return ofProbe;
  return parcelId === null ? [] : soilOfParcel(call, parcelId);
}

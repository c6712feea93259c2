import {
  type ProbeWater,
  probeWater,
  type SoilOfDepth,
} from '../../domain/advice/wetted-fraction.ts';
import type { SetupFacts } from '../../domain/facts/probe-facts.ts';
import { seriesOfSource } from '../../domain/facts/probe-series.ts';
import type { WateringFacts } from '../../domain/facts/watering-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import {
  type EquipmentVersion,
  mostRecentFirst,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { Call } from '../../operation/call.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { versionsOfTargets } from '../../store/irrigation/installations.ts';

type EquippedModule = Pick<ModuleName, 'id' | 'parcelId'>;

/** The equipment of a module and that of its parcel. */
export interface Equipment {
  /** In force now. */
  readonly installation: EquipmentVersion | null;
  /** Newest first. */
  readonly versions: readonly EquipmentVersion[];
}

/** By module id. */
export async function equipmentOfModules(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly EquippedModule[],
): Promise<ReadonlyMap<number, Equipment>> {
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const versions = await versionsOfTargets(
    db,
    modules.map(({ id }) => id),
    parcelIds,
  );
  const ofModules = groupBy(versions, ({ moduleId }) => moduleId);
  const ofParcels = groupBy(versions, ({ parcelId }) => parcelId);
  return new Map(
    modules.map(({ id, parcelId }) => {
      const applicable = [
        ...(ofModules.get(id) ?? []),
        ...(parcelId === null ? [] : (ofParcels.get(parcelId) ?? [])),
      ].sort(mostRecentFirst);
      const installation = versionAtWithParcel(applicable, now);
      return [id, { installation, versions: applicable }];
    }),
  );
}

interface RecordedWater {
  readonly equipment: Pick<SetupFacts, 'installation' | 'versions'>;
  /** The waterings that were done, oldest first. */
  readonly done: readonly WateringFacts[];
}

/** By the soil of the depths of the source. */
export const waterOfSource = (
  source: SummarySource,
  { equipment, done }: RecordedWater,
  now: number,
): ProbeWater => probeWater(equipment, soilOfSource(source, now), done);

export function soilOfSource(source: SummarySource, now: number): readonly SoilOfDepth[] {
  const noValues = source.sensors.map(() => ({ at: [], values: [] }));
  return seriesOfSource(source, noValues, now + 1).depths;
}

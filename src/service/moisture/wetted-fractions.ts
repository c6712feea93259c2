import { groupBy } from '../../domain/groups.ts';
import {
  type EquipmentVersion,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import type { Call } from '../../operation/call.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import { versionsOfTargets } from '../../store/irrigation/installations.ts';
import type { CompanyDb } from '../../store/tables.ts';

type EquippedModule = Pick<ModuleName, 'id' | 'parcelId'>;

/** The equipment of a module and that of its parcel. */
export async function loadVersions(db: CompanyDb, modules: readonly EquippedModule[]) {
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const versions = await versionsOfTargets(
    db,
    modules.map(({ id }) => id),
    parcelIds,
  );
  const ofModules = groupBy(versions, ({ moduleId }) => moduleId);
  const ofParcels = groupBy(versions, ({ parcelId }) => parcelId);
  return ({ id, parcelId }: EquippedModule) => [
    ...(ofModules.get(id) ?? []),
    ...(parcelId === null ? [] : (ofParcels.get(parcelId) ?? [])),
  ];
}

/** Rain wets the whole area where there is no equipment. */
export const wettedFraction = (
  installation: { readonly fractionWetted: number } | null | undefined,
): number => installation?.fractionWetted ?? 1;

/** By module id. */
export async function equipmentInForce(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly EquippedModule[],
): Promise<ReadonlyMap<number, EquipmentVersion | null>> {
  const versionsOf = await loadVersions(db, modules);
  return new Map(
    modules.map((module) => [module.id, versionAtWithParcel(versionsOf(module), now)]),
  );
}

/** The fraction of the equipment in force. */
export const wettedFractionOf = async (
  call: Pick<Call, 'db' | 'now'>,
  module: EquippedModule,
): Promise<number> => wettedFraction(entryOf(await equipmentInForce(call, [module]), module.id));

import { groupBy } from '../../domain/groups.ts';
import { versionAtWithParcel } from '../../domain/irrigation/equipment-timeline.ts';
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

/** Of the equipment in force, by module id. */
export async function wettedFractions(
  { db, now }: Pick<Call, 'db' | 'now'>,
  modules: readonly EquippedModule[],
): Promise<ReadonlyMap<number, number>> {
  const versionsOf = await loadVersions(db, modules);
  return new Map(
    modules.map((module) => [
      module.id,
      wettedFraction(versionAtWithParcel(versionsOf(module), now)),
    ]),
  );
}

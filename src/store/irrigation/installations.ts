import type { Selectable } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import type { EquipmentFields } from '../../domain/irrigation/equipment.ts';
import type { EquipmentVersion, VersionSpan } from '../../domain/irrigation/equipment-timeline.ts';
import {
  equipmentFields,
  installationFields,
  placementFields,
  versionFields,
} from '../../schema/irrigation/installation.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type InstallationTarget = { readonly moduleId: number } | { readonly parcelId: number };

const versionMapper = new ResourceMapper(versionFields);

const toVersion = (row: Selectable<CompanyTables['installation_versions']>): EquipmentVersion =>
  versionMapper.toValue(row);

const withKnownSpacing = <
  Body extends { readonly emitterSpacingM: number | null; readonly lineSpacingM: number | null },
>({
  emitterSpacingM,
  lineSpacingM,
  ...body
}: Body) =>
  emitterSpacingM === null || lineSpacingM === null
    ? body
    : { ...body, emitterSpacingM, lineSpacingM };

export const toVersionBody = (version: EquipmentVersion) =>
  withKnownSpacing(versionMapper.toBody(version));

/** The version without what only the list of versions shows. */
const installationMapper = new ResourceMapper(installationFields);

export const toInstallationBody = (version: EquipmentVersion) =>
  withKnownSpacing(installationMapper.toBody(version));

const versionRows = (db: CompanyDb) =>
  db.selectFrom('installation_versions').selectAll().orderBy('valid_from');

const versionsOfModule = preparedQuery((db, moduleId: number) =>
  versionRows(db).where('module_id', '=', moduleId),
);
const versionsOfParcel = preparedQuery((db, parcelId: number) =>
  versionRows(db).where('parcel_id', '=', parcelId),
);

/** The versions of the target itself, oldest first: those of a probe without its parcel's. */
export async function ownVersions(
  db: CompanyDb,
  target: InstallationTarget,
): Promise<EquipmentVersion[]> {
  const rows =
    'moduleId' in target
      ? await versionsOfModule(db, target.moduleId)
      : await versionsOfParcel(db, target.parcelId);
  return rows.map(toVersion);
}

const applicableVersionRows = preparedQuery((db, moduleId: number) =>
  versionRows(db)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('module_id', '=', moduleId),
        eb('parcel_id', '=', selectFrom('modules').select('parcel_id').where('id', '=', moduleId)),
      ]),
    )
    .orderBy('scope'),
);

/**
 * The versions of a probe and of its parcel, oldest first. If two begin at the same time, the
 * probe's comes first.
 */
export const ownAndParcelVersions = async (
  db: CompanyDb,
  moduleId: number,
): Promise<EquipmentVersion[]> => (await applicableVersionRows(db, moduleId)).map(toVersion);

/** The versions of these modules and parcels, oldest first. */
export async function versionsOfTargets(
  db: CompanyDb,
  moduleIds: readonly number[],
  parcelIds: readonly number[],
): Promise<EquipmentVersion[]> {
  const rows = await versionRows(db)
    .where(({ eb, or }) =>
      or([
        ...(moduleIds.length === 0 ? [] : [eb('module_id', 'in', moduleIds)]),
        ...(parcelIds.length === 0 ? [] : [eb('parcel_id', 'in', parcelIds)]),
      ]),
    )
    .orderBy('scope')
    .execute();
  return rows.map(toVersion);
}

/**
 * The versions for each probe of a parcel: its own and the parcel's, oldest first, as of one probe.
 */
export async function versionsByProbe(
  db: CompanyDb,
  parcelId: number,
  moduleIds: readonly number[],
): Promise<ReadonlyMap<number, EquipmentVersion[]>> {
  const versions = await versionsOfTargets(db, moduleIds, [parcelId]);
  const ofParcel = versions.filter((version) => version.moduleId === null);
  const ofModule = groupBy(versions, (version) => version.moduleId);
  // The sort is stable: of two that begin at the same time, the probe's own stays first.
  return new Map(
    moduleIds.map((id) => {
      const own = [...(ofModule.get(id) ?? []), ...ofParcel];
      return [id, own.sort((a, b) => a.validFrom - b.validFrom)];
    }),
  );
}

export async function versionById(db: CompanyDb, id: number): Promise<EquipmentVersion | null> {
  const row = await db
    .selectFrom('installation_versions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toVersion(row) : null;
}

/** The probes' own versions that are in force without an end; probes without one are left out. */
export async function probeOverrides(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<EquipmentVersion[]> {
  if (moduleIds.length === 0) return [];
  const rows = await db
    .selectFrom('installation_versions')
    .selectAll()
    .where('module_id', 'in', moduleIds)
    .where('valid_to', 'is', null)
    .orderBy('module_id')
    .execute();
  return rows.map(toVersion);
}

const equipmentMapper = new ResourceMapper(equipmentFields);

export async function insertVersion(
  db: CompanyDb,
  target: InstallationTarget,
  version: {
    equipment: EquipmentFields;
    validFrom: number;
    validTo: number | null;
    setAt: number;
    notes: string | null;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('installation_versions')
    .values({
      scope: 'moduleId' in target ? 'module' : 'parcel',
      module_id: 'moduleId' in target ? target.moduleId : null,
      parcel_id: 'parcelId' in target ? target.parcelId : null,
      ...equipmentMapper.toColumns(version.equipment),
      valid_from: version.validFrom,
      valid_to: version.validTo,
      set_at: version.setAt,
      notes: version.notes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

  return id;
}

export async function setVersionValidity(db: CompanyDb, span: VersionSpan): Promise<void> {
  await db
    .updateTable('installation_versions')
    .set({ valid_from: span.validFrom, valid_to: span.validTo })
    .where('id', '=', span.id)
    .execute();
}

export async function correctVersionEquipment(
  db: CompanyDb,
  id: number,
  equipment: EquipmentFields,
  notes: string | null,
): Promise<void> {
  await db
    .updateTable('installation_versions')
    .set({ ...equipmentMapper.toColumns(equipment), notes })
    .where('id', '=', id)
    .execute();
}

const placementMapper = new ResourceMapper(placementFields);

export type Placement = ValueOf<typeof placementFields>;

export const toPlacementBody = (placement: Placement) => placementMapper.toBody(placement);

export async function placementOf(db: CompanyDb, moduleId: number): Promise<Placement | null> {
  const row = await db
    .selectFrom('placements')
    .selectAll()
    .where('module_id', '=', moduleId)
    .executeTakeFirst();
  return row ? placementMapper.toValue(row) : null;
}

export async function setPlacement(
  db: CompanyDb,
  moduleId: number,
  placement: Placement,
): Promise<void> {
  await db.deleteFrom('placements').where('module_id', '=', moduleId).execute();
  await db
    .insertInto('placements')
    .values({ module_id: moduleId, ...placementMapper.toColumns(placement) })
    .execute();
}

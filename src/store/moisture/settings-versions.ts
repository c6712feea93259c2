import type { Selectable } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import { itemAt } from '../../domain/items.ts';
import {
  type SettingsVersion,
  withSettingsOfParcel,
} from '../../domain/moisture/probe-settings.ts';
import { withTimesOfSource } from '../../domain/moisture/water-sources.ts';
import { toWholeTimes } from '../../domain/moisture/water-times.ts';
import { settingFields } from '../../schema/moisture/setting-fields.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { waterSources } from './water-sources.ts';

const mapper = new ResourceMapper(settingFields);

type SettingsRow =
  | Selectable<CompanyTables['probe_settings']>
  | Selectable<CompanyTables['parcel_settings']>;

function toSettingsVersion(row: SettingsRow): SettingsVersion {
  const settings = mapper.toValue(row);
  return {
    validFrom: row.valid_from,
    ...settings,
    waterTimes: toWholeTimes(settings.waterTimes),
  };
}

/** A probe, or a parcel whose probes have the settings that they lack themselves. */
export type SettingsTarget = { readonly moduleId: number } | { readonly parcelId: number };

interface ProbeOfParcel {
  readonly id: number;
  readonly parcelId: number | null;
}

const rowsOfProbe = preparedQuery((db, moduleId: number) =>
  db
    .selectFrom('probe_settings')
    .selectAll()
    .where('module_id', '=', moduleId)
    .orderBy('valid_from'),
);

const rowsOfParcel = preparedQuery((db, parcelId: number) =>
  db
    .selectFrom('parcel_settings')
    .selectAll()
    .where('parcel_id', '=', parcelId)
    .orderBy('valid_from'),
);

const rowsOfParcelOfProbe = preparedQuery((db, moduleId: number) =>
  db
    .selectFrom('parcel_settings')
    .selectAll()
    .where('parcel_id', '=', (eb) =>
      eb.selectFrom('modules').select('modules.parcel_id').where('modules.id', '=', moduleId),
    )
    .orderBy('valid_from'),
);

/** The versions of the target itself, oldest first. */
export async function ownSettingsVersions(
  db: CompanyDb,
  target: SettingsTarget,
): Promise<SettingsVersion[]> {
  const rows =
    'moduleId' in target
      ? await rowsOfProbe(db, target.moduleId)
      : await rowsOfParcel(db, target.parcelId);
  return rows.map(toSettingsVersion);
}

/** The versions of a probe, with those of its parcel where it has none of its own; oldest first. */
export async function settingsVersionsOf(
  db: CompanyDb,
  moduleId: number,
): Promise<readonly SettingsVersion[]> {
  const ofParcel = await rowsOfParcelOfProbe(db, moduleId);
  const versions = withSettingsOfParcel(
    await ownSettingsVersions(db, { moduleId }),
    ofParcel.map(toSettingsVersion),
  );
  return itemAt(await settingsWithSources(db, [versions]), 0);
}

/** The versions of a parcel, with the times of its source where it has none; oldest first. */
export async function settingsVersionsOfParcel(
  db: CompanyDb,
  parcelId: number,
): Promise<readonly SettingsVersion[]> {
  const versions = await ownSettingsVersions(db, { parcelId });
  return itemAt(await settingsWithSources(db, [versions]), 0);
}

/** In the same order. Most farms have no sources, and take no query for them. */
async function settingsWithSources(
  db: CompanyDb,
  versionsOfEach: readonly (readonly SettingsVersion[])[],
): Promise<readonly (readonly SettingsVersion[])[]> {
  if (!versionsOfEach.flat().some(({ waterSource }) => waterSource !== null)) return versionsOfEach;
  const sources = new Map((await waterSources(db)).map((source) => [source.name, source]));
  return versionsOfEach.map((versions) => withTimesOfSource(versions, sources));
}

/** The same of each module; those without any are left out. */
export async function settingsVersionsOfModules(
  db: CompanyDb,
  modules: readonly ProbeOfParcel[],
): Promise<Map<number, readonly SettingsVersion[]>> {
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const rows = await db
    .selectFrom('probe_settings')
    .selectAll()
    .where(
      'module_id',
      'in',
      modules.map(({ id }) => id),
    )
    .orderBy('valid_from')
    .execute();
  const rowsOfParcels =
    parcelIds.length === 0
      ? []
      : await db
          .selectFrom('parcel_settings')
          .selectAll()
          .where('parcel_id', 'in', parcelIds)
          .orderBy('valid_from')
          .execute();

  const byModule = groupBy(rows, (row) => row.module_id);
  const byParcel = groupBy(rowsOfParcels, (row) => row.parcel_id);
  const combined = modules.map(({ id, parcelId }) => {
    const own = byModule.get(id) ?? [];
    const ofParcel = parcelId === null ? [] : (byParcel.get(parcelId) ?? []);
    return withSettingsOfParcel(own.map(toSettingsVersion), ofParcel.map(toSettingsVersion));
  });
  const versionsOfEach = await settingsWithSources(db, combined);
  return new Map(
    modules.flatMap(({ id }, index) => {
      const versions = itemAt(versionsOfEach, index);
      return versions.length === 0 ? [] : [[id, versions] as const];
    }),
  );
}

/** Replaces a version that begins at the same time. */
export async function putSettingsVersion(
  db: CompanyDb,
  target: SettingsTarget,
  { validFrom, ...settings }: SettingsVersion,
  setAt: number,
): Promise<void> {
  const row = { valid_from: validFrom, set_at: setAt, ...mapper.toColumns(settings) };

  if ('moduleId' in target) {
    const { moduleId } = target;
    await db
      .deleteFrom('probe_settings')
      .where('module_id', '=', moduleId)
      .where('valid_from', '=', validFrom)
      .execute();
    await db
      .insertInto('probe_settings')
      .values({ module_id: moduleId, ...row })
      .execute();
    return;
  }

  const { parcelId } = target;
  await db
    .deleteFrom('parcel_settings')
    .where('parcel_id', '=', parcelId)
    .where('valid_from', '=', validFrom)
    .execute();
  await db
    .insertInto('parcel_settings')
    .values({ parcel_id: parcelId, ...row })
    .execute();
}

import type { Selectable } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import type { SettingsVersion } from '../../domain/moisture/probe-settings.ts';
import { settingFields } from '../../schema/moisture/probe-settings.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

const mapper = new ResourceMapper(settingFields);

const toSettingsVersion = (row: Selectable<CompanyTables['probe_settings']>): SettingsVersion => ({
  validFrom: row.valid_from,
  ...mapper.toValue(row),
});

const versionRows = preparedQuery((db, moduleId: number) =>
  db
    .selectFrom('probe_settings')
    .selectAll()
    .where('module_id', '=', moduleId)
    .orderBy('valid_from'),
);

/** Oldest first. */
export async function settingsVersionsOf(
  db: CompanyDb,
  moduleId: number,
): Promise<SettingsVersion[]> {
  return (await versionRows(db, moduleId)).map(toSettingsVersion);
}

/** Those of each module, oldest first; modules without any are left out. */
export async function settingsVersionsOfModules(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<Map<number, SettingsVersion[]>> {
  const rows = await db
    .selectFrom('probe_settings')
    .selectAll()
    .where('module_id', 'in', moduleIds)
    .orderBy('valid_from')
    .execute();
  return new Map(
    [...groupBy(rows, (row) => row.module_id)].map(([id, versions]) => [
      id,
      versions.map(toSettingsVersion),
    ]),
  );
}

/** Replaces a version that begins at the same time. */
export async function putSettingsVersion(
  db: CompanyDb,
  moduleId: number,
  { validFrom, ...settings }: SettingsVersion,
  setAt: number,
): Promise<void> {
  await db
    .deleteFrom('probe_settings')
    .where('module_id', '=', moduleId)
    .where('valid_from', '=', validFrom)
    .execute();
  await db
    .insertInto('probe_settings')
    .values({
      module_id: moduleId,
      valid_from: validFrom,
      set_at: setAt,
      ...mapper.toColumns(settings),
    })
    .execute();
}

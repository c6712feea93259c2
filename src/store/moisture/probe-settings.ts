import type { Selectable } from 'kysely';
import { groupBy } from '../../domain/groups.ts';
import type { SettingsVersion } from '../../domain/moisture/probe-settings.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

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

const toSettingsVersion = (row: Selectable<CompanyTables['probe_settings']>): SettingsVersion => ({
  validFrom: row.valid_from,
  rootDepthCm: row.root_depth_cm,
  depthWeights: row.depth_weights === null ? null : JSON.parse(row.depth_weights),
  allowedDepletion: row.allowed_depletion,
  refillPercent: row.refill_percent,
  efficiencyPercent: row.efficiency_percent,
  leachingPercent: row.leaching_percent,
  hoursPerDay: row.hours_per_day,
});

/** Replaces a version that begins at the same time. */
export async function putSettingsVersion(
  db: CompanyDb,
  moduleId: number,
  version: SettingsVersion,
  setAt: number,
): Promise<void> {
  const values = {
    root_depth_cm: version.rootDepthCm,
    depth_weights: version.depthWeights && JSON.stringify(version.depthWeights),
    allowed_depletion: version.allowedDepletion,
    refill_percent: version.refillPercent,
    efficiency_percent: version.efficiencyPercent,
    leaching_percent: version.leachingPercent,
    hours_per_day: version.hoursPerDay,
    set_at: setAt,
  };

  await db
    .deleteFrom('probe_settings')
    .where('module_id', '=', moduleId)
    .where('valid_from', '=', version.validFrom)
    .execute();
  await db
    .insertInto('probe_settings')
    .values({ module_id: moduleId, valid_from: version.validFrom, ...values })
    .execute();
}

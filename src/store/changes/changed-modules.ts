import { sql } from 'kysely';
import type { ChangedRow, RowImage } from '../scope/recorded-rows.ts';
import type { CompanyDb } from '../tables.ts';
import { decodeRows } from './changed-rows-text.ts';
import { type ChangedModules, mergeModules } from './collected-changes.ts';

/**
 * The column with the module that a row is about; null for rows that say nothing about a module.
 * Rows of other tables concern the farm.
 */
const MODULE_COLUMNS: Readonly<Partial<Record<ChangedRow['table'], string | null>>> = {
  modules: 'id',
  sensors: 'module_id',
  devices: 'module_id',
  installation_versions: 'module_id',
  placements: 'module_id',
  probe_settings: 'module_id',
  schedules: 'target_module_id',
  waterings: 'module_id',
  annotations: 'module_id',
  alerts: 'module_id',
  alert_recipients: null,
};

export const modulesOfRows = (rows: readonly ChangedRow[]): ChangedModules =>
  rows.map(modulesOfRow).reduce(mergeModules, []);

function modulesOfRow({ table, before, after }: ChangedRow): ChangedModules {
  const column = MODULE_COLUMNS[table];
  // A module that is added or removed changes the list of the farm.
  const isListed = table === 'modules' && (before === null || after === null);
  if (column === undefined || isListed) return null;
  if (column === null) return [];

  const moduleOf = (image: RowImage | null): ChangedModules => {
    const module = image === null ? undefined : image[column];
    if (module === undefined) return [];
    return typeof module === 'number' ? [module] : null;
  };
  return mergeModules(moduleOf(before), moduleOf(after));
}

/** More changes, and a change with more rows (in characters), concern the farm. */
const MAX_CHANGES = 20;
const MAX_ROWS_LENGTH = 16_384;

/** The modules of what people and assistants have written since a change. */
export async function modulesChangedAfter(
  db: CompanyDb,
  id: number | null,
): Promise<ChangedModules> {
  const shortRows = sql<string | null>`case when length(changed_rows) <= ${MAX_ROWS_LENGTH}
    then changed_rows end`;
  const changes = await db
    .selectFrom('changes')
    .select(shortRows.as('rows'))
    .where('id', '>', id ?? 0)
    .orderBy('id')
    .limit(MAX_CHANGES + 1)
    .execute();

  const modules = changes.map(({ rows }) =>
    rows === null ? null : modulesOfRows(decodeRows(rows)),
  );
  return changes.length > MAX_CHANGES ? null : modules.reduce(mergeModules, []);
}

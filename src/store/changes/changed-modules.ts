import { sql } from 'kysely';
import { TABLES } from '../../schema/tables/index.ts';
import type { ChangedRow, RowImage } from '../scope/recorded-rows.ts';
import type { CompanyDb } from '../tables.ts';
import { decodeRows } from './changed-rows-text.ts';
import { type ChangedModules, mergeModules } from './collected-changes.ts';

export const modulesOfRows = (rows: readonly ChangedRow[]): ChangedModules =>
  rows.map(modulesOfRow).reduce(mergeModules, []);

function modulesOfRow({ table, before, after }: ChangedRow): ChangedModules {
  const { about } = TABLES[table].changes;
  const changesModuleList = table === 'modules' && (before === null || after === null);
  if (about === 'farm' || changesModuleList) return null;
  if (about === 'nothing') return [];

  const moduleOf = (image: RowImage | null): ChangedModules => {
    if (image === null) return [];
    const moduleId = image[about];
    if (moduleId === undefined) return [];
    // Null for a row of a parcel, such as a schedule, which concerns the farm.
    return typeof moduleId === 'number' ? [moduleId] : null;
  };
  return mergeModules(moduleOf(before), moduleOf(after));
}

/** More changes concern the farm, and so does a change whose rows are stored with more characters. */
const MAX_CHANGES = 20;
const MAX_ROWS_LENGTH = 4_096;

/** The modules that changes of people and assistants after the one with this id concern. */
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

  if (changes.length > MAX_CHANGES) return null;

  let modules: ChangedModules = [];
  for (const { rows } of changes)
    modules = mergeModules(modules, rows === null ? null : modulesOfRows(await decodeRows(rows)));
  return modules;
}

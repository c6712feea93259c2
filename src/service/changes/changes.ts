import type { Call } from '../../operation/call.ts';
import { changeBodies, mayReadRow, scopeToRead } from '../../operation/replay/change-bodies.ts';
import type { ChangeBody } from '../../schema/changes/change.ts';
import { CHANGED_TABLES, type ChangedTable } from '../../schema/tables/index.ts';
import {
  type Change,
  type ChangesRange,
  changesBefore,
  undoneBy,
} from '../../store/changes/changes.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import { requireOwnModule } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { assertStartBeforeEnd } from '../requested-period.ts';

interface ChangesQuery {
  readonly moduleId?: number;
  /** In ms; `to` is excluded. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly cursor?: string;
  /** Rows listed of each change. */
  readonly mostRows?: number;
}

export async function listChanges(call: Call, query: ChangesQuery) {
  assertStartBeforeEnd(query);
  const { db } = call;
  const list = ['changes', call.company.id] as const;
  const beforeId = decodeCursor(list, query.cursor, 1)?.[0] ?? null;
  const module = query.moduleId === undefined ? null : await requireOwnModule(call, query.moduleId);
  const range = { ...query, beforeId };
  const listedTables = new Set<ChangedTable>();
  const bodyOf = await changeBodies(call, query.mostRows);

  const page = await toPage(
    list,
    module ? changesOfModule(call, module, range) : changesBefore(db, range),
    {
      limit: query.limit,
      positionOf: ({ id }) => [id],
      async bodyOf(change): Promise<ChangeBody> {
        for (const { table } of change.rows ?? []) listedTables.add(table);
        return { ...(await bodyOf(change)), undoneBy: await undoneBy(db, change.id) };
      },
    },
  );

  adviseOfHiddenRows(call, module ? CHANGED_TABLES : [...listedTables]);
  return page;
}

/**
 * In the list of a probe, whole changes may be missing, so every scope that the caller lacks is
 * named.
 */
function adviseOfHiddenRows(call: Call, tables: readonly ChangedTable[]): void {
  const needed = new Set(tables.map(scopeToRead));
  const scopes = [...needed].filter((scope) => !call.caller.scopes.includes(scope));
  if (scopes.length > 0) call.advise({ kind: 'rows_withheld', scopes });
}

/**
 * The changes of the probe and of its parcel as a whole, newest first. Rows that the caller may not
 * read are not searched: otherwise a search by probe would reveal which probe they are about.
 */
async function* changesOfModule(
  { db, caller, yieldOrCancel }: Call,
  module: { readonly id: number; readonly parcelId: number | null },
  range: ChangesRange,
): AsyncGenerator<Change, void> {
  for await (const change of changesBefore(db, range)) {
    const concerns = (row: ChangedRow) => mayReadRow(caller, row) && concernsModule(row, module);
    if (change.rows?.some(concerns)) yield change;
    else await yieldOrCancel();
  }
}

function concernsModule(
  { table, key, before, after }: ChangedRow,
  { id, parcelId }: { readonly id: number; readonly parcelId: number | null },
): boolean {
  if (table === 'modules') return key === id;
  const row = (after ?? before)!;
  const moduleId = row.module_id ?? row.target_module_id ?? null;
  if (moduleId !== null) return moduleId === id;
  const rowParcelId = table === 'parcels' ? key : (row.parcel_id ?? row.target_parcel_id ?? null);
  return parcelId !== null && rowParcelId === parcelId;
}

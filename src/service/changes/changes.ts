import { lastOf } from '../../domain/items.ts';
import type { Call } from '../../operation/call.ts';
import type { ChangeBody } from '../../schema/changes/change.ts';
import { CHANGED_TABLES } from '../../schema/tables/index.ts';
import {
  type Change,
  type ChangesRange,
  changesBefore,
  undoneBy,
} from '../../store/changes/changes.ts';
import type { ChangedRow } from '../../store/scope/recorded-rows.ts';
import { requireOwnModule } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { changeBodies, mayReadRow, scopeToRead } from './change-bodies.ts';

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
  const { db } = call;
  const list = ['changes', call.company.id] as const;
  const beforeId = decodeCursor(list, query.cursor, 1)?.[0] ?? null;
  const module = query.moduleId === undefined ? null : await requireOwnModule(call, query.moduleId);
  const { data, next_cursor } = toPage(
    list,
    module
      ? await changesOfModule(call, module, { ...query, beforeId }, query.limit + 1)
      : await changesBefore(db, { ...query, beforeId }, query.limit + 1),
    query.limit,
    ({ id }) => [id],
  );

  const bodyOf = await changeBodies(call, query.mostRows);
  const bodies: ChangeBody[] = [];
  for (const change of data)
    bodies.push({ ...bodyOf(change), undoneBy: await undoneBy(db, change.id) });

  adviseOfHiddenRows(call, data, module !== null);
  return { data: bodies, next_cursor };
}

/** In the list of a probe, whole changes may be missing, so every scope that the caller lacks is named. */
function adviseOfHiddenRows(call: Call, changes: readonly Change[], isOfModule: boolean): void {
  const rows = changes.flatMap((change) => change.rows ?? []);
  const needed = isOfModule
    ? CHANGED_TABLES.map(scopeToRead)
    : rows.map(({ table }) => scopeToRead(table));

  const scopes = [...new Set(needed)].filter((scope) => !call.caller.scopes.includes(scope));
  if (scopes.length > 0) call.advise({ kind: 'rows_withheld', scopes });
}

const CHANGES_PER_QUERY = 100;

/**
 * The changes of the probe and of its parcel as a whole, newest first. Rows that the caller may not
 * read are not searched: otherwise a search by probe would reveal which probe they are about.
 */
async function changesOfModule(
  call: Call,
  module: { readonly id: number; readonly parcelId: number | null },
  range: ChangesRange,
  limit: number,
): Promise<Change[]> {
  const found: Change[] = [];
  for (let beforeId = range.beforeId; ; ) {
    const changes = await changesBefore(call.db, { ...range, beforeId }, CHANGES_PER_QUERY);
    const readable = (row: ChangedRow) => mayReadRow(call.caller, row);

    found.push(
      ...changes.filter(({ rows }) =>
        rows?.some((row) => readable(row) && concernsModule(row, module)),
      ),
    );
    if (changes.length < CHANGES_PER_QUERY || found.length >= limit) return found.slice(0, limit);

    beforeId = lastOf(changes).id;
    await call.yieldOrCancel();
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

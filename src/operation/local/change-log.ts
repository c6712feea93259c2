import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Scope } from '../../schema/scope.ts';
import { modulesOfRows } from '../../store/changes/changed-modules.ts';
import { insertChange, insertChangeWithoutEffect } from '../../store/changes/changes.ts';
import { storedImages } from '../../store/changes/reversals.ts';
import { announceChange } from '../../store/company-changes.ts';
import type { RowImage } from '../../store/scope/recorded-rows.ts';
import type { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { Caller } from '../authorization.ts';
import type { UndoneChange } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import { toolNameOf } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';

interface ChangeContext {
  readonly at: number;
  readonly caller: Caller;
  readonly channel: WateringSource;
  readonly undone: UndoneChange | null;
  readonly recorder: RowRecorder;
  readonly readCompany: (id: number) => Promise<object | null>;
}

/** Returns the id of the change; null if nothing changed or devices sent the data. */
export async function recordChange(
  db: CompanyDb,
  operation: AnyOperation,
  body: unknown,
  { at, caller, channel, undone, recorder, readCompany }: ChangeContext,
): Promise<number | null> {
  if (!isWrite(operation)) return null;
  if (operation.batch && !operation.isListedChange?.(body)) return null;

  const change = {
    at,
    caller: caller.id,
    user_id: caller.userId,
    channel,
    operation: toolNameOf(operation),
    scope: undone?.scope ?? (operation.scope satisfies Scope),
    undoes: undone?.id ?? null,
  };
  // The many rows of a batch are not recorded; its readings were announced as they were stored.
  if (operation.batch) return insertChange(db, { ...change, rows: null });

  const rows = await recorder.changedRows(
    (table, keys) => storedImages(db, table, keys),
    async (id) => (await readCompany(id)) as RowImage | null,
  );
  if (rows.length === 0) {
    if (undone === null) await insertChangeWithoutEffect(db, change);
    return null;
  }

  announceChange(db, modulesOfRows(rows));
  return insertChange(db, { ...change, rows });
}

import { rowsOfText } from '../../domain/shares/daily-rows.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Scope } from '../../schema/scope.ts';
import { modulesOfRows } from '../../store/changes/changed-modules.ts';
import {
  insertChange,
  insertChangeWithoutEffect,
  latestChangeWithoutEffect,
} from '../../store/changes/changes.ts';
import { storedImages } from '../../store/changes/reversals.ts';
import { announceChange } from '../../store/company-changes.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { RowImage } from '../../store/scope/recorded-rows.ts';
import type { RowRecorder } from '../../store/scope/row-recorder.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { Caller } from '../authorization.ts';
import type { DeferredWork, UndoneChange } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import { toolNameOf } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';

interface CallOrigin {
  readonly at: number;
  readonly caller: Caller;
  readonly channel: WateringSource;
}

interface ChangeContext extends CallOrigin {
  readonly undone: UndoneChange | null;
  readonly recorder: RowRecorder;
  /** Later transactions add to the change. */
  readonly hasMoreRows: boolean;
  readonly readCompany: (id: number) => Promise<RowImage | null>;
}

interface RecordedChange {
  readonly id: number;
  /** How many rows it added, itself included; see domain/shares/daily-rows.ts. */
  readonly rowCount: number;
}

/** Null if nothing changed or devices sent the data. */
export async function recordChange(
  db: CompanyDb,
  operation: AnyOperation,
  body: unknown,
  { undone, recorder, hasMoreRows, readCompany, ...origin }: ChangeContext,
): Promise<RecordedChange | null> {
  if (!isWrite(operation)) return null;
  if (operation.batch && !operation.isListedChange?.(body)) return null;

  const change = changeOf(operation, origin, undone);
  // The many rows of a batch are not recorded; its readings were announced as they were stored.
  if (operation.batch) {
    const { id } = await insertChange(db, { ...change, rows: null });
    return { id, rowCount: 0 };
  }

  const rows = await recorder.changedRows(
    (table, keys) => storedImages(db, table, keys),
    readCompany,
  );
  if (rows.length === 0 && !hasMoreRows) {
    if (undone === null) await insertChangeWithoutEffect(db, change);
    return null;
  }

  announceChange(db, modulesOfRows(rows));
  const { id, length } = await insertChange(db, { ...change, rows });
  const addedRows = rows.filter(({ before }) => before === null).length;
  return { id, rowCount: addedRows + rowsOfText(length) };
}

const changeOf = (
  operation: AnyOperation,
  { at, caller, channel }: CallOrigin,
  undone: UndoneChange | null,
) => ({
  at,
  caller: caller.id,
  user_id: caller.userId,
  channel,
  operation: toolNameOf(operation),
  scope: undone?.scope ?? (operation.scope satisfies Scope),
  undoes: undone?.id ?? null,
});

/**
 * Work after the read of a dry run, so that an undo does not take back the change before it. Null if
 * nothing has to be stored.
 */
export async function recordingOfDryRun(
  db: CompanyDb,
  operation: AnyOperation,
  origin: CallOrigin,
): Promise<DeferredWork | null> {
  if (operation.batch) return null;

  const change = changeOf(operation, origin, null);
  const latest = await latestChangeWithoutEffect(db, change.caller);
  if (latest?.operation === change.operation) return null;
  const companyId = companyIdOf(db);
  return (store) => store.write(companyId, (inWrite) => insertChangeWithoutEffect(inWrite, change));
}

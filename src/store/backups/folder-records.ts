import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { BackupFailure } from '../../domain/backups/failures.ts';
import type { Tables } from '../tables.ts';

export interface FolderRecord {
  readonly folder: string;
  readonly storeId: string;
  readonly copiedAt: number | null;
  readonly checkedAt: number | null;
  readonly drilledAt: number | null;
  readonly failedAt: number | null;
  readonly failure: BackupFailure | null;
}

const toRecord = (row: Selectable<Tables['backup_folders']>): FolderRecord => ({
  folder: row.folder,
  storeId: row.store_id,
  copiedAt: row.copied_at,
  checkedAt: row.checked_at,
  drilledAt: row.drilled_at,
  failedAt: row.failed_at,
  failure: row.failure,
});

export async function folderRecords(db: Kysely<Tables>): Promise<FolderRecord[]> {
  const rows = await db.selectFrom('backup_folders').selectAll().orderBy('folder').execute();
  return rows.map(toRecord);
}

export async function folderRecord(
  db: Kysely<Tables>,
  folder: string,
): Promise<FolderRecord | null> {
  const records = await folderRecords(db);
  return records.find((each) => each.folder === folder) ?? null;
}

/** Adds the folder, if it is new. The first folder of a store gives the store its id. */
export async function ensureFolderRecord(
  db: Kysely<Tables>,
  folder: string,
): Promise<FolderRecord> {
  const records = await folderRecords(db);
  const existing = records.find((each) => each.folder === folder);
  if (existing) return existing;

  const storeId = records[0]?.storeId ?? randomUUID();
  const row = await db
    .insertInto('backup_folders')
    .values({ folder, store_id: storeId })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRecord(row);
}

/** A success also ends what the last failure said. */
export async function recordCopy(
  db: Kysely<Tables>,
  folder: string,
  { copiedAt, drilledAt }: { readonly copiedAt?: number; readonly drilledAt?: number },
): Promise<void> {
  const checkedAt = Math.max(copiedAt ?? 0, drilledAt ?? 0);
  await db
    .updateTable('backup_folders')
    .set({
      ...(copiedAt !== undefined && { copied_at: copiedAt }),
      ...(drilledAt !== undefined && { drilled_at: drilledAt }),
      checked_at: checkedAt,
      failed_at: null,
      failure: null,
    })
    .where('folder', '=', folder)
    .execute();
}

export async function recordFailure(
  db: Kysely<Tables>,
  folder: string,
  { failure, failedAt }: { readonly failure: BackupFailure; readonly failedAt: number },
): Promise<void> {
  await db
    .updateTable('backup_folders')
    .set({
      failure,
      failed_at: failedAt,
      // Another copy is made today.
      ...(failure === 'copy_damaged' && { copied_at: null }),
    })
    .where('folder', '=', folder)
    .execute();
}

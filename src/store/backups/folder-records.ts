import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { BackupFailure } from '../../domain/backups/failures.ts';
import type { Tables } from '../tables.ts';
import { isOnOtherDisk } from './backup-folder.ts';
import { NO_FOLDER } from './backup-location.ts';

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

export const makesNoCopies = (records: readonly FolderRecord[]): boolean =>
  records.some(({ folder }) => folder === NO_FOLDER);

export interface UsedFolder extends FolderRecord {
  readonly isOnStoreDisk: boolean;
}

/** The folder on whose copies a process worked last. Only files have any. */
export async function newestBackupFolder(db: Kysely<Tables>): Promise<UsedFolder | null> {
  const usedAt = ({ checkedAt, failedAt }: FolderRecord): number =>
    Math.max(checkedAt ?? 0, failedAt ?? 0);
  const used = (await folderRecords(db)).filter((record) => usedAt(record) > 0);
  const [newest] = used.sort((a, b) => usedAt(b) - usedAt(a));
  if (newest === undefined) return null;

  const { rows } = await sql<{
    file: string;
  }>`select file from pragma_database_list where name = 'main'`.execute(db);
  const [store] = rows;
  const isOnStoreDisk = store !== undefined && !isOnOtherDisk(newest.folder, store.file);
  return { ...newest, isOnStoreDisk };
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
      // Kysely leaves out columns whose value is undefined.
      copied_at: copiedAt,
      drilled_at: drilledAt,
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
      // Of a damaged copy, another one is made today.
      copied_at: failure === 'copy_damaged' ? null : undefined,
    })
    .where('folder', '=', folder)
    .execute();
}

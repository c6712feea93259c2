import { statSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BackupError } from '../../domain/backups/failures.ts';
import {
  copiesToDelete,
  DEFAULT_RETENTION,
  defaultMaxBytes,
} from '../../domain/backups/retention.ts';
import {
  type BackupManifest,
  MANIFEST_FORMAT,
  type TableFigures,
} from '../../schema/backups/manifest.ts';
import {
  backupErrorOf,
  backupsOfStore,
  deleteBackup,
  diskSpace,
  identityOfStore,
  keepRuleIn,
  manifestPathOf,
  newBackupPath,
  ownerOf,
  ownerOfStore,
  partialPath,
  removeLeftovers,
  type StoredBackup,
  type StoreIdentity,
  syncFolder,
  writeManifest,
} from './backup-folder.ts';
import { rowCountOf } from './check-backup.ts';
import { damageIn, differencesOf, figuresOf, sha256Of } from './file-contents.ts';
import { StoreSnapshot, withCopy } from './snapshot.ts';

/** What is left free on the disk of the copies. */
const RESERVED_BYTES = 10_000_000;

export interface BackupProgress {
  onPages(done: number, total: number): void;
}

export interface BackupRequest {
  readonly file: string;
  readonly folder: string;
  readonly storeId: string;
  /** In ms since 1970 UTC. */
  readonly now: number;
}

export interface BackupReport {
  readonly path: string;
  /** False if nothing changed since the newest copy, whose manifest now says so. */
  readonly isNew: boolean;
  readonly bytes: number;
  readonly rows: number;
  readonly deleted: number;
}

/** Throws a `BackupError`. At most one run at a time for a store. */
export async function makeBackup(
  request: BackupRequest,
  progress: BackupProgress,
): Promise<BackupReport> {
  const { file, folder, storeId } = request;
  try {
    const store = identityOfStore(file, storeId);
    await removeLeftovers(folder, ownerOfStore(store));
    const backup = await copyIfChanged(request, store, progress);
    const deleted = await deleteOldBackups(request, store, backup.manifest.bytes);
    const { bytes, tables } = backup.manifest;
    const rows = rowCountOf(tables);
    return { path: backup.path, isNew: backup.isNew, bytes, rows, deleted };
  } catch (error) {
    throw backupErrorOf(error, folder);
  }
}

interface CurrentBackup {
  readonly path: string;
  readonly manifest: BackupManifest;
  readonly isNew: boolean;
}

async function copyIfChanged(
  request: BackupRequest,
  store: StoreIdentity,
  progress: BackupProgress,
): Promise<CurrentBackup> {
  const { file, folder, now } = request;
  const [newest] = await backupsOfStore(folder, store, now);

  const snapshot = await StoreSnapshot.open(file);
  try {
    if (snapshot.storeId() !== store.id)
      throw new BackupError('unexpected', `${file} was replaced by another store`);
    const figures = await snapshot.figures();
    const migrations = snapshot.migrations();
    if (newest && (await isStillEqual(newest, figures, migrations))) {
      const firstAt = Math.min(newest.manifest.firstAt, now);
      const manifest = { ...newest.manifest, firstAt, at: now, checkedAt: now };
      await writeManifest(newest.manifestPath, manifest);
      return { path: newest.path, manifest, isNew: false };
    }

    const manifest = {
      kind: 'regular' as const,
      store,
      at: now,
      migrations,
    };
    return { ...(await writeCopy(snapshot, request, manifest, figures, progress)), isNew: true };
  } finally {
    snapshot.close();
  }
}

/** The file of the copy is read, too, so that no damaged copy is counted on for another day. */
async function isStillEqual(
  { manifest, path, manifestPath, isGood }: StoredBackup,
  figures: readonly TableFigures[],
  migrations: readonly string[],
): Promise<boolean> {
  const isEqual =
    isGood &&
    migrations.join() === manifest.migrations.join() &&
    differencesOf(manifest.tables, figures).length === 0;
  if (!isEqual) return false;

  if ((await sha256Of(path)) === manifest.sha256) return true;
  await writeManifest(manifestPath, { ...manifest, damage: 'its bytes have changed' });
  return false;
}

interface WrittenCopy {
  readonly path: string;
  readonly manifest: BackupManifest;
}

/**
 * The copy appears under its name once it is complete and checked; before that, a crash leaves a
 * file that the next run deletes. `figures` are those of the snapshot, or null to take those of
 * the copy for true.
 */
export async function writeCopy(
  snapshot: StoreSnapshot,
  { file, folder }: Pick<BackupRequest, 'file' | 'folder'>,
  description: Pick<BackupManifest, 'kind' | 'store' | 'at' | 'migrations'>,
  figures: readonly TableFigures[] | null,
  progress: BackupProgress,
): Promise<WrittenCopy> {
  await assertSpace(file, folder);
  const partial = partialPath(folder, ownerOf(description));
  try {
    await snapshot.copyTo(partial, progress.onPages);

    const tables = await withCopy(partial, async (database) => {
      const damage = figures === null ? null : damageIn(database);
      if (damage !== null) throw new BackupError('store_damaged', `${file}: ${damage}`);
      return figuresOf(database);
    });
    const [difference] = differencesOf(figures ?? tables, tables);
    if (difference)
      throw new BackupError('copy_damaged', `the copy differs in the table ${difference.table}`);

    const path = newBackupPath(folder, { ...description, storeFile: file });
    const { at } = description;
    const manifest: BackupManifest = {
      format: MANIFEST_FORMAT,
      ...description,
      file: basename(path),
      firstAt: at,
      checkedAt: at,
      drilledAt: null,
      damage: null,
      bytes: statSync(partial).size,
      sha256: await sha256Of(partial),
      tables: [...tables],
    };

    await writeManifest(manifestPathOf(path), manifest);
    await rename(partial, path);
    await syncFolder(dirname(path));
    return { path, manifest };
  } catch (error) {
    for (const suffix of ['', '-journal']) await rm(partial + suffix, { force: true });
    throw backupErrorOf(error, folder);
  }
}

/** A full disk would also stop the store, where it lies on the same one. */
async function assertSpace(file: string, folder: string): Promise<void> {
  const space = await diskSpace(folder);
  const needed = await spaceNeeded(file);
  if (space !== null && space.free < needed)
    throw new BackupError('disk_full', `no space left in ${folder}`);
}

/** For one copy of the store, in bytes. */
export async function spaceNeeded(file: string): Promise<number> {
  const log = await stat(`${file}-wal`).catch(() => null);
  return (await stat(file)).size + (log?.size ?? 0) + RESERVED_BYTES;
}

/** `storeBytes` is the size of the newest copy: the file itself may still wait for its log. */
async function deleteOldBackups(
  { folder, now }: BackupRequest,
  store: StoreIdentity,
  storeBytes: number,
): Promise<number> {
  const copies = (await backupsOfStore(folder, store, now)).map((stored) => ({
    stored,
    at: stored.manifest.at,
    bytes: stored.manifest.bytes,
    isGood: stored.isGood,
  }));

  const rule = keepRuleIn(folder);
  const space = rule === null ? await diskSpace(folder) : null;
  const maxBytes = rule === null ? defaultMaxBytes(storeBytes, space?.size ?? null) : null;
  const old = copiesToDelete(copies, { retention: rule ?? DEFAULT_RETENTION, maxBytes, now });
  for (const { stored } of old) await deleteBackup(stored);
  return old.length;
}

import { realpathSync, statSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BackupError } from '../../domain/backups/failures.ts';
import { copiesToDelete, defaultMaxBytes, type Retention } from '../../domain/backups/retention.ts';
import {
  type BackupManifest,
  MANIFEST_FORMAT,
  type TableFigures,
} from '../../schema/backups/manifest.ts';
import {
  backupErrorOf,
  deleteBackup,
  diskSpace,
  isOfStore,
  manifestPathOf,
  newBackupPath,
  ownerOf,
  partialPath,
  removeLeftovers,
  type StoredBackup,
  storedBackups,
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
  readonly retention: Retention;
  /** Without it, the copies may take any space. */
  readonly isSizeLimited: boolean;
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
  const { folder, storeId } = request;
  try {
    await removeLeftovers(folder, storeId);
    const backup = await copyIfChanged(request, progress);
    const deleted = await deleteOldBackups(request);
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
  progress: BackupProgress,
): Promise<CurrentBackup> {
  const { file, folder, storeId, now } = request;
  const [newest] = (await storedBackups(folder)).filter((each) => isOfStore(each, storeId));

  const snapshot = await StoreSnapshot.open(file);
  try {
    const figures = await snapshot.figures();
    const migrations = snapshot.migrations();
    if (newest && (await isStillEqual(newest, figures, migrations))) {
      const manifest = { ...newest.manifest, at: now, checkedAt: now };
      await writeManifest(newest.manifestPath, manifest);
      return { path: newest.path, manifest, isNew: false };
    }

    const manifest = {
      kind: 'regular' as const,
      store: { id: storeId, path: realpathSync(file) },
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

async function deleteOldBackups({
  file,
  folder,
  storeId,
  retention,
  isSizeLimited,
}: BackupRequest): Promise<number> {
  const copies = (await storedBackups(folder))
    .filter((each) => isOfStore(each, storeId))
    .map((stored) => ({
      stored,
      at: stored.manifest.at,
      bytes: stored.manifest.bytes,
      isGood: stored.isGood,
    }));

  const space = isSizeLimited ? await diskSpace(folder) : null;
  const maxBytes = isSizeLimited
    ? defaultMaxBytes((await stat(file)).size, space?.size ?? null)
    : null;
  const old = copiesToDelete(copies, { retention, maxBytes });
  for (const { stored } of old) await deleteBackup(stored);
  return old.length;
}

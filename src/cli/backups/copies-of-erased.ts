import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DEFAULT_RETENTION, goneOn } from '../../domain/backups/retention.ts';
import { plainError } from '../../schema/error.ts';
import {
  diskSpace,
  isMarked,
  type StoredBackup,
  storedBackups,
} from '../../store/backups/backup-folder.ts';
import { defaultBackupFolder } from '../../store/backups/backup-location.ts';
import { writeErasureList } from '../../store/backups/erasure-list.ts';
import { folderRecords } from '../../store/backups/folder-records.ts';
import { spaceNeeded } from '../../store/backups/make-backup.ts';
import type { Erasure } from '../../store/company/erasures.ts';
import type { Store } from '../../store/store.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { formatTerminalCount } from '../process/output.ts';
import { backupFolderOf } from './backup-settings.ts';

/** The folders where copies of a store are, or may be. */
interface CopyFolders {
  readonly storeId: string | null;
  readonly folders: readonly string[];
}

async function copyFolders(store: Store, db: string): Promise<CopyFolders> {
  const records = await store.readAll(folderRecords);
  const beside = defaultBackupFolder(db);
  const folders = [beside, ...records.map(({ folder }) => resolve(folder))];
  return {
    storeId: records[0]?.storeId ?? null,
    folders: [...new Set(folders)].filter((folder) => folder !== beside || existsSync(folder)),
  };
}

/** Beside the copies, so that one that is restored does not bring the people back. */
export async function noteErasures(
  store: Store,
  db: string,
  erasures: readonly Erasure[],
): Promise<void> {
  if (isServerUrl(db)) return;
  const { storeId, folders } = await copyFolders(store, db);
  // In a folder that cannot be written now, the next copy notes it.
  for (const folder of folders.filter(isMarked))
    await writeErasureList(folder, { storeId, file: db }, erasures).catch(() => undefined);
}

/** The store is written anew, by way of its log and of a temporary file. */
export async function assertSpaceToErase(db: string): Promise<void> {
  if (isServerUrl(db)) return;
  const space = await diskSpace(dirname(resolve(db)));
  const needed = 2 * (await spaceNeeded(db));
  if (space === null || space.free >= needed) return;
  throw plainError({
    code: 'disk_full',
    status: 507,
    message: `There is not enough space beside ${db} to write the store anew.`,
    hint: 'Nothing was erased. Free some space, twice the size of the store, then run it again.',
  });
}

/** Which copies still hold people who were erased until `now`, and for how long; one line each. */
export async function describeCopies(store: Store, db: string, now: number): Promise<string[]> {
  if (isServerUrl(db))
    return [
      'Still in dumps, base backups, archived logs and standbys of the database, until they are replaced: docs/operate.md says how to go on.',
    ];

  const { storeId, folders } = await copyFolders(store, db);
  const path = realpathSync(db);
  const lines: string[] = [];
  for (const folder of folders) {
    if (!isMarked(folder)) {
      lines.push(
        `Still in the copies in ${folder}, which is not there now: they do not know of the erasure before "acequia backup ${folder}" has made another one.`,
      );
      continue;
    }
    const copies = (await storedBackups(folder)).filter(
      ({ manifest: { store: copied } }) => copied.id === storeId || copied.path === path,
    );
    const regular = copies.filter(({ manifest }) => manifest.kind === 'regular');
    if (regular.length > 0) lines.push(describeRegular(regular, folder, db, now));
    const upgraded = copies.filter(({ manifest }) => manifest.kind === 'before_migration');
    if (upgraded.length > 0)
      lines.push(
        `Still in copies from before an upgrade, until two more upgrades or you delete them: ${upgraded.map((copy) => copy.path).join(', ')}.`,
      );
  }
  return lines.length > 0 ? lines : ['No copy of this store is known.'];
}

function describeRegular(
  copies: readonly StoredBackup[],
  folder: string,
  db: string,
  now: number,
): string {
  const count = formatTerminalCount(copies.length, 'copy', 'copies');
  const place = `Still in ${count} in ${folder}`;
  if (folder !== backupFolderOf(db))
    return `${place}, until newer ones take their place there or you delete them.`;
  const stored = copies.map(({ manifest: { at }, isGood }) => ({ at, isGood }));
  const until = new Date(goneOn(stored, DEFAULT_RETENTION, now)).toISOString().slice(0, 10);
  return `${place}, until ${until} at the latest if one is made each day as now.`;
}

import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import { areCopiesMadeBeforeMigrations } from '../upgrade-settings.ts';
import {
  backupErrorOf,
  deleteBackup,
  identityOfStore,
  ownerOfStore,
  removeLeftovers,
  type StoredBackup,
  storedBackups,
  useFolderBeside,
} from './backup-folder.ts';
import { defaultBackupFolder } from './backup-location.ts';
import { differencesOf } from './file-contents.ts';
import { writeCopy } from './make-backup.ts';
import { StoreSnapshot } from './snapshot.ts';

const KEPT_COPIES = 2;

/**
 * Copies the store as it is, beside it, whatever folder its other copies have: that one may be on a
 * disk that is absent just now. Throws STORE_UNAVAILABLE if that is not possible.
 */
export async function copyBeforeMigration(file: string): Promise<void> {
  if (!areCopiesMadeBeforeMigrations()) return;
  const folder = defaultBackupFolder(file);
  try {
    await copyTo(folder, file);
  } catch (error) {
    const { message, failure } = backupErrorOf(error, folder);
    const isFull = failure === 'disk_full';
    throw storeUnavailableError(
      isFull
        ? say`There is no space in ${verbatim(folder)} for a copy of the store ${verbatim(file)}, which this version of Acequia has to upgrade.`
        : say`The store ${verbatim(file)} has to be upgraded, and no copy of it could be made in ${verbatim(folder)} before: ${verbatim(message)}.`,
      isFull
        ? say`Nothing was changed. Free some space on that disk and start again; or set ACEQUIA_BACKUPS=off to upgrade without a copy.`
        : say`Nothing was changed. Make a copy of the file yourself, then set ACEQUIA_BACKUPS=off to upgrade without another one.`,
      { reason: 'it could not be copied before its upgrade' },
    );
  }
}

async function copyTo(folder: string, file: string): Promise<void> {
  const { path } = identityOfStore(file, null);
  const snapshot = await StoreSnapshot.open(file);
  try {
    if (snapshot.isWithoutCopies()) return;
    await useFolderBeside(folder);
    await removeLeftovers(folder, ownerOfStore({ id: null, path }));

    const migrations = snapshot.migrations();
    const [newest] = await copiesOf(path, folder);
    if (newest && (await isSameState(newest, snapshot, migrations))) return;

    const description = {
      kind: 'before_migration' as const,
      store: { id: snapshot.storeId(), path },
      at: Date.now(),
      migrations,
    };
    await writeCopy(snapshot, { file, folder }, description, null, { onPages: () => undefined });
  } finally {
    snapshot.close();
  }

  const old = (await copiesOf(path, folder)).slice(KEPT_COPIES);
  // The copy is there: the upgrade need not wait for space.
  for (const each of old) await deleteBackup(each).catch(() => undefined);
}

/** The newest first. */
async function copiesOf(path: string, folder: string): Promise<StoredBackup[]> {
  return (await storedBackups(folder)).filter(
    ({ manifest, isGood }) =>
      isGood && manifest.kind === 'before_migration' && manifest.store.path === path,
  );
}

/** A migration that failed is tried again at each start: older copies must not give way to that. */
async function isSameState(
  { manifest }: StoredBackup,
  snapshot: StoreSnapshot,
  migrations: readonly string[],
): Promise<boolean> {
  if (migrations.join() !== manifest.migrations.join()) return false;
  return differencesOf(manifest.tables, await snapshot.figures()).length === 0;
}

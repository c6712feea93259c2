import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { BackupError, type BackupFailure } from '../../domain/backups/failures.ts';
import {
  type BackupKind,
  type BackupManifest,
  backupManifest,
} from '../../schema/backups/manifest.ts';
import { isDiskFull } from '../sqlite/failures.ts';
import { defaultBackupFolder } from './backup-location.ts';

/**
 * A folder without it is not used: the disk that belongs there may be absent, and the copies would
 * fill the disk below.
 */
const MARKER = 'acequia-backups.txt';

const MARKER_TEXT = `Acequia keeps copies of a store in this folder. While this file is here, it makes
new ones and deletes old ones by itself. "acequia backup list" shows them, and
"acequia restore" makes a store of one. A copy holds hashes of keys, addresses
of people and keys for push messages: keep it as safe as the store itself.
`;

/** A copy and the manifest beside it. */
export interface StoredBackup {
  readonly manifest: BackupManifest;
  readonly path: string;
  readonly manifestPath: string;
  /** False if a check found damage, or the file does not have its size any more. */
  readonly isGood: boolean;
}

export const isMarked = (folder: string): boolean => existsSync(join(folder, MARKER));

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Makes the folder and its marker, where the folder above exists. */
export async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!isMarked(folder)) writeFileSync(join(folder, MARKER), MARKER_TEXT, { mode: 0o600 });
  } catch (error) {
    throw backupErrorOf(error, folder);
  }
}

/** On other disks than the store's, an empty folder proves that the disk is there. */
export async function useBackupFolder(folder: string, storeFile: string): Promise<void> {
  if (folder === defaultBackupFolder(storeFile)) return makeBackupFolder(folder);
  if (isMarked(folder)) return;
  if (!isFolder(folder))
    throw new BackupError('folder_missing', `there is no folder ${folder}; is its disk there?`);

  const isEmpty = readdirSync(folder).every((name) => name === 'lost+found');
  if (isEmpty && isOnOtherDisk(folder, storeFile)) return makeBackupFolder(folder);
  throw new BackupError(
    'folder_unmarked',
    `${folder} has no ${MARKER}: its disk may be absent, or it was never used for copies`,
  );
}

/** False if either cannot be found. */
export function isOnOtherDisk(folder: string, storeFile: string): boolean {
  const [one, other] = [folder, storeFile].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.dev !== other.dev;
}

/** Null where the file system does not say it. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number } | null> {
  const { blocks, bsize, bavail } = await statfs(folder);
  return blocks > 0 ? { free: bavail * bsize, size: blocks * bsize } : null;
}

/** All copies in the folder, of every store, the newest first. */
export async function storedBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw backupErrorOf(error, folder);
  });
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => storedBackup(join(folder, name)) ?? [])
    .sort((a, b) => b.manifest.at - a.manifest.at);
}

/** Null where there is no manifest, or no file to which it belongs. */
export function storedBackup(manifestPath: string): StoredBackup | null {
  const manifest = readManifest(manifestPath);
  if (manifest === null) return null;
  const path = join(dirname(manifestPath), manifest.file);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  const isGood = manifest.damage === null && size === manifest.bytes;
  return { manifest, path, manifestPath, isGood };
}

export const manifestPathOf = (path: string): string =>
  `${path.slice(0, path.length - extname(path).length)}.json`;

function readManifest(path: string): BackupManifest | null {
  try {
    return backupManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A file of another program, or one that is damaged: no copy is promised by it.
    return null;
  }
}

export const isOfStore = ({ manifest }: StoredBackup, storeId: string): boolean =>
  manifest.kind === 'regular' && manifest.store.id === storeId;

/** Replaces a manifest as a whole: a crash leaves the old one or the new one. */
export async function writeManifest(path: string, manifest: BackupManifest): Promise<void> {
  const partial = join(dirname(path), `${PARTIAL}${ownerOf(manifest)}.json`);
  await writeFile(partial, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, path);
}

const PARTIAL = '.acequia-partial-';

/** Of a run that has not ended. Only one run at a time has the same owner. */
export const partialPath = (folder: string, owner: string): string =>
  join(folder, `${PARTIAL}${owner}.db`);

/** Creates the file so that nobody else can ever open it. Some file systems have no modes. */
export async function createPrivately(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.close();
  await chmod(path, 0o600).catch(() => undefined);
}

/** What runs of this owner left behind when they were killed. */
export async function removeLeftovers(folder: string, owner: string): Promise<void> {
  for (const name of readdirSync(folder))
    if (name.startsWith(`${PARTIAL}${owner}.`)) await rm(join(folder, name), { force: true });

  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const path = join(folder, name);
    const manifest = readManifest(path);
    const isAlone = manifest !== null && !existsSync(join(folder, manifest.file));
    // A run of another store may just be about to rename its file.
    if (isAlone && ownerOf(manifest) === owner) await rm(path, { force: true });
  }
}

export const ownerOf = ({ store, kind }: Pick<BackupManifest, 'store' | 'kind'>): string =>
  kind === 'regular' && store.id !== null ? store.id : ownerByPath(store.path);

/** For a store whose id is unknown. */
export const ownerByPath = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16);

/** The manifest goes last: without its file it counts for nothing. */
export async function deleteBackup({ path, manifestPath }: StoredBackup): Promise<void> {
  await rm(path, { force: true });
  await rm(manifestPath, { force: true });
}

/** A path without file. Colons are not allowed in names on Windows and exFAT. */
export function newBackupPath(
  folder: string,
  { storeFile, kind, at }: { storeFile: string; kind: BackupKind; at: number },
): string {
  const stem = basename(storeFile, extname(storeFile)).replace(/[^\w.-]+/g, '_') || 'store';
  const instant = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  const name = `${stem.slice(0, 60)}${kind === 'regular' ? '' : '-before-upgrade'}-${instant}Z`;
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.db`);
    if (!existsSync(path) && !existsSync(manifestPathOf(path))) return path;
  }
}

/** Windows and some file systems cannot do this for a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const FAILURES: Readonly<Record<string, BackupFailure>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'folder_unwritable',
  EPERM: 'folder_unwritable',
  EROFS: 'folder_unwritable',
  ENOENT: 'folder_missing',
  ENOTDIR: 'folder_missing',
};

export function backupErrorOf(error: unknown, folder: string): BackupError {
  if (error instanceof BackupError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const failure = isDiskFull(error) ? 'disk_full' : (FAILURES[code] ?? 'unexpected');
  const detail = failure === 'disk_full' ? `no space left in ${folder}` : message;
  return new BackupError(failure, detail, { cause: error });
}

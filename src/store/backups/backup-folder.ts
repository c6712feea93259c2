import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupError, type BackupFailure } from '../../domain/backups/failures.ts';
import { formatRetention, parseRetention, type Retention } from '../../domain/backups/retention.ts';
import { DAY_MS } from '../../domain/periods.ts';
import {
  type BackupKind,
  type BackupManifest,
  backupManifest,
} from '../../schema/backups/manifest.ts';
import { isRunning } from '../process-ids.ts';
import { isDiskFull } from '../sqlite/failures.ts';
import { defaultBackupFolder } from './backup-location.ts';

/**
 * A folder without it is not used: the disk that belongs there may be absent, and the copies would
 * fill the disk below.
 */
const MARKER = 'acequia-backups.txt';

const MARKER_TEXT = `Acequia keeps copies of a store in this folder. While this file is here, it makes
new ones and deletes old ones by itself: it keeps the newest of 7 days, 4 weeks
and 12 months, unless a line "Keep: 14d,8w,24m" or "Keep: 10" below says other-
wise. "acequia backup list" shows them, and "acequia restore" makes a store of one. A copy holds hashes of keys, addresses
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

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** Null for the default, which also limits the size of all copies. */
export function keepRuleIn(folder: string): Retention | null {
  const [, rule] = KEEP_LINE.exec(readFileSync(join(folder, MARKER), 'utf8')) ?? [];
  if (rule === undefined) return null;
  const retention = parseRetention(rule.trim());
  if (retention === null)
    throw new BackupError(
      'unexpected',
      `${join(folder, MARKER)} says "Keep:${rule}", which is no rule such as 7d,4w,12m, so no copy was deleted`,
    );
  return retention;
}

const KEEP_LINE = /^Keep:(.*)$/m;

/** Replaces the marker as a whole, so that no rule is lost in a crash. */
export async function writeKeepRule(folder: string, retention: Retention | null): Promise<void> {
  const line = retention === null ? '' : `\nKeep: ${formatRetention(retention)}\n`;
  const partial = join(folder, `${partialName(MARKER_OWNER)}.txt`);
  try {
    await writeFile(partial, `${MARKER_TEXT}${line}`, { mode: 0o600, flush: true });
    await rename(partial, join(folder, MARKER));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw backupErrorOf(error, folder);
  }
}

/** Makes the folder and its marker, where the folder above exists. */
async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!isMarked(folder)) writeFileSync(join(folder, MARKER), MARKER_TEXT, { mode: 0o600 });
  } catch (error) {
    throw backupErrorOf(error, folder);
  }
}

/** A folder of copies, and the store for which it is to be used. */
export interface FolderUse {
  readonly folder: string;
  readonly storeFile: string;
  /** The store has had copies there. */
  readonly wasUsed: boolean;
}

/** Marks the folder that a person named, unless its disk seems to be absent. */
export async function markBackupFolder(use: FolderUse): Promise<void> {
  const { folder, storeFile } = use;
  if (isMarked(folder)) return;
  const isThere = isFolder(folder);
  if (!isThere) assertFree(folder);
  if (!isThere && !isFolder(dirname(folder))) throw missingFolder(folder);

  const isElsewhere = isOnOtherDisk(isThere ? folder : dirname(folder), storeFile);
  const isRemade = folder === defaultBackupFolder(storeFile) && !isThere;
  if (use.wasUsed && !isElsewhere && !isRemade) throw unmarkedFolder(folder);
  await makeBackupFolder(folder);
}

/**
 * Asserts that the folder may be used without a person. It is made or marked where nothing else can
 * belong there: beside the store, or empty on another disk.
 */
export async function useBackupFolder(use: FolderUse): Promise<void> {
  const { folder, storeFile, wasUsed } = use;
  if (isMarked(folder)) return;
  const isDefault = folder === defaultBackupFolder(storeFile);
  if (!isFolder(folder)) {
    assertFree(folder);
    if (!isDefault) throw missingFolder(folder);
    return makeBackupFolder(folder);
  }

  const isEmpty = readdirSync(folder).every((name) => name === 'lost+found');
  const isElsewhere = isEmpty && isOnOtherDisk(folder, storeFile);
  if (isElsewhere || (isDefault && !wasUsed && !isLink(folder))) return makeBackupFolder(folder);
  throw unmarkedFolder(folder);
}

/** Whatever folder the other copies have, and without marking one that may be left of a disk. */
export async function useFolderBeside(folder: string): Promise<void> {
  if (isFolder(folder)) return;
  assertFree(folder);
  await makeBackupFolder(folder);
}

function assertFree(folder: string): void {
  if (isLink(folder))
    throw new BackupError(
      'folder_missing',
      `${folder} is a link to a folder that is not there; is its disk there?`,
    );
  if (existsSync(folder)) throw new BackupError('folder_missing', `${folder} is not a folder`);
}

const missingFolder = (folder: string): BackupError =>
  new BackupError('folder_missing', `there is no folder ${folder}; is its disk there?`);

const unmarkedFolder = (folder: string): BackupError =>
  new BackupError(
    'folder_unmarked',
    `${folder} has no ${MARKER}: its disk may be absent, or it was never used for copies`,
  );

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

/** Null where there is no manifest, or no file of the same name. */
export function storedBackup(manifestPath: string): StoredBackup | null {
  const manifest = readManifest(manifestPath);
  if (manifest === null) return null;
  // A manifest that was copied under another name must not give its file a second life: whatever
  // happened to one of the two would happen to the file.
  const path = `${withoutExtension(manifestPath)}.db`;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const isGood = manifest.damage === null && stats.isFile() && stats.size === manifest.bytes;
  return { manifest, path, manifestPath, isGood };
}

const withoutExtension = (path: string): string =>
  path.slice(0, path.length - extname(path).length);

export const manifestPathOf = (path: string): string => `${withoutExtension(path)}.json`;

function readManifest(path: string): BackupManifest | null {
  try {
    return backupManifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A file of another program, or one that is damaged: no copy is promised by it.
    return null;
  }
}

export interface StoreIdentity {
  /** Null for a store whose id is unknown. */
  readonly id: string | null;
  /** Where the file really is: a copy of it, made by another program, has the same id. */
  readonly path: string;
}

export const identityOfStore = (file: string, id: string | null): StoreIdentity => ({
  id,
  path: realpathSync(file),
});

/** A copy that a person renamed is that person's. */
const isOfStore = ({ manifest, path }: StoredBackup, store: StoreIdentity): boolean =>
  manifest.kind === 'regular' &&
  manifest.store.id === store.id &&
  manifest.store.path === store.path &&
  manifest.file === basename(path);

/** The newest first; last those that a clock which was ahead has dated later than now. */
export async function backupsOfStore(
  folder: string,
  store: StoreIdentity,
  now: number,
): Promise<StoredBackup[]> {
  const copies = (await storedBackups(folder)).filter((copy) => isOfStore(copy, store));
  const isAhead = ({ manifest }: StoredBackup): boolean => manifest.at > now;
  return [...copies.filter((copy) => !isAhead(copy)), ...copies.filter(isAhead)];
}

/** Replaces a manifest as a whole: a crash leaves the old one or the new one. */
export async function writeManifest(path: string, manifest: BackupManifest): Promise<void> {
  const partial = join(dirname(path), `${partialName(ownerOf(manifest))}.json`);
  await writeFile(partial, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, path);
}

const PARTIAL = '.acequia-partial-';

/** The marker is of no store. */
const MARKER_OWNER = 'marker';

const partialName = (owner: string): string => `${PARTIAL}${owner}.${process.pid}`;

/** Of a run of this process that has not ended. */
export const partialPath = (folder: string, owner: string): string =>
  join(folder, `${partialName(owner)}.db`);

/** Creates the file so that nobody else can ever open it. Some file systems have no modes. */
export async function createPrivately(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.close();
  await chmod(path, 0o600).catch(() => undefined);
}

/** A copy of a file gets its mode from most programs, and files on some disks have all rights. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await createPrivately(to);
  await pipeline(createReadStream(from), createWriteStream(to, { flags: 'r+' }));
}

/**
 * What runs of this owner, or while they marked the folder, left behind when they were killed. Returns whether something of a running
 * process is still there.
 */
export async function removeLeftovers(folder: string, owner: string): Promise<boolean> {
  let isOthersThere = false;
  const isLeft = (name: string): boolean =>
    [owner, MARKER_OWNER].some((each) => name.startsWith(`${PARTIAL}${each}.`));
  for (const name of readdirSync(folder).filter(isLeft)) {
    const path = join(folder, name);
    if (isInUse(path)) isOthersThere = true;
    else await rm(path, { force: true });
  }

  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const path = join(folder, name);
    const manifest = readManifest(path);
    // The name that a person gave to a manifest is no trace of a run.
    if (manifest === null || manifestPathOf(manifest.file) !== name) continue;
    const isAlone = !existsSync(join(folder, manifest.file));
    // A run of another store may just be about to rename its file.
    if (isAlone && ownerOf(manifest) === owner) await rm(path, { force: true });
  }
  return isOthersThere;
}

/** No drill lasts that long; the id of a process may have been given to another one since. */
const MAX_RUN_MS = DAY_MS;

function isInUse(path: string): boolean {
  const pid = Number(basename(path).split('.').at(-2));
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return (
    Number.isSafeInteger(pid) &&
    pid !== process.pid &&
    changedAt !== undefined &&
    Date.now() - changedAt < MAX_RUN_MS &&
    isRunning(pid)
  );
}

/** Copies of a store have the id and the place of the store, since a copied file has the same id. */
export const ownerOf = ({ store, kind }: Pick<BackupManifest, 'store' | 'kind'>): string =>
  kind === 'regular' ? ownerOfStore(store) : ownerOfStore({ ...store, id: null });

export const ownerOfStore = ({ id, path }: StoreIdentity): string =>
  createHash('sha256')
    .update(`${id ?? ''}\n${path}`)
    .digest('hex')
    .slice(0, 16);

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

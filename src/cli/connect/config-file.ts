import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { RefusalInWords } from '../process/refusal-in-words.ts';

export interface ConfigFile {
  readonly path: string;
  readonly content: string | null;
}

export const INVALID_FILE = { code: 'INVALID_CLIENT_FILE' };

const OWNER_ONLY = 0o600;
const ALL_BITS = 0o7777;
const GROUP = 0o070;
const GROUP_AND_OTHERS = 0o077;

export async function readConfigFile(path: string): Promise<ConfigFile> {
  const target = await findFile(path);
  if (target === null) return { path, content: null };

  const stats = await stat(target).catch((error) => {
    throw toRefusal(path, error);
  });
  if (!stats.isFile() && !stats.isDirectory())
    throw new RefusalInWords(INVALID_FILE, ({ connection }) => connection.refusals.notAFile(path));

  const bytes = await readFile(target).catch((error) => {
    throw toRefusal(path, error);
  });
  const content = bytes.toString('utf8');
  if (Buffer.from(content, 'utf8').equals(bytes)) return { path: target, content };

  throw new RefusalInWords(INVALID_FILE, ({ connection }) => connection.refusals.notUtf8(path));
}

/** Follows links. Null if there is no file. */
async function findFile(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw toRefusal(path, error);
  }

  const stats = await lstat(path).catch(() => null);
  if (!stats?.isSymbolicLink()) return null;
  throw new RefusalInWords(INVALID_FILE, ({ connection }) => connection.refusals.deadLink(path));
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export const backupPath = (path: string): string => `${path}.before-acequia`;

export interface NewContent {
  readonly text: string;
  readonly holdsSecrets: boolean;
}

/**
 * Replaces the file atomically and keeps a backup beside it. Throws if the file has changed since
 * it was read. Others lose access to a file with secrets, and to each backup, since the entry that
 * it keeps may hold an earlier key.
 */
export async function replaceConfigFile(
  file: ConfigFile,
  { text, holdsSecrets }: NewContent,
): Promise<void> {
  const { path, content: before } = file;
  const backup = backupPath(path);
  try {
    if (before === null) {
      await mkdir(dirname(path), { recursive: true });
      await writeAtomically(path, text, { expected: file });
      return;
    }

    await access(path, constants.W_OK);
    // The first backup is kept: a later one would already hold our entry.
    if (existsSync(backup)) await closeToOthers(backup);
    else await writeAtomically(backup, before, { permissionsOf: path, isPrivate: true });

    const options = { permissionsOf: path, isPrivate: holdsSecrets, expected: file };
    await writeAtomically(path, text, options);
  } catch (error) {
    throw toRefusal(path, error);
  }
}

async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & GROUP_AND_OTHERS) !== 0) await chmod(path, mode & OWNER_ONLY);
}

interface WriteOptions {
  /** The file whose mode and owner are copied. */
  readonly permissionsOf?: string;
  /** Leaves out the permissions of all but the owner. A new file has no others. */
  readonly isPrivate?: boolean;
  /** Throws if the file is no longer as it was read. */
  readonly expected?: ConfigFile;
}

async function writeAtomically(
  path: string,
  content: string,
  { permissionsOf, isPrivate = false, expected }: WriteOptions,
): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}`;
  const file = await open(temporaryPath, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(content);
    await file.sync();
    await file.close();
    if (permissionsOf !== undefined)
      await copyPermissions(temporaryPath, permissionsOf, isPrivate ? OWNER_ONLY : ALL_BITS);
    if (expected !== undefined && (await readConfigFile(path)).content !== expected.content)
      throw new RefusalInWords(INVALID_FILE, ({ connection }) =>
        connection.refusals.changedMeanwhile(path),
      );

    await rename(temporaryPath, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

/** Throws if the owner cannot be kept: only an administrator may give a file to another user. */
async function copyPermissions(path: string, source: string, mask: number): Promise<void> {
  const { mode, uid, gid } = await stat(source);
  const current = await stat(path);
  let bits = mode & mask;
  if (current.uid !== uid) await chown(path, uid, gid);
  else if (current.gid !== gid)
    await chown(path, uid, gid).catch(() => {
      // The group of the source may read; this one may be another.
      bits &= ~GROUP;
    });

  await chmod(path, bits);
}

/** Errors other than those of the file system pass. */
function toRefusal(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return new RefusalInWords(INVALID_FILE, ({ connection }) =>
    connection.refusals.noAccess(path, code),
  );
}

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
import { invalidInputError } from '../../schema/error.ts';

export interface ConfigFile {
  readonly path: string;
  readonly content: string | null;
}

/** Only the user may read a new file, because the entry may hold secrets. */
const NEW_FILE_MODE = 0o600;

export async function readConfigFile(path: string): Promise<ConfigFile> {
  const target = await findFile(path);
  if (target === null) return { path, content: null };

  const bytes = await readFile(target).catch((error) => {
    throw toRefusal(path, error);
  });
  const content = bytes.toString('utf8');
  if (Buffer.from(content, 'utf8').equals(bytes)) return { path: target, content };

  throw invalidInputError('INVALID_CLIENT_FILE', `${path} is not written in UTF-8.`, {
    hint: 'Nothing was written. Convert the file to UTF-8 first.',
  });
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
  throw invalidInputError(
    'INVALID_CLIENT_FILE',
    `${path} is a link to a file that does not exist.`,
    { hint: 'Nothing was written. Create that file, or remove the link, first.' },
  );
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export const backupPath = (path: string): string => `${path}.before-acequia`;

/**
 * Replaces the file atomically and keeps a backup beside it. Throws if the file has changed since
 * it was read.
 */
export async function replaceConfigFile(file: ConfigFile, content: string): Promise<void> {
  const { path, content: before } = file;
  try {
    if (before === null) {
      await mkdir(dirname(path), { recursive: true });
      await writeAtomically(path, content, { expected: file });
      return;
    }

    await access(path, constants.W_OK);
    // The first backup is kept: a later one would already hold our entry.
    if (!existsSync(backupPath(path)))
      await writeAtomically(backupPath(path), before, { permissionsOf: path });
    await writeAtomically(path, content, { permissionsOf: path, expected: file });
  } catch (error) {
    throw toRefusal(path, error);
  }
}

interface WriteOptions {
  /** The file whose mode and owner are copied. */
  readonly permissionsOf?: string;
  /** Throws if the file is no longer as it was read. */
  readonly expected?: ConfigFile;
}

async function writeAtomically(
  path: string,
  content: string,
  { permissionsOf, expected }: WriteOptions,
): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}`;
  const file = await open(temporaryPath, 'wx', NEW_FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
    await file.close();
    if (permissionsOf !== undefined) await copyPermissions(temporaryPath, permissionsOf);
    if (expected !== undefined && (await readConfigFile(path)).content !== expected.content)
      throw invalidInputError(
        'INVALID_CLIENT_FILE',
        `${path} was changed by another program in the meantime.`,
        {
          hint: 'Nothing was written. Run the command again.',
        },
      );

    await rename(temporaryPath, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

async function copyPermissions(path: string, source: string): Promise<void> {
  const { mode, uid, gid } = await stat(source);
  const current = await stat(path);
  // Only an administrator may give a file to another user; without that it stays ours.
  if (current.uid !== uid || current.gid !== gid)
    await chown(path, uid, gid).catch(() => undefined);
  await chmod(path, mode & 0o7777);
}

/** Errors other than those of the file system pass. */
function toRefusal(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return invalidInputError(
    'INVALID_CLIENT_FILE',
    `${path} cannot be read and written by this user (${code}).`,
    {
      hint: 'Nothing was changed. Check the permissions of the file and its folder.',
    },
  );
}

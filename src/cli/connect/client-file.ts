import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, chmod, chown, lstat, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refuse } from '../../schema/error.ts';

/** A file as it was found. */
export interface Found {
  /** Where it is kept, behind any link. */
  readonly path: string;
  /** Null where there is none yet. */
  readonly content: string | null;
}

/** A file with secrets in it is made for its owner alone. */
const NEW_MODE = 0o600;

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!);

/** Reads a file that may be missing or a link. */
export async function find(path: string): Promise<Found> {
  const kept = await realpath(path).catch(async (error) => {
    if (!isMissing(error)) throw refusal(path, error);
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw refuse('INVALID_CLIENT_FILE', `${path} is a link to a file that is not there.`, { hint: MEND });
    return null;
  });
  if (kept === null) return { path, content: null };
  const bytes = await readFile(kept).catch((error) => {
    throw refusal(path, error);
  });
  const content = bytes.toString('utf8');
  if (Buffer.from(content, 'utf8').equals(bytes)) return { path: kept, content };
  throw refuse('INVALID_CLIENT_FILE', `${path} is not written in UTF-8.`, { hint: MEND });
}
const MEND = 'Nothing was written. Mend it there first.';

/** What a copy of the file is called that is kept from before a change. */
export const backupOf = (path: string): string => `${path}.before-acequia`;

/**
 * Puts a content in the place of what was found, at once and whole, and keeps a copy of that beside it. Refuses where
 * the file has changed since.
 */
export async function replace(found: Found, content: string): Promise<void> {
  const { path, content: before } = found;
  try {
    if (before === null) {
      await mkdir(dirname(path), { recursive: true });
      await write(path, content, null, before);
      return;
    }
    await access(path, constants.W_OK);
    // The first copy is the one from before Acequia; it stays.
    if (!existsSync(backupOf(path))) await write(backupOf(path), before, path, undefined);
    await write(path, content, path, before);
  } catch (error) {
    throw refusal(path, error);
  }
}

/** Writes beside the place, then renames. With `before`, the place must still hold that when it comes to it. */
async function write(path: string, content: string, like: string | null, before?: string | null): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  const file = await open(beside, 'wx', NEW_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
    await file.close();
    if (like !== null) await takeAfter(beside, like);
    if (before !== undefined && (await find(path)).content !== before)
      throw refuse('INVALID_CLIENT_FILE', `${path} was changed by another program in the meantime.`, {
        hint: 'Nothing was written. Run the command again.',
      });
    await rename(beside, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  }
}

/** Gives a file the permissions of another, and its owner where that is allowed. */
async function takeAfter(path: string, other: string): Promise<void> {
  const { mode, uid, gid } = await stat(other);
  const own = await stat(path);
  if (own.uid !== uid || own.gid !== gid) await chown(path, uid, gid).catch(() => undefined);
  await chmod(path, mode & 0o7777);
}

/** A failure of the system as an error that says what to do. */
function refusal(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return refuse('INVALID_CLIENT_FILE', `${path} cannot be read and written by this user (${code}).`, {
    hint: 'Nothing was changed. Look at the permissions of the file and its folder.',
  });
}

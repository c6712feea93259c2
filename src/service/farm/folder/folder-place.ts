import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { quote } from '../../../domain/strings.ts';
import { plainInputError } from '../../../schema/error.ts';
import { isRunning } from '../../../store/process-ids.ts';

const UNFINISHED = '.unfinished-';

/**
 * A folder that comes into being complete: it is filled under a temporary name beside it, with the
 * id of the process, and renamed.
 */
export class FolderPlace {
  readonly #folder: string;
  readonly temporary: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.temporary = `${folder}${UNFINISHED}${process.pid}`;
  }

  /** Throws invalid_parameter unless the folder is missing or empty, in a folder that exists. */
  static async create(path: string): Promise<FolderPlace> {
    const folder = await withoutLinks(resolve(path));
    await assertEmpty(folder);
    await removeUnfinished(folder);

    const place = new FolderPlace(folder);
    await rm(place.temporary, { recursive: true, force: true });
    await mkdir(place.temporary, 0o700);
    return place;
  }

  async publish(): Promise<void> {
    await sync(this.temporary);
    await removeEmpty(this.#folder);
    await rename(this.temporary, this.#folder);
    await sync(dirname(this.#folder));
  }

  async discard(): Promise<void> {
    await rm(this.temporary, { recursive: true, force: true });
  }
}

/** A folder cannot be renamed to the place of a link. */
async function withoutLinks(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null) return real;
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isSymbolicLink()) return path;
  throw plainInputError('invalid_parameter', `${quote(path)} is a link to nothing.`, {
    hint: 'Nothing was written. Connect the disk to which it leads, or name another folder.',
    field: 'folder',
  });
}

async function assertEmpty(folder: string): Promise<void> {
  const problem = await readdir(folder).then(
    (names) => (names.length === 0 ? null : 'is not empty'),
    ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' ? null : 'is not a folder'),
  );
  if (problem !== null)
    throw plainInputError('invalid_parameter', `${quote(folder)} ${problem}.`, {
      hint: 'Nothing was written. Name a folder that does not exist yet, or an empty one.',
      field: 'folder',
    });
}

/** What killed exports to the folder have left beside it. */
async function removeUnfinished(folder: string): Promise<void> {
  const prefix = `${basename(folder)}${UNFINISHED}`;
  const names = await readdir(dirname(folder)).catch(() => []);
  for (const name of names) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (Number.isSafeInteger(pid) && !isRunning(pid))
      await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** A folder on Windows cannot be renamed over an empty one. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Some systems cannot open a folder. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

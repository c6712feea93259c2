import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AcequiaError } from '../../schema/error.ts';
import { formatDiff } from '../connect/change-preview.ts';
import { print } from '../process/output.ts';

export interface FileChange {
  readonly path: string;
  readonly encoding: 'utf8' | 'utf16le';
  /** Null if the file does not exist, or is no longer wanted. */
  readonly before: string | null;
  readonly after: string | null;
  /** Holds secrets: for its owner alone. */
  readonly isPrivate: boolean;
}

export const isChanged = ({ before, after }: FileChange): boolean => before !== after;

export async function readServiceFile(
  path: string,
  encoding: FileChange['encoding'] = 'utf8',
): Promise<string | null> {
  try {
    return await readFile(path, encoding);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError(path, 'read', error);
  }
}

export function showChanges(changes: readonly FileChange[]): void {
  for (const { path, before, after, isPrivate } of changes) {
    const isNew = before === null ? 'new' : 'changed';
    const state = after === null ? 'deleted' : isNew;
    print(`${path} (${state}${isPrivate ? ', for its owner alone' : ''})\n`);
    print(`${formatDiff(before ?? '', after ?? '', Number.POSITIVE_INFINITY)}\n`);
  }
}

/** `ownerId` is that of private files; null for this user. */
export async function applyChange(change: FileChange, ownerId: number | null): Promise<void> {
  const { path, after } = change;
  try {
    if (after === null) await rm(path, { force: true });
    else await replaceFile(change, after, ownerId);
  } catch (error) {
    throw fileError(path, 'written', error);
  }
}

async function replaceFile(
  { path, encoding, isPrivate }: FileChange,
  text: string,
  ownerId: number | null,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporaryPath = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporaryPath, text, {
      encoding,
      flag: 'wx',
      mode: isPrivate ? 0o600 : 0o644,
    });
    if (isPrivate && ownerId !== null) await chown(temporaryPath, ownerId, -1);
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

const fileError = (path: string, verb: 'read' | 'written', error: unknown): AcequiaError =>
  new AcequiaError({
    code: 'not_written',
    status: 500,
    message: `${path} cannot be ${verb}: ${(error as Error).message}.`,
    hint: 'Check who may write to its folder; files of the system need sudo.',
  });

import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AcequiaError } from '../../schema/error.ts';
import { formatDiff } from '../connect/change-preview.ts';
import { print } from '../process/output.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { ServiceWords } from './platforms/service-platform.ts';

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
    throw fileError(path, 'unreadableFile', error);
  }
}

export function showChanges(changes: readonly FileChange[], words: ServiceWords): void {
  for (const { path, before, after, isPrivate } of changes) {
    const { fileStates, ownerAlone } = words;
    const written = before === null ? fileStates.new : fileStates.changed;
    const state = after === null ? fileStates.deleted : written;
    print(`${path} (${state}${isPrivate ? `, ${ownerAlone}` : ''})\n`);
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
    throw fileError(path, 'unwritableFile', error);
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

const fileError = (
  path: string,
  fault: 'unreadableFile' | 'unwritableFile',
  error: unknown,
): AcequiaError =>
  new RefusalInWords({ code: 'not_written', status: 500 }, ({ service }) =>
    service.refusals[fault](path, (error as Error).message),
  );

import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { quote } from '../../domain/strings.ts';
import { AcequiaError, plainError, plainInputError } from '../../schema/error.ts';
import { identityOf, isSameFile, LOG_SUFFIXES } from '../../store/sqlite/store-file.ts';
import { isServerUrl } from '../../store/store-location.ts';

const STORE_FILE_SUFFIXES = ['', '-journal', ...LOG_SUFFIXES];

/**
 * Throws invalid_parameter if writing `output` would overwrite a file of one of these stores, under
 * whatever name or link, or the write-ahead log of any file.
 */
export function assertNotStoreFile(
  output: string,
  option: string,
  stores: readonly string[],
): void {
  if (isServerUrl(output)) return;

  const target = realLocation(output);
  const files = stores.filter((db) => !isServerUrl(db));
  const fileOfLog = target.replace(/-(wal|shm|journal)$/, '');
  if (fileOfLog !== target && existsSync(fileOfLog)) files.push(fileOfLog);

  const store = files.find((file) =>
    STORE_FILE_SUFFIXES.some((suffix) => isSameLocation(target, realLocation(file) + suffix)),
  );
  if (store === undefined) return;

  throw plainInputError('invalid_parameter', `${quote(output)} is a file of the store ${store}.`, {
    hint: `Nothing was written. Give ${option} another name.`,
    field: option,
  });
}

/** Resolves links. A missing file is resolved by its folder. */
export function realLocation(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const absolute = resolve(path);
    if (dirname(absolute) === absolute) return absolute;
    return join(realLocation(dirname(absolute)), basename(absolute));
  }
}

/**
 * True under any name or link. A missing file is compared by the folder and the name that it would
 * have.
 */
export const isSameLocation = (one: string, other: string): boolean =>
  realLocation(one) === realLocation(other) || isSameFile(identityOf(one), identityOf(other));

/** To the file that the option `--out` names. */
export async function writeOutput(
  file: string,
  data: Uint8Array | string | AsyncIterable<string>,
  { db, mode }: { readonly db: string; readonly mode?: number },
): Promise<void> {
  assertNotStoreFile(file, '--out', [db]);
  try {
    await writeFile(file, data, { mode });
  } catch (error) {
    if (error instanceof AcequiaError) throw error;
    throw plainError({
      code: 'not_written',
      status: 500,
      message: `${file} cannot be written: ${(error as Error).message}.`,
      hint: 'Give --out a file in a folder that you may write to.',
    });
  }
}

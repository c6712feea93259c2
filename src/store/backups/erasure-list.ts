import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { BackupError } from '../../domain/backups/failures.ts';
import type { Erasure } from '../company/erasures.ts';
import { ownerOfStore, type StoredBackup, syncFolder } from './backup-folder.ts';

const FORMAT = 1;
const PREFIX = 'acequia-erased-';

/**
 * Who was erased from a store, so that a copy from before does not bring them back. It stands beside
 * the copies, and has ids and instants alone.
 */
const erasureList = z.object({
  format: z.literal(FORMAT),
  /** The ids of the store, and of its path for copies that were made before it had one. */
  stores: z.array(z.string()),
  erased: z.array(
    z.object({
      company: z.number().int(),
      user: z.number().int(),
      /** In ms since 1970 UTC: when nothing of the person was left in the store. */
      at: z.number().int(),
    }),
  ),
});

type ErasureList = z.infer<typeof erasureList>;
export type ErasedUser = ErasureList['erased'][number];

const listPath = (folder: string, store: string): string => join(folder, `${PREFIX}${store}.json`);

/** Adds to the list of the store what it lacks. Nothing ever leaves the list. */
export async function writeErasureList(
  folder: string,
  { storeId, file }: { readonly storeId: string | null; readonly file: string },
  erasures: readonly Erasure[],
): Promise<void> {
  const cleared = erasures.flatMap(({ companyId, userId, clearedAt }) =>
    clearedAt === null ? [] : [{ company: companyId, user: userId, at: clearedAt }],
  );
  if (cleared.length === 0) return;

  const place = ownerOfStore({ id: null, path: realpathSync(file) });
  const path = listPath(folder, storeId ?? place);
  const former = formerList(path);
  const list: ErasureList = {
    format: FORMAT,
    stores: [
      ...new Set([...(former?.stores ?? []), ...(storeId === null ? [] : [storeId]), place]),
    ],
    erased: newestOfEach([...(former?.erased ?? []), ...cleared]),
  };
  if (former !== null && JSON.stringify(former) === JSON.stringify(list)) return;

  const partial = join(folder, `.${basename(path)}`);
  await writeFile(partial, `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, path);
  await syncFolder(folder);
}

/** Of the store of this copy, those who may still be in it. */
export function erasedSince({ path, manifest }: StoredBackup): ErasedUser[] {
  const folder = dirname(path);
  const { store } = manifest;
  // A store may have moved, and then has its id alone.
  const owners = [store.id, ownerOfStore({ ...store, id: null })];
  const lists = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => readList(join(folder, name)))
    .filter(({ stores }) => stores.some((each) => owners.includes(each)));
  return newestOfEach(lists.flatMap(({ erased }) => erased)).filter(({ at }) => at >= manifest.at);
}

function readList(path: string): ErasureList {
  try {
    return erasureList.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BackupError(
      'copy_damaged',
      `${path} cannot be read, which says who was erased from the store since`,
      { cause: error },
    );
  }
}

/** Null also for a damaged one: the store knows all that it has to say. */
function formerList(path: string): ErasureList | null {
  try {
    return existsSync(path) ? readList(path) : null;
  } catch {
    return null;
  }
}

function newestOfEach(erased: readonly ErasedUser[]): ErasedUser[] {
  const byUser = new Map<string, ErasedUser>();
  for (const each of [...erased].sort((a, b) => a.at - b.at))
    byUser.set(`${each.company} ${each.user}`, each);
  return [...byUser.values()];
}

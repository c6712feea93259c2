import { type AcequiaError, storeUnavailableError } from '../schema/error.ts';

/** A newer program has migrated the store since it was opened. */
export class StoreMigrated extends Error {
  override readonly name = 'StoreMigrated';
}

export const newerStoreError = (location: string): AcequiaError =>
  storeUnavailableError(
    `The store ${location} was written by a newer Acequia than this one.`,
    'Update Acequia, or name another store with --db or ACEQUIA_DB.',
    { reason: 'a newer Acequia has migrated it' },
  );

export const unfinishedCopyError = (location: string): AcequiaError =>
  storeUnavailableError(
    `${location} is an unfinished copy of another store.`,
    'Run the same "acequia copy" again, which continues where it stopped; or remove what is there.',
  );

import { say, verbatim } from '../domain/text/say.ts';
import { type AcequiaError, storeUnavailableError } from '../schema/error.ts';

/** A newer program has migrated the store since it was opened. */
export class StoreMigrated extends Error {
  override readonly name = 'StoreMigrated';
}

export const newerStoreError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`The store ${verbatim(location)} was written by a newer Acequia than this one.`,
    say`Update Acequia, or name another store with --db or ACEQUIA_DB.`,
    { reason: 'a newer Acequia has migrated it' },
  );

/** The last commit that converts such a store, with every row. */
const LAST_CONVERTING_COMMIT = '218d5811';

export const unreleasedStoreError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`The store ${verbatim(location)} is from before the first release of Acequia, and this version cannot read it. Nothing was changed.`,
    say`Keep a copy, build the commit ${verbatim(LAST_CONVERTING_COMMIT)} of Acequia, and run its "acequia tick" with --db once: it converts the store, and this version opens it then. Or name another store with --db or ACEQUIA_DB.`,
    { reason: 'it is from before the first release' },
  );

export const unfinishedCopyError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`${verbatim(location)} is an unfinished copy of another store, or an unfinished import of a folder.`,
    say`Run the same "acequia copy" or "acequia import" again, which finishes it; or remove what is there.`,
  );

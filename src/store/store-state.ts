import { type AcequiaError, storeUnavailable } from '../schema/error.ts';

/** The table by which a copy that is not whole yet is known; it goes when the copy is. */
export const UNFINISHED_COPY_TABLE = 'unfinished_copy';

/** Why a store cannot be served: part of it is still elsewhere. */
export const unfinishedCopyError = (place: string): AcequiaError =>
  storeUnavailable(
    `${place} is an unfinished copy of another store.`,
    'Run the same "acequia copy" again, which goes on where it ended; or remove what is there.',
  );

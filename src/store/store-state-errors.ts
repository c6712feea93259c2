import { type AcequiaError, storeUnavailableError } from '../schema/error.ts';

export const newerStoreError = (location: string): AcequiaError =>
  storeUnavailableError(
    `The store ${location} was written by a newer Acequia than this one.`,
    'Update Acequia (npm install -g acequia-mcp@latest), or name another store with --db or ACEQUIA_DB.',
  );

export const unfinishedCopyError = (location: string): AcequiaError =>
  storeUnavailableError(
    `${location} is an unfinished copy of another store.`,
    'Run the same "acequia copy" again, which continues where it stopped; or remove what is there.',
  );

import { afterAll, afterEach, beforeEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './cleanup.ts';
import { postgresAvailability } from './stores/store-selection.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** A test that was to run on PostgreSQL, where there is none. */
    lacksPostgres?: true;
  }
}

beforeEach(({ task }) => {
  if (postgresAvailability.isKnown) task.meta.lacksPostgres = true;
});

// Here, and not where things are begun: files that share a process share those modules, which register nothing again.
afterEach(cleanUpTest);
afterAll(cleanUpFile);

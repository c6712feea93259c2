import fc from 'fast-check';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './cleanup.ts';
import { propertyRuns } from './property-runs.ts';
import { lacksPostgres } from './stores/postgres.ts';

// fast-check's own default is 100.
fc.configureGlobal({ numRuns: propertyRuns(100) });

beforeEach(({ skip }) => {
  if (lacksPostgres) skip('there is no PostgreSQL');
});

// Registered here: files share a process and its modules, which do not register a hook again.
afterEach(cleanUpTest);
afterAll(cleanUpFile);

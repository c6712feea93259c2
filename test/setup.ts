import { afterAll, afterEach, beforeEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './cleanup.ts';
import { lacksPostgres } from './stores/postgres.ts';

beforeEach(({ skip }) => {
  if (lacksPostgres) skip('there is no PostgreSQL');
});

// Here, and not where things are started: files share a process and its modules, which do not register a hook again.
afterEach(cleanUpTest);
afterAll(cleanUpFile);

import { afterAll, afterEach, beforeEach } from 'vitest';
import { cleanUpFile, cleanUpTest } from './cleanup.ts';
import { lacksPostgres } from './stores/postgres.ts';

beforeEach(({ skip }) => {
  if (lacksPostgres) skip('there is no PostgreSQL');
});

// Registered here: files share a process and its modules, which do not register a hook again.
afterEach(cleanUpTest);
afterAll(cleanUpFile);

import { beforeEach } from 'vitest';
import { lacking } from './lacking.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** A test that was to run on PostgreSQL, where there is none. */
    lacksPostgres?: true;
  }
}

beforeEach(({ task }) => {
  if (lacking.isKnown) task.meta.lacksPostgres = true;
});

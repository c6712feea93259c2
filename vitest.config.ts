import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ProjectSequencer } from './test/project-sequencer.ts';

/** Folders of test/ whose tests work without a store, or do not care which one it is. */
const UNIT = ['chart', 'cli', 'demo', 'domain', 'http', 'language', 'mcp', 'observe', 'operation', 'policy', 'remote'];

/** Folders whose tests depend on the database. Those of `service` run on SQLite as well. */
const POSTGRES = ['service', 'store/postgres', 'acceptance/postgres'];
const POSTGRES_ONLY = POSTGRES.filter((folder) => folder !== 'service');

type Store = 'sqlite' | 'postgres';

/**
 * The projects of a run over the files with this ending. A file runs once, on SQLite unless a list above names its folder;
 * the time zones differ because no rule may depend on the one that the process is in.
 */
export function testRun(ending: '.test.ts' | '.deep.test.ts') {
  const inFolders = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*${ending}`);
  const project = (
    name: string,
    { include, exclude = [], zone, store }: { include: string[]; exclude?: string[]; zone: string; store: Store },
  ): TestProjectInlineConfiguration => ({
    test: {
      ...{ name, include, env: { TZ: zone, ACEQUIA_TEST_STORE: store }, setupFiles: ['test/setup.ts'] },
      exclude: [...exclude, ...(ending === '.test.ts' ? ['**/*.deep.test.ts'] : [])],
      ...{ pool: 'forks', isolate: false, sequence: { shuffle: true } },
      // These limits end what hangs. No test promises how long anything takes.
      ...{ testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } },
    },
  });
  return defineConfig({
    test: {
      globalSetup: ['test/stores/postgres-broker.ts', 'test/stores/run-folder.ts'],
      // Tests of the program wait for processes for half of their time.
      maxWorkers: 2 * availableParallelism(),
      sequence: { sequencer: ProjectSequencer },
      projects: [
        project('sqlite', {
          ...{ include: inFolders(['**']), exclude: inFolders([...UNIT, ...POSTGRES_ONLY]) },
          ...{ zone: 'UTC', store: 'sqlite' },
        }),
        // Its clocks change by half an hour, on southern dates.
        project('postgres', { include: inFolders(POSTGRES), zone: 'Australia/Lord_Howe', store: 'postgres' }),
        project('unit', { include: inFolders(UNIT), zone: 'Australia/Lord_Howe', store: 'sqlite' }),
      ],
    },
  });
}

export default testRun('.test.ts');

import { defineConfig } from 'vitest/config';
import { LongestFirstSequencer } from './test/longest-first-sequencer.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/stores/postgres-broker.ts', 'test/stores/run-folder.ts'],
    setupFiles: ['test/setup-cleanup.ts'],
    // What hangs is ended; how long anything takes is no test's promise, on a busy machine least of all.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { shuffle: true, sequencer: LongestFirstSequencer },
  },
});

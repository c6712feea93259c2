import { register } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { FILES_WITH_VARIANTS } from './test/files-with-variants.ts';
import { ProjectSequencer } from './test/project-sequencer.ts';

/** Folders of test/ of which a deep run takes every file, for more examples of their properties. */
const UNIT = [
  'chart',
  'cli',
  'demo',
  'domain',
  'http',
  'language',
  'mcp',
  'observe',
  'operation',
  'page',
  'policy',
  'recorded',
  'remote',
];

const POSTGRES_ONLY = ['store/postgres', 'acceptance/postgres'];

/**
 * Services that run on both stores by default: those that run forms of statements which no other
 * service runs. Deep runs have every service on both.
 */
const ON_BOTH_STORES = [
  'advice/{farm-overview,statements,watering-witness}',
  'alerts/{alert-messages,means-of-notice}',
  'changes/undo',
  'farm/{farm-entry,folder-export}',
  'ingest/{batch-ingest,device-status,import-concurrency,small-batches}',
  'irrigation/{doses-in-steps,overlapping-waterings,parcel-without-probe,watering-list,watering-notes,watering-sums,watering-totals}',
  'irrigation/schedules/schedule-list',
  'jobs/doubt-messages',
  'keys/{api-keys,members,sessions,token-caller}',
  'mail/{outbox,push}',
  'members/erasure',
  'moisture/retention',
  'monitoring/modules',
  'weather/{rain,weather}',
].map((service) => `test/service/${service}.test.ts`);

/** What is recorded of one store, which the other one has to say too. */
const RECORDED = [
  'mcp/every-summary',
  'recorded/us-answers.deep',
  'acceptance/rest/errors',
  'acceptance/remote/errors.deep',
].map((name) => `test/${name}.test.ts`);

/** Long tests that measure times. They run one after the other, once all others have ended. */
const MEASURED_ON_BOTH_STORES = ['acceptance/attack/**/*', 'service/changes/write-lock'].map(
  (name) => `test/${name}.deep.test.ts`,
);
const MEASURED = [
  ...MEASURED_ON_BOTH_STORES,
  ...[
    'acceptance/ingest/mqtt-rate',
    'acceptance/page/open-pages',
    'acceptance/stop/blocked-loop',
    'policy/list-statements',
  ].map((name) => `test/${name}.deep.test.ts`),
];

const TYPESCRIPT_LOADER = new URL('./test/typescript-loader.mjs', import.meta.url).href;
// For the files of globalSetup.
register(TYPESCRIPT_LOADER);

interface Project {
  readonly include: string[];
  readonly exclude?: readonly string[];
  readonly zone: string;
  readonly store: 'sqlite' | 'postgres';
  /** Projects of one group run together, after those of the groups before. */
  readonly group?: number;
}

// Its clocks change by half an hour, on southern dates.
const ON_SQLITE = { zone: 'Australia/Lord_Howe', store: 'sqlite' } as const;
const ON_POSTGRES = { zone: 'UTC', store: 'postgres' } as const;

/**
 * The projects of a run. A file runs once, on SQLite unless a list above names its folder or the file; the time zones differ
 * because no rule may depend on the one of the process. A deep run takes the files that end in `.deep.test.ts`, those with
 * variants, and those of the services, the store and units once more with many examples for each property.
 */
export function testRun({ isDeep }: { readonly isDeep: boolean }) {
  const files = (folder: string): string => `test/${folder}/**/*${isDeep ? '.deep' : ''}.test.ts`;
  const variants = isDeep ? FILES_WITH_VARIANTS : [];
  const services = isDeep ? ['test/service/**/*.test.ts'] : [];
  const stores = isDeep ? ['test/store/{company-scope,copy,ingest,moisture,sqlite}/*.test.ts'] : [];
  const units = isDeep ? UNIT.map((folder) => `test/${folder}/**/*.test.ts`) : [];
  const project = (
    name: string,
    { include, exclude = [], zone, store, group = 0 }: Project,
  ): TestProjectInlineConfiguration => ({
    test: {
      name,
      include,
      setupFiles: ['test/setup.ts'],
      exclude: [...exclude, ...(isDeep ? [] : ['**/*.deep.test.ts'])],
      // Reading extra certificates takes Node a quarter of the start of each program.
      env: {
        NODE_EXTRA_CA_CERTS: '',
        TZ: zone,
        ACEQUIA_TEST_STORE: store,
        ...(isDeep && { ACEQUIA_TEST_DEEP: '1' }),
      },
      pool: 'forks',
      isolate: false,
      sequence: { shuffle: true, groupOrder: group },
      ...(group > 0 && { maxWorkers: 1 }),
      execArgv: ['--import', TYPESCRIPT_LOADER],
      // These limits end what hangs. No test promises how long anything takes.
      testTimeout: isDeep ? 900_000 : 180_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
    },
  });
  const measuring = [
    project('sqlite, alone', {
      include: MEASURED,
      ...ON_SQLITE,
      group: 1,
    }),
    project('postgres, alone', {
      include: MEASURED_ON_BOTH_STORES,
      ...ON_POSTGRES,
      group: 2,
    }),
  ];
  return defineConfig({
    test: {
      globalSetup: [
        'test/stores/run-folder.ts',
        'test/stores/postgres-broker.ts',
        'test/acceptance/browser-broker.ts',
      ],
      // Modules of Node.js cannot be mocked, but start and run faster than those of Vite.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Each worker loads all sources anew, which takes longer than most files; one more than
      // there are cores, because tests of the program wait for processes.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: ProjectSequencer },
      // It warns that its pages are for development.
      onConsoleLog: (text) => !text.startsWith('oidc-provider WARNING'),
      projects: [
        project('sqlite', {
          include: [files('**'), ...variants, ...services, ...stores, ...units],
          exclude: [...POSTGRES_ONLY.map(files), ...MEASURED],
          ...ON_SQLITE,
        }),
        project('postgres', {
          include: [
            ...POSTGRES_ONLY.map(files),
            ...(isDeep ? [...RECORDED, ...services] : ON_BOTH_STORES),
          ],
          exclude: MEASURED,
          ...ON_POSTGRES,
        }),
        ...(isDeep ? measuring : []),
      ],
    },
  });
}

export default testRun({ isDeep: false });

// Everything that must hold, on a fresh clone: install, build, types, lint, generated texts, then all tests, on SQLite in
// one time zone and on PostgreSQL in another.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.mjs';
import { ensureInstalled } from './installed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const work = mkdtempSync(join(tmpdir(), 'acequia-test-'));

function run(title, command, args, env = {}) {
  process.stdout.write(`\n== ${title}\n`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** Characters of a failure's message that the last lines of a run repeat. */
const FAILURE_SHOWN = 1500;

const browser = findBrowser();

/** UTC, and a zone whose clocks change by half an hour on the southern dates: each on a store of its own kind. */
const PASSES = [
  { zone: 'UTC', store: 'sqlite', title: 'SQLite' },
  { zone: 'Australia/Lord_Howe', store: 'postgres', title: 'PostgreSQL' },
];

/**
 * Tests that run in the first pass alone: they count, draw or pack, or look at the command or the protocol, whatever the
 * clocks and the store; they work on files, on a server of their own, or in a zone and by a clock of their own; they have no
 * store at all, or go through both kinds.
 */
const ONCE = [
  ...['test/policy/*.test.ts', 'test/store/*.test.ts'],
  ...[
    ...['answers-size', 'call', 'chart', 'conformance', 'connect', 'copy', 'demo', 'doctor', 'doctor-clients'],
    ...['doctor-remote', 'durability', 'elicitation', 'fuzz', 'mail-killed', 'many-machines', 'mcp-http-long'],
    ...['mcp-http-wire', 'narrowing', 'page', 'progress', 'read-only', 'remote', 'remote-walk', 'renderings'],
    ...['request-ids', 'settings', 'strange-arguments', 'strange-store', 'toolsets', 'traces', 'wire'],
  ].map((name) => `test/acceptance/${name}.test.ts`),
  'test/packages/*.test.ts',
];

/**
 * Files of these folders share their processes, part by part: to load the program anew for each takes longer than to run
 * them. Those of all others start and end things of their own, each file in a process of its own.
 */
const SHARING = [
  { name: 'rules', folders: ['chart', 'domain', 'http', 'mcp', 'operation', 'policy'] },
  { name: 'books', folders: ['service', 'store'] },
];
const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const apart = folders.map(({ name }) => name).filter((name) => !SHARING.some((part) => part.folders.includes(name)));
/** These wait for processes and clocks a third of their time: a third worker keeps two processors at work. */
const PARTS = [...SHARING, { name: 'program', folders: apart, isApart: true, workers: 3 }];

/** What failed in a report, each with its zone, file, name and the beginning of its message. */
function failuresIn({ testResults }, zone) {
  return testResults.flatMap(({ name: file, message, assertionResults }) => {
    const where = `[${zone}] ${relative(root, file)}`;
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${where}\n${message.slice(0, FAILURE_SHOWN)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${where} > ${fullName}\n${failureMessages.join('\n').slice(0, FAILURE_SHOWN)}`,
    );
  });
}

/** How many tests passed on SQLite that were to run on PostgreSQL. */
const lackingIn = ({ testResults }) =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, meta }) => status === 'passed' && meta?.lacksPostgres).length;

/** Runs a part with the process in one zone and the stores on one kind; returns how its tests ended, and what failed. */
function runPart({ zone, store, title }, { name, folders, isApart = false, workers }, left) {
  const report = join(work, `${store}-${name}.json`);
  const args = [
    ...['run', ...folders.map((folder) => `test/${folder}/`), isApart ? '--isolate' : '--no-isolate', ...left],
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ];
  const succeeded = run(`${name} on ${title} with TZ=${zone}`, bin('vitest'), args, {
    TZ: zone,
    ACEQUIA_TEST_STORE: store,
    ...(browser && { ACEQUIA_BROWSER: browser }),
  });
  try {
    const told = JSON.parse(readFileSync(report, 'utf8'));
    const failed = told.numFailedTests + (succeeded || told.numFailedTests > 0 ? 0 : 1);
    const lacking = lackingIn(told);
    return {
      passed: told.numPassedTests - lacking,
      failed,
      skipped: told.numPendingTests + lacking,
      lacking,
      failures: failuresIn(told, zone),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, lacking: 0, failures: [`[${zone}] the run ended without a report`] };
  }
}

const runTests = (pass, index) =>
  PARTS.map((part) => runPart(pass, part, index === 0 ? [] : ONCE.map((file) => `--exclude=${file}`)));

await ensureInstalled();
const checks = [
  ['build', process.execPath, ['scripts/build.mjs']],
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated texts are current', process.execPath, ['scripts/docs.mjs', '--check']],
].map(([title, command, args]) => run(title, command, args));

const runs = checks[0] ? PASSES.flatMap(runTests) : [];
rmSync(work, { recursive: true, force: true });

const total = (name) => runs.reduce((sum, each) => sum + each[name], 0);
const passed = total('passed') + checks.filter(Boolean).length;
const failed = total('failed') + checks.filter((each) => !each).length;
if (!browser)
  process.stdout.write(
    '\nNOT TESTED IN A BROWSER: none is installed. Install Chromium, or name a browser in ACEQUIA_BROWSER.\n',
  );
if (total('lacking') > 0)
  process.stdout.write(
    `\nNOT TESTED ON POSTGRESQL: there is no server. ${total('lacking')} tests ran on SQLite in its place and count as skipped.\n`,
  );
// The end of a long run is what is read first.
for (const failure of runs.flatMap(({ failures }) => failures)) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${total('skipped')} skipped\n`);
process.exitCode = failed === 0 && total('passed') > 0 ? 0 : 1;

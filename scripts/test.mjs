// Everything that must hold, on a fresh clone: install, build, types, lint, generated texts, then all tests, on SQLite in
// one time zone and on PostgreSQL in another.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

/** Runs one of several that go on at once: what it says is shown when it has ended. */
async function check([title, command, args]) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const [status] = await once(child, 'close');
  process.stdout.write(`\n== ${title}\n${said}`);
  return status === 0;
}

/** Characters of a failure's message that the last lines of a run repeat. */
const FAILURE_SHOWN = 1500;

const browser = findBrowser();

/**
 * Tests that run in the first pass alone: they count, draw or pack, or look at the command or the protocol, whatever the
 * clocks and the store; they work on files, on a server of their own, or in a zone and by a clock of their own; they have no
 * store at all, or go through both kinds.
 */
const ONCE = [
  ...['policy/*', 'store/*', 'packages/*', 'mcp/*', 'http/openapi*', 'http/rebinding', 'cli/connect/*'],
  ...['call-log', 'client-files', 'mail-settings', 'mailer', 'plain-error', 'trace-settings', 'untold-place'].map(
    (name) => `cli/${name}`,
  ),
  ...['observe/request-id', 'observe/tracing', 'remote/document', 'remote/hostile', 'remote/shape'],
  ...[
    ...['answers-size', 'call', 'chart', 'conformance', 'connect', 'copy', 'demo', 'demo-farm', 'doctor'],
    ...['doctor-clients', 'doctor-remote', 'durability', 'elicitation', 'fuzz', 'ingest-size', 'mail-killed'],
    ...['many-machines', 'mcp-http-long', 'mcp-http-wire', 'narrowing', 'page', 'progress', 'read-only', 'remote'],
    ...['renderings', 'request-ids', 'settings', 'strange-arguments', 'strange-store', 'toolsets', 'traces', 'wire'],
  ].map((name) => `acceptance/${name}`),
].map((name) => `test/${name}.test.ts`);

/**
 * UTC, and a zone whose clocks change by half an hour on the southern dates: each on a store of its own kind, without the
 * files `left` out. What looks at PostgreSQL itself, whatever the stores are on, is left to the pass of PostgreSQL.
 */
const PASSES = [
  { zone: 'UTC', store: 'sqlite', title: 'SQLite', left: ['test/store/postgres/*.test.ts'] },
  { zone: 'Australia/Lord_Howe', store: 'postgres', title: 'PostgreSQL', left: ONCE },
];

/**
 * Files share their processes: to load the program anew for each takes longer than to run many of them. They wait for
 * processes and clocks a good part of their time, so that it takes four workers to keep two processors at work.
 */
const SHARING = ['--no-isolate', '--maxWorkers=4'];

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

/** Runs the tests with the process in one zone and the stores on one kind; returns how they ended, and what failed. */
function runTests({ zone, store, title, left }) {
  const report = join(work, `${store}.json`);
  const args = [
    ...['run', ...SHARING, ...left.map((file) => `--exclude=${file}`)],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ];
  const succeeded = run(`tests on ${title} with TZ=${zone}`, bin('vitest'), args, {
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

await ensureInstalled();
const isBuilt = run('build', process.execPath, ['scripts/build.mjs']);
const others = [
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated texts are current', process.execPath, ['scripts/docs.mjs', '--check']],
];
const checks = [isBuilt, ...(await Promise.all(others.map(check)))];

const runs = isBuilt ? PASSES.map(runTests) : [];
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

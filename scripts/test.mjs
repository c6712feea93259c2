// Runs every check on a fresh clone: install, build, types, lint, generated texts and all tests.
// With --deep, the long tests, the real clients and the newest conformance suite instead.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { SOURCE_CHECKS } from './check.mjs';
import { ensureInstalled, root } from './repository.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const isDeep = process.argv.includes('--deep');

const FAILURE_LENGTH = 1500;

/** With `showAfter`, the output is printed in one piece once that promise has settled. */
async function run(title, command, args, { env = {}, showAfter } = {}) {
  if (!showAfter) process.stdout.write(`\n== ${title}\n`);
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', ...(showAfter ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [status] = await once(child, 'close');
  await showAfter;
  if (showAfter) process.stdout.write(`\n== ${title}\n${output}`);
  return status === 0;
}

function failuresIn({ testResults }) {
  return testResults.flatMap(({ name: file, message, assertionResults }) => {
    const path = relative(root, file);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${path}\n${message.slice(0, FAILURE_LENGTH)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${path} > ${fullName}\n${failureMessages.join('\n').slice(0, FAILURE_LENGTH)}`,
    );
  });
}

/** The seconds of each file, the longest first; a file may run once for each store. */
function durationsIn({ testResults }) {
  return testResults
    .map(({ name: file, startTime, endTime }) => ({
      path: relative(root, file),
      seconds: (endTime - startTime) / 1000,
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
}

async function runTests(env) {
  const folder = mkdtempSync(join(tmpdir(), 'acequia-test-'));
  const file = join(folder, 'report.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const config = isDeep ? ['--config=test/deep.config.ts'] : [];
  const succeeded = await run('tests', bin('vitest'), [...args, ...config], { env });
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const failures = failuresIn(report);
    if (!succeeded && failures.length === 0)
      failures.push('the tests, for a reason that is shown above');
    return {
      passed: report.numPassedTests,
      failed: failures.length,
      skipped: report.numPendingTests,
      failures,
      durations: durationsIn(report),
    };
  } catch {
    return {
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: ['the tests, which ended without a report'],
      durations: [],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Paths where Chromium may be installed. */
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const installedBrowser = () =>
  [process.env.ACEQUIA_BROWSER, ...BROWSERS].find((path) => path && existsSync(path)) ?? null;

/** Only as root and without a terminal, so that no person's machine is changed. */
const mayInstall = () =>
  process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.stdin.isTTY;

function installBrowser() {
  process.stderr.write('Installing Chromium (apt-get) for the tests of the page …\n');
  const aptGet = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 300_000,
    });
  const packages = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (aptGet(...packages).status === 0) return;
  aptGet('update');
  aptGet(...packages);
}

function findBrowser() {
  if (!installedBrowser() && mayInstall()) installBrowser();
  return installedBrowser();
}

const node = process.execPath;

await ensureInstalled();
const browser = findBrowser();
const isBuilt = await run('build', node, ['scripts/build.mjs']);

const checks = isDeep
  ? [
      ['real clients', node, ['test/clients/run.mjs']],
      ['conformance in both eras', node, ['test/clients/conformance.mjs']],
    ]
  : [
      ...SOURCE_CHECKS.map(([title, program, args, env]) => [title, bin(program), args, env]),
      ['generated texts are current', node, ['scripts/docs.mjs', '--check']],
    ];

const runCheck = ([title, command, args, env], showAfter) =>
  isBuilt && run(title, command, args, { env, showAfter });

const startTests = async () =>
  isBuilt
    ? runTests({ ...(browser && { ACEQUIA_BROWSER: browser }) })
    : { passed: 0, failed: 0, skipped: 0, failures: [], durations: [] };

/** Returns the results of the checks and of the tests. */
async function runAll() {
  if (isDeep) {
    // One after the other, before the tests start: each of them builds the package in one folder.
    const checked = [];
    for (const check of checks) checked.push(await runCheck(check));
    return [checked, await startTests()];
  }

  const testing = startTests();
  return Promise.all([Promise.all(checks.map((check) => runCheck(check, testing))), testing]);
}

const [checked, tests] = await runAll();

const steps = [isBuilt, ...checked];
const passed = tests.passed + steps.filter(Boolean).length;
const failed = tests.failed + steps.filter((isPassed) => !isPassed).length;

if (isDeep) {
  process.stdout.write('\n== seconds of each file\n');
  for (const { path, seconds } of tests.durations)
    process.stdout.write(`${seconds.toFixed(1).padStart(7)}  ${path}\n`);
}
if (!browser)
  process.stdout.write(
    '\nNOT TESTED IN A BROWSER: none is installed. Install Chromium, or name a browser in ACEQUIA_BROWSER.\n',
  );
// Failures come last, because people read the end of a long output first.
for (const failure of tests.failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${tests.skipped} skipped\n`);
process.exitCode = failed === 0 && tests.passed > 0 ? 0 : 1;

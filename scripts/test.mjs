// Everything that must hold, on a fresh clone: install, build, types, lint, generated texts, then all tests in two time zones.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

const browser = findBrowser();

/** Tests that load, kill, count or draw, whatever the clocks show: they run in the first zone alone. */
const ONCE = [
  ...['answers-size', 'confinement', 'confinement-keys', 'durability', 'fuzz', 'mail-killed', 'page'],
  ...['renderings', 'rest-idempotency', 'serve-under-fire'],
].map((name) => `test/acceptance/${name}.test.ts`);

/** Runs the tests with the process in one zone; returns how many passed, failed and were skipped. */
function runTests(zone, index) {
  const left = index === 0 ? [] : ONCE.map((file) => `--exclude=${file}`);
  const report = join(work, `${zone.replace('/', '-')}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...left];
  const succeeded = run(`tests with TZ=${zone}`, bin('vitest'), args, {
    TZ: zone,
    ...(browser && { ACEQUIA_BROWSER: browser }),
  });
  try {
    const told = JSON.parse(readFileSync(report, 'utf8'));
    const failed = told.numFailedTests + (succeeded || told.numFailedTests > 0 ? 0 : 1);
    return { passed: told.numPassedTests, failed, skipped: told.numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

await ensureInstalled();
const checks = [
  ['build', process.execPath, ['scripts/build.mjs']],
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated texts are current', process.execPath, ['scripts/docs.mjs', '--check']],
].map(([title, command, args]) => run(title, command, args));

/** UTC, and a zone whose clocks change by half an hour on the southern dates. */
const runs = checks[0] ? ['UTC', 'Australia/Lord_Howe'].map(runTests) : [];
rmSync(work, { recursive: true, force: true });

const total = (name) => runs.reduce((sum, each) => sum + each[name], 0);
const passed = total('passed') + checks.filter(Boolean).length;
const failed = total('failed') + checks.filter((each) => !each).length;
if (!browser)
  process.stdout.write(
    '\nNOT TESTED IN A BROWSER: none is installed. Install Chromium, or name a browser in ACEQUIA_BROWSER.\n',
  );
process.stdout.write(`\n${passed} passed, ${failed} failed, ${total('skipped')} skipped\n`);
process.exitCode = failed === 0 && total('passed') > 0 ? 0 : 1;

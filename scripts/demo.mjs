// Runs the demo on a fresh clone: installs and builds first if needed. Arguments go to "acequia
// demo".
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './repository.mjs';

const program = join(root, 'dist', 'acequia.js');
const sources = [
  'src',
  'tools',
  'demo',
  'prompts',
  'package.json',
  'package-lock.json',
  join('scripts', 'build.mjs'),
];

function changedAt(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return readdirSync(path).reduce(
    (latest, name) => Math.max(latest, changedAt(join(path, name))),
    own.mtimeMs,
  );
}

const isBuilt = () =>
  existsSync(program) &&
  sources.every((source) => changedAt(join(root, source)) <= statSync(program).mtimeMs);

function run(script, args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

await ensureInstalled();
if (!isBuilt()) {
  process.stderr.write('Building …\n');
  run(join(root, 'scripts', 'build.mjs'), []);
}
run(program, ['demo', ...process.argv.slice(2)]);

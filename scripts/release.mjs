// Builds the files of a release in build/release and publishes nothing (docs/releasing.md). The
// same commit gives the same bytes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { git, reasonsAgainst } from './release/readiness.mjs';
import { serverFile } from './release/server-file.mjs';
import { root } from './repository.mjs';

const readJson = async (name) => JSON.parse(await readFile(join(root, name), 'utf8'));
const described = await readJson('package.json');
const base = `${described.name}-${described.version}`;
const gitText = async (...args) => (await git(root, ...args)).toString();
const say = (text) => process.stdout.write(`${text}\n`);

const script = (name, ...args) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', name), ...args], {
    cwd: root,
    maxBuffer: 1e8,
  });

/** Permissions must not depend on the user who packs. */
async function setPublicMode(path) {
  const isFolder = (await stat(path)).isDirectory();
  await chmod(path, isFolder || path.endsWith('acequia.js') ? 0o755 : 0o644);
  if (isFolder) for (const name of await readdir(path)) await setPublicMode(join(path, name));
}

async function packTarball(folder) {
  for (const name of ['package.json', ...described.files]) await setPublicMode(join(root, name));
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  await promisify(execFile)('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

/**
 * The input of `docker build -`: the Dockerfile and the committed files that .dockerignore does not
 * exclude.
 */
async function packContext(folder) {
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).trim().split('\n');
  const included = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const settings = ['-c', 'tar.umask=0022', '-c', 'core.autocrlf=false'];
  const tar = await git(
    root,
    ...settings,
    'archive',
    '--format=tar',
    'HEAD',
    'packages/Dockerfile',
    '.dockerignore',
    ...included,
  );
  await writeFile(join(folder, `${base}-container.tar.gz`), gzipSync(tar, { level: 9 }));
}

async function writeBill(folder) {
  const { billOfMaterials } = await import('./release/bill-of-materials.mjs');
  const committedAt = Number(await gitText('log', '-1', '--format=%ct'));
  const bill = await billOfMaterials(root, described, new Date(committedAt * 1000).toISOString());
  await writeFile(join(folder, `${base}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

const sha256 = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

async function writeServerFile(folder) {
  const server = serverFile(described, await sha256(join(folder, `${base}.mcpb`)));
  await writeFile(join(folder, 'server.json'), `${JSON.stringify(server, null, 2)}\n`);
}

async function writeChecksums(folder) {
  const names = (await readdir(folder)).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
  return lines;
}

const STEPS = [
  ['the program', () => script('build.mjs')],
  ['the package', packTarball],
  [
    'the bundle',
    (folder) => script('../packages/mcpb/package.mjs', '--out', join(folder, `${base}.mcpb`)),
  ],
  ['the context of the container image', packContext],
  ['the bill of materials', writeBill],
  ['server.json', writeServerFile],
];

const commitOf = () => gitText('rev-parse', 'HEAD');

/** Allows only one release at a time, because each builds dist. */
async function newFolder() {
  const folder = join(root, 'build', 'release.tmp');
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder).catch(({ code, message }) => {
    throw new Error(
      code === 'EEXIST'
        ? 'Another release is being built in this clone. If none is, an earlier build was killed: remove build/release.tmp.'
        : message,
    );
  });
  return folder;
}

async function build() {
  const folder = await newFolder();
  const commit = await commitOf();
  try {
    for (const [what, step] of STEPS) {
      say(`Building ${what} …`);
      await step(folder);
    }

    const lines = await writeChecksums(folder);
    if ((await commitOf()) !== commit || (await reasonsAgainst(root, described)).length > 0)
      throw new Error('Files changed during the build, so its result was deleted. Build again.');

    const target = join(root, 'build', 'release');
    await rm(target, { recursive: true, force: true });
    await chmod(folder, 0o755);
    await rename(folder, target);
    say(`\nbuild/release, with SHA256SUMS:\n${lines.map((line) => `  ${line}`).join('')}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints the sections of docs/releasing.md about the steps that a person does. */
async function printManualSteps() {
  const page = await readFile(join(root, 'docs', 'releasing.md'), 'utf8');
  const sections = page.split(/^(?=## )/m).filter((section) => section.startsWith('## By hand'));
  say(
    `Nothing was published.\n\n${sections.join('').replaceAll('VERSION', described.version).trim()}`,
  );
}

function parseOptions() {
  try {
    return parseArgs({
      options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch ({ message }) {
    throw new Error(`${message}\n${USAGE}`);
  }
}

const USAGE = `node scripts/release.mjs [--check]
Builds the files of a release in build/release and publishes nothing (docs/releasing.md).
--check only lists what keeps a release from being built.`;

async function run() {
  const options = parseOptions();
  if (options.help) return say(USAGE);
  const reasons = await reasonsAgainst(root, described);
  if (reasons.length > 0)
    throw new Error(`Nothing was built.\n${reasons.map((reason) => `  ${reason}`).join('\n')}`);
  if (options.check) return say(`${described.version} can be built.`);
  await build();
  return printManualSteps();
}

await run().catch(({ message, stderr }) => {
  process.stderr.write(`${stderr || message}\n`);
  process.exitCode = 1;
});

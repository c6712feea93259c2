// Packs the build into a one-click bundle (.mcpb) for Linux, macOS and Windows. The same build
// gives the same bytes.
//   node packages/mcpb/package.mjs [--out FILE] [--allow-missing] [--offline]
// --allow-missing packs even if picture binaries of a platform are unavailable; --offline downloads
// none.
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packExtension } from '@anthropic-ai/mcpb';
import { root } from '../../scripts/repository.mjs';
import { manifestOf } from './manifest.mjs';
import { filesOf, platformPackages, UnavailablePackageError } from './native.mjs';
import { fixTimes } from './zip-times.mjs';

/** The files of each package that run: no sources, types, maps or build files. */
const PACKAGES = {
  '@photostructure/sqlite': /^(package\.json|LICENSE|dist(\/index\.mjs)?|prebuilds(\/.*)?)$/,
  'node-gyp-build': /^(package\.json|LICENSE|(index|node-gyp-build)\.js)$/,
  '@resvg/resvg-js': /^(package\.json|LICENSE|(index|js-binding)\.js)$/,
};

const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    'allow-missing': { type: 'boolean' },
    offline: { type: 'boolean' },
  },
});
const described = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
const catalog = JSON.parse(await readFile(join(root, 'dist', 'catalog.json'), 'utf8'));
const unpacked = Object.keys(described.dependencies).filter((name) => !(name in PACKAGES));
if (unpacked.length > 0)
  throw new Error(`PACKAGES does not list the files of ${unpacked.join(', ')}.`);
const out = resolve(
  options.out ?? join(root, 'build', `${described.name}-${described.version}.mcpb`),
);

const ownPackage = ({ name, version, license, type, engines }) => ({
  name,
  version,
  license,
  type,
  engines,
});

async function stage(folder) {
  const write = async (name, content) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  await write('manifest.json', `${JSON.stringify(manifestOf(described, catalog), null, 2)}\n`);
  await write('package.json', `${JSON.stringify(ownPackage(described), null, 2)}\n`);
  await cp(join(root, 'docs', 'icon-512.png'), join(folder, 'icon.png'));
  for (const name of ['LICENSE', 'dist'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  for (const [name, runs] of Object.entries(PACKAGES)) {
    const from = join(root, 'node_modules', name);
    const isNeeded = (path) =>
      path === from || runs.test(relative(from, path).replaceAll('\\', '/'));
    await cp(from, join(folder, 'node_modules', name), {
      recursive: true,
      dereference: true,
      filter: isNeeded,
    });
  }
  await stageNative(write);
  // Permissions must not depend on the user who packs.
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) await chmod(join(file.parentPath, file.name), 0o644);
}

async function stageNative(write) {
  const missing = [];
  for (const wanted of platformPackages(lock)) {
    try {
      for (const { name, content } of await filesOf(wanted, root, {
        isOffline: options.offline ?? false,
      }))
        await write(`${wanted.path}/${name}`, content);
    } catch (error) {
      if (!(error instanceof UnavailablePackageError)) throw error;
      missing.push(`${wanted.name}@${wanted.version}: ${error.message}`);
    }
  }
  if (missing.length === 0) return;
  process.stderr.write(
    `Without these packages their platforms cannot draw pictures:\n  ${missing.join('\n  ')}\n`,
  );
  if (options['allow-missing']) return;
  throw new Error('Nothing was packed. --allow-missing packs the bundle without them.');
}

const folder = await mkdtemp(join(tmpdir(), 'acequia-mcpb-'));
try {
  await stage(folder);
  const packed = `${folder}.mcpb`;
  if (!(await packExtension({ extensionPath: folder, outputPath: packed, silent: true })))
    throw new Error('The bundle was rejected: see above.');
  const zip = await readFile(packed);
  await rm(packed);
  fixTimes(zip);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, zip);
  const megabytes = (zip.length / 1e6).toFixed(1);
  process.stdout.write(
    `${out}\n${megabytes} MB, sha256 ${createHash('sha256').update(zip).digest('hex')}\n`,
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

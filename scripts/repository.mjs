// The repository that the scripts work in, with its packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Ignores optional packages of other platforms. */
function isInstalled() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || optional || present[path]?.version === version,
  );
}

/**
 * Installs the packages of the lock file if they are missing: a fresh clone needs no manual
 * install.
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  process.stderr.write('Installing packages (npm ci) …\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('npm ci failed: see above.\n');
    process.exit(1);
  }
}

/**
 * Bundles and imports a TypeScript file, because Node cannot run the modules of the program that it
 * imports.
 */
export async function importBundled(entry, define = {}) {
  await ensureInstalled();
  const { build } = await import('esbuild');
  // Inside node_modules, so that imports of packages resolve.
  const folder = await mkdtemp(join(root, 'node_modules', '.bundled-'));
  try {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20.18',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
      sourcemap: 'inline',
      define,
    });
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

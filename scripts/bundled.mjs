import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './installed.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Imports a TypeScript file that shares modules of the program, which Node runs only after bundling. */
export async function importBundled(entry, define = {}) {
  await ensureInstalled();
  const { build } = await import('esbuild');
  // Inside the repository, so that packages are found.
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
      define,
    });
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

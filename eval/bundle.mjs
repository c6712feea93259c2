// The evaluation shares modules of the program, which Node runs only after bundling.
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from '../scripts/installed.mjs';

/** Calls a function of the entry with the arguments of the command. */
export async function runBundled(entry, name) {
  try {
    const bundled = await loadBundled(entry);
    process.exitCode = await bundled[name](process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}

async function loadBundled(entry) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  await ensureInstalled();
  const { build } = await import('esbuild');
  // Inside the repository, so that packages are found.
  const folder = await mkdtemp(join(root, 'node_modules', '.eval-'));
  try {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [join('eval', entry)],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20.18',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
      define: { EVAL_ROOT: JSON.stringify(root) },
    });
    return await import(pathToFileURL(outfile));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

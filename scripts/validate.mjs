// Compares the answers of the tools with measurements of others: node scripts/validate.mjs [FOLDER] [--write]. The folder, or
// ACEQUIA_VALIDATION_DATA, holds the data that docs/validation.md describes. --write writes that page; else it is printed.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './installed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const isWriting = args.includes('--write');
const data = args.find((each) => !each.startsWith('--')) ?? process.env.ACEQUIA_VALIDATION_DATA;
const unknown = args.find((each) => each.startsWith('--') && each !== '--write');
const missing = ['pyfao56', 'openagri'].find((name) => data && !existsSync(join(data, name)));
const problem =
  (unknown && `unknown option ${unknown}`) ||
  (!data && 'no folder of data is named') ||
  (missing && `${data} holds no folder ${missing}`);
if (problem) {
  process.stderr.write(
    `error: ${problem}\nUsage: npm run validate -- FOLDER [--write] (docs/validation.md says what the folder holds)\n`,
  );
  process.exit(2);
}

await ensureInstalled();
const { build } = await import('esbuild');
// Inside the repository, so that packages are found.
const folder = await mkdtemp(join(root, 'node_modules', '.validate-'));
try {
  const outfile = join(folder, 'run.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: [join('validate', 'run.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const { validate } = await import(pathToFileURL(outfile));
  if (!(await validate(data, isWriting ? join(root, 'docs', 'validation.md') : null))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

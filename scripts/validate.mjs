// Compares the answers of the tools with published measurements: node scripts/validate.mjs [FOLDER]
// [--write]. The folder, or ACEQUIA_VALIDATION_DATA, holds the data that docs/validation.md
// describes. --write writes that page instead of printing it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled, root } from './repository.mjs';

const args = process.argv.slice(2);
const isWriting = args.includes('--write');
const data = args.find((arg) => !arg.startsWith('--')) ?? process.env.ACEQUIA_VALIDATION_DATA;

function findProblem() {
  const unknown = args.find((arg) => arg.startsWith('--') && arg !== '--write');
  if (unknown) return `unknown option ${unknown}`;
  if (!data) return 'no data folder is named';

  const missing = ['pyfao56', 'openagri'].find((name) => !existsSync(join(data, name)));
  return missing && `${data} holds no folder ${missing}`;
}

const problem = findProblem();
if (problem) {
  process.stderr.write(
    `error: ${problem}\nUsage: npm run validate -- FOLDER [--write] (docs/validation.md says what the folder holds)\n`,
  );
  process.exit(2);
}

const { validate } = await importBundled(join('eval', 'validate', 'run.ts'));
if (!(await validate(data, isWriting ? join(root, 'docs', 'validation.md') : null)))
  process.exitCode = 1;

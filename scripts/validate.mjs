// Compares the answers of the tools with published measurements: node scripts/validate.mjs [FOLDER]
// [--write | --only SECTION]. The folder, or ACEQUIA_VALIDATION_DATA, holds the data that
// docs/validation.md describes. --write writes that page instead of printing it, --only prints one
// of its sections.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importBundled, root } from './repository.mjs';

const { SECTIONS, validate } = await importBundled(join('eval', 'validate', 'run.ts'));

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { write: { type: 'boolean' }, only: { type: 'string' } },
    });
  } catch (error) {
    return { values: {}, positionals: [], problem: error.message };
  }
}

const { values, positionals, problem: unreadable } = readArguments();
const data = positionals[0] ?? process.env.ACEQUIA_VALIDATION_DATA;

function findProblem() {
  if (unreadable) return unreadable;
  if (values.only && values.write) return 'one section alone is not written';
  if (values.only && !SECTIONS.includes(values.only))
    return `no section ${values.only}: there are ${SECTIONS.join(', ')}`;
  if (!data) return 'no data folder is named';

  const folders = ['pyfao56', 'openagri', 'sheepweather'];
  const missing = folders.find((name) => !existsSync(join(data, name)));
  return missing && `${data} holds no folder ${missing}`;
}

const problem = findProblem();
if (problem) {
  process.stderr.write(
    `error: ${problem}\nUsage: npm run validate -- FOLDER [--write | --only SECTION] (docs/validation.md says what the folder holds)\n`,
  );
  process.exit(2);
}

const page = values.write ? join(root, 'docs', 'validation.md') : null;
if (!(await validate(data, page, values.only ?? null))) process.exitCode = 1;

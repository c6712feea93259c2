// Records what a built program answers about the random farms: node record.mjs PATH/dist/acequia.js
// It prints what differs from the answers recorded before.
import { importBundled } from '../../../../scripts/repository.mjs';

const [program] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write('Usage: node record.mjs PATH/dist/acequia.js\n');
  process.exit(2);
}
process.env.ACEQUIA_BINARY = program;

const { recordAnswers } = await importBundled('test/acceptance/advice/recorded/record.ts');
for (const line of await recordAnswers()) process.stdout.write(`${line}\n`);

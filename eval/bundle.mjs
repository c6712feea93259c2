import { join } from 'node:path';
import { importBundled, root } from '../scripts/repository.mjs';

/** Calls a function of the entry with the arguments of the command. */
export async function runBundled(entry, name) {
  try {
    const bundled = await importBundled(join('eval', entry), { EVAL_ROOT: JSON.stringify(root) });
    process.exitCode = await bundled[name](process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  }
}

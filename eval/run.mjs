// Runs the stories against a model: node eval/run.mjs --help
import { loadBundled } from './bundle.mjs';

const { run } = await loadBundled('run.ts');
process.exitCode = await run(process.argv.slice(2));

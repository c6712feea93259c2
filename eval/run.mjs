// Runs the stories against a model: node eval/run.mjs --help
import { runBundled } from './bundle.mjs';

await runBundled('run.ts', 'run');

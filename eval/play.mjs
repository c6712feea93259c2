// Plays one story with an assistant driven from outside: node eval/play.mjs --help
import { loadBundled } from './bundle.mjs';

const { play } = await loadBundled('play.ts');
process.exitCode = await play(process.argv.slice(2));

// Plays one story with an assistant driven from outside: node eval/play.mjs --help
import { runBundled } from './bundle.mjs';

await runBundled('play.ts', 'play');

#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { exitIfHeld } from './process/output.ts';

declare const ACEQUIA_VERSION: string;

await runCommandLine(process.argv.slice(2), ACEQUIA_VERSION);
await exitIfHeld();

#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { exitIfRequired } from './process/output.ts';

declare const ACEQUIA_VERSION: string;

await runCommandLine(process.argv.slice(2), ACEQUIA_VERSION);
await exitIfRequired();

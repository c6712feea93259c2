#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { exitIfStillRunning } from './process/output.ts';
import { endWithParent } from './service/keeper/parent-channel.ts';

declare const ACEQUIA_VERSION: string;

endWithParent();
await runCommandLine(process.argv.slice(2), ACEQUIA_VERSION);
await exitIfStillRunning();

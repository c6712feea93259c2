#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import {
  addCallCommand,
  addChartCommand,
  addConnectCommand,
  addCopyCommand,
  addDemoCommand,
  addDoctorCommand,
  addImportCommand,
  addIngestCommand,
  addTickCommand,
} from './commands.ts';
import { addKeysCommand } from './keys-command.ts';
import { addMcpCommand, serveStdio } from './mcp-command.ts';
import { redactSecrets } from './process/error-format.ts';
import { printError } from './process/output.ts';
import { addCommonOptions, ignoreBlankVariables, readSettings } from './process/settings.ts';
import { exitIfHeld } from './process/shutdown.ts';
import { addServeCommand } from './serve-command.ts';

declare const ACEQUIA_VERSION: string;

const WRONG_USAGE = 2;

const program = addCommonOptions(new Command('acequia'))
  .description('Irrigation records and soil moisture for AI assistants: an MCP server, a REST service and their tools.')
  .version(ACEQUIA_VERSION)
  .exitOverride()
  // An error quotes the command line, and an address there may hold a password.
  .configureOutput({ writeErr: (text) => printError(redactSecrets(text)) })
  .showHelpAfterError('Run "acequia --help" to see the commands and options.')
  .action((_, command: Command) => serveStdio(readSettings(command)));

const COMMANDS = [
  addMcpCommand,
  addServeCommand,
  addImportCommand,
  addIngestCommand,
  addTickCommand,
  addCopyCommand,
  addKeysCommand,
  addConnectCommand,
  addDoctorCommand,
  addCallCommand,
  addChartCommand,
  addDemoCommand,
];
for (const addCommand of COMMANDS) addCommand(program);

ignoreBlankVariables(program);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
}
await exitIfHeld();

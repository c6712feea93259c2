#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addConnectCommand } from './connect-command.ts';
import { addCopyCommand } from './copy-command.ts';
import { addIngestCommand } from './ingest-command.ts';
import { addKeysCommand } from './keys-command.ts';
import { serveStdio } from './mcp-command.ts';
import { redactSecrets } from './process/error-format.ts';
import {
  addCommonOptions,
  ignoreBlankVariables,
  parseDurationOption,
  parseInstantOption,
  readSettingSources,
  readSettings,
  readUnfilteredStoreSettings,
} from './process/settings.ts';
import { exitIfHeld } from './process/shutdown.ts';
import { addServeCommand } from './serve-command.ts';

declare const ACEQUIA_VERSION: string;

/** Exit codes: 0 done, 1 failed, 2 wrong usage. */
const WRONG_USAGE = 2;

const program = addCommonOptions(new Command('acequia'))
  .description('Irrigation and soil-moisture bookkeeping that AI assistants work with.')
  .version(ACEQUIA_VERSION)
  .exitOverride()
  // What cannot be understood is quoted, and an address may hold a password.
  .configureOutput({ writeErr: (text) => process.stderr.write(redactSecrets(text)) })
  .showHelpAfterError('Run "acequia --help" for what there is.')
  .action((_, command: Command) => serveStdio(readSettings(command)));

addCommonOptions(program.command('mcp'))
  .description('serve MCP on standard input and output (what "acequia" alone does)')
  .action((_, command: Command) => serveStdio(readSettings(command)));

addCommonOptions(program.command('import'))
  .description('import farm files (.json) and readings (.csv; - for standard input)')
  .argument('[files...]', 'files in the order in which they are imported')
  .option('--module <name>', 'probe of a wide readings file: name, uid or id')
  .option('--company <name>', 'company of the readings, where the store holds several: name or id')
  .option('--timezone <zone>', 'IANA zone of times without an offset (default: the company’s)')
  .option('--rejects <file>', 'write the rejected rows to this file')
  .option('--print-schema', 'print the JSON Schema of a farm file')
  .action(async (files: string[], options, command: Command) => {
    const { runImport } = await import('./store-commands/import-run.ts');
    process.exitCode = await runImport(files, options, readUnfilteredStoreSettings(command));
  });

addCommonOptions(program.command('tick'))
  .description('housekeeping once: plan schedules ahead, count past ones as done, watch alerts, send mail (for cron)')
  .option('--until <instant>', 'step the clock to this instant', parseInstantOption)
  .option('--every <span>', 'width of a step, such as 30min, 1h or 1d (default: 1h)', parseDurationOption)
  .option('--resend', 'try messages once more that the mail server refused')
  .action(async (options, command: Command) => {
    const { runTick } = await import('./store-commands/tick-run.ts');
    process.exitCode = await runTick(options, readUnfilteredStoreSettings(command));
  });

addCommonOptions(program.command('doctor'))
  .description('look at configuration, store, clock, zones, mail, housekeeping and assistants, and say what to mend')
  .option('--json', 'print the findings as JSON')
  .action(async (options, command: Command) => {
    const { runDoctor } = await import('./doctor/doctor-run.ts');
    process.exitCode = await runDoctor(options, readSettings(command), readSettingSources(command));
  });

addConnectCommand(program);
addCopyCommand(program);
addIngestCommand(program);
addServeCommand(program);
addKeysCommand(program);

addCommonOptions(program.command('chart'))
  .description('draw the moisture of a probe into a PNG file')
  .requiredOption('--module <name>', 'probe: name or id')
  .option('--start <time>', 'start of the period (default: 7 days before its end)')
  .option('--end <time>', 'end of the period (default: now)')
  .option('--view <view>', 'summary, the weighted curve, or depths, a line each (default: summary)')
  .option('--theme <theme>', 'light or dark (default: light)')
  .option('--out <file>', 'file to write', 'moisture.png')
  .action(async (options, command: Command) => {
    const { runChart } = await import('./tool-commands/chart-run.ts');
    process.exitCode = await runChart(options, readSettings(command));
  });

addCommonOptions(program.command('call'))
  .description('run one tool: acequia call log_watering module="North 1" startedAt="today 6:00" …')
  .argument('<tool>', 'name of the tool')
  .argument('[arguments...]', 'name=value, name:=JSON, or - for a JSON object on standard input')
  .option('--json', 'print the structured answer as JSON')
  .option('--out <file>', 'file that a picture is written to (PNG)')
  .action(async (tool: string, words: string[], options, command: Command) => {
    const { runCall } = await import('./tool-commands/call-run.ts');
    process.exitCode = await runCall(tool, words, options, readSettings(command));
  });

addCommonOptions(program.command('demo'))
  .description('make a demo farm and walk through a conversation with it')
  .option('--through-rest', 'serve the farm over REST, and hold the conversation through that')
  .action(async (options, command: Command) => {
    const { runDemo } = await import('../../demo/demo-run.ts');
    process.exitCode = await runDemo(options, readUnfilteredStoreSettings(command));
  });

ignoreBlankVariables(program);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
}
await exitIfHeld();

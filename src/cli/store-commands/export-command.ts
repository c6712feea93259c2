import type { Command } from 'commander';
import { expandHome } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

export function addExportCommand(program: Command): void {
  addCommonOptions(program.command('export'))
    .description('write the farm as it is now as a farm file, which "acequia import" reads')
    .option('--out <file>', 'file to write (default: standard output)', expandHome)
    .option('--company <name>', 'company, when the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runExport } = await import('./export-run.ts');
      process.exitCode = await runExport(options, readSettings(command, WHOLE_STORE));
    });
}

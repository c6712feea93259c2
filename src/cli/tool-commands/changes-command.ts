import type { Command } from 'commander';
import { addCommonOptions, readSettings } from '../process/settings.ts';

export function addChangesCommand(program: Command): void {
  addCommonOptions(program.command('changes'))
    .description('list who changed what and when, newest first, with the values before and after')
    .option('--limit <count>', 'how many, up to 200', Number, 20)
    .option('--json', 'print the structured answer as JSON')
    .action(async (options, command: Command) => {
      const { runChanges } = await import('./changes-run.ts');
      process.exitCode = await runChanges(options, readSettings(command));
    });
}

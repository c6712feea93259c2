import type { Command } from 'commander';
import {
  addCommonOptions,
  readSettingSources,
  readSettings,
  WHOLE_STORE,
} from '../process/settings.ts';

/** The settings of this command are also those of the entry of an assistant that it connects. */
export function addInitCommand(program: Command): void {
  addCommonOptions(program.command('init'))
    .description('ask about your farm in the terminal, write the store, and connect an assistant')
    .action(async (_, command: Command) => {
      const { runInit } = await import('./init-run.ts');
      process.exitCode = await runInit(
        readSettings(command, WHOLE_STORE),
        readSettingSources(command),
        command,
      );
    });
}

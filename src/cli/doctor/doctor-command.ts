import type { Command } from 'commander';
import {
  addCommonOptions,
  optionVariables,
  readSettingSources,
  readSettings,
} from '../process/settings.ts';

export function addDoctorCommand(program: Command): void {
  addCommonOptions(program.command('doctor'))
    .description(
      'check configuration, store, clock, zones, mail, background jobs and assistants, and say what to fix',
    )
    .option('--json', 'print the findings as JSON')
    .option('--no-assistants', 'do not start what the assistants start')
    .action(async (options, command: Command) => {
      const { runDoctor } = await import('./doctor-run.ts');
      const configuration = {
        sources: readSettingSources(command),
        optionVariables: optionVariables(program),
      };
      process.exitCode = await runDoctor(options, readSettings(command), configuration);
    });
}

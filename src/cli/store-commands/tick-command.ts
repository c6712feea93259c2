import type { Command } from 'commander';
import { parseDurationOption, parseInstantOption } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

export function addTickCommand(program: Command): void {
  addCommonOptions(program.command('tick'))
    .description(
      'run the background jobs once (for cron): plan schedules, settle past waterings, check alerts, send mail',
    )
    .option('--until <instant>', 'step the clock to this instant', parseInstantOption)
    .option(
      '--every <span>',
      'length of a step, such as 30min, 1h or 1d (default: 1h)',
      parseDurationOption,
    )
    .option('--resend', 'retry the messages that the mail server refused')
    .action(async (options, command: Command) => {
      const { runTick } = await import('./tick-run.ts');
      process.exitCode = await runTick(options, readSettings(command, WHOLE_STORE));
    });
}

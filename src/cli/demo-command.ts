import type { Command } from 'commander';
import {
  addCommonOptions,
  readSettingSources,
  readSettings,
  WHOLE_STORE,
} from './process/settings.ts';

export function addDemoCommand(program: Command): void {
  addCommonOptions(program.command('demo'))
    .description('make a demo farm and play a short conversation with it')
    .option('--full', 'play everything: schedules, clock changes, an alert by mail, a morning')
    .option(
      '--serve',
      'show the farm on the live page afterwards, until interrupted (default: on a terminal)',
    )
    .option(
      '--through-rest',
      'serve the farm over REST and hold the conversation through that service',
    )
    .action(async (options, command: Command) => {
      if (readSettingSources(command).clock === 'cli')
        command.error('error: demo plays on days of its own in July: leave --clock out.');
      const { runDemo } = await import('../../demo/demo-run.ts');
      process.exitCode = await runDemo(options, readSettings(command, WHOLE_STORE));
    });
}

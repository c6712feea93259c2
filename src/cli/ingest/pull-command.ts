import { type Command, Option } from 'commander';
import { PULL_PROVIDERS } from '../../domain/ingest/import-options.ts';
import { parseDurationOption, parseInstantOption, splitList } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

export function addPullCommand(ingest: Command): void {
  addCommonOptions(ingest.command('pull'))
    .description(
      'fetch readings from the cloud of a provider, once or again and again; keys come from the environment',
    )
    .addOption(
      new Option('--profile <name>', 'the provider').choices(PULL_PROVIDERS).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--device <name>',
        'logger (IrriMAX), serial number (ZENTRA) or station (Davis); may be repeated',
      )
        .argParser((name: string, previous: readonly string[] = []) => [
          ...previous,
          ...splitList(name),
        ])
        .makeOptionMandatory(),
    )
    .option(
      '--every <span>',
      'fetch again after this span, such as 15m (default: only once)',
      parseDurationOption,
    )
    .option(
      '--since <instant>',
      'where to start with a device that was never pulled before (default: 7 days ago); without --every, with any device',
      parseInstantOption,
    )
    .option('--host <host>', 'another host of the provider, such as zentracloud.eu')
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .action(async (options, command: Command) => {
      const { runIngestPull } = await import('./pull-run.ts');
      process.exitCode = await runIngestPull(options, readSettings(command, WHOLE_STORE));
    });
}

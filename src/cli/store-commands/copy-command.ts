import { type Command, Option } from 'commander';
import { parseStoreOption } from '../process/option-parsers.ts';
import {
  addCommonOptions,
  assertValidLocation,
  readSettings,
  WHOLE_STORE,
} from '../process/settings.ts';

export function addCopyCommand(program: Command): void {
  addCommonOptions(program.command('copy'))
    .description(
      'copy a whole store to another file or database and check the copy; run it again to resume',
    )
    .addOption(
      new Option(
        '--from <store>',
        'the store to copy: a file or a postgres:// URL (default: the value of --db)',
      )
        .env('ACEQUIA_COPY_FROM')
        .argParser(parseStoreOption),
    )
    .addOption(
      new Option('--to <store>', 'the new store: a file to make, or the URL of an empty database')
        .env('ACEQUIA_COPY_TO')
        .argParser(parseStoreOption)
        .makeOptionMandatory(),
    )
    .option('--check', 'copy nothing; compare the rows of every table of the two stores')
    .action(async (options: { from?: string; to: string; check?: boolean }, command: Command) => {
      const { runCopy } = await import('./copy-run.ts');
      const { from, to, check } = options;
      const settings = readSettings(command, WHOLE_STORE);
      const locations = { from: from ?? settings.db, to };
      assertValidLocation(command, '--from or ACEQUIA_COPY_FROM', locations.from);
      assertValidLocation(command, '--to or ACEQUIA_COPY_TO', locations.to);
      process.exitCode = await runCopy(locations, { isCheck: check ?? false }, settings);
    });
}

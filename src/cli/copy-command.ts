import { type Command, Option } from 'commander';
import { parseStoreOption } from './process/option-parsers.ts';
import { addCommonOptions, readUnfilteredStoreSettings, rejectUnknownUrl } from './process/settings.ts';

export function addCopyCommand(program: Command): void {
  addCommonOptions(program.command('copy'))
    .description('copy a whole store to another file or database and check the copy; run it again to resume')
    .addOption(
      new Option('--from <place>', 'the store to copy: a file or a postgres:// URL (default: the value of --db)')
        .env('ACEQUIA_COPY_FROM')
        .argParser(parseStoreOption),
    )
    .addOption(
      new Option('--to <place>', 'the new store: a file to make, or the URL of an empty database')
        .env('ACEQUIA_COPY_TO')
        .argParser(parseStoreOption)
        .makeOptionMandatory(),
    )
    .option('--check', 'copy nothing; compare the rows of every table of the two stores')
    .action(async (options: { from?: string; to: string; check?: boolean }, command: Command) => {
      const { runCopy } = await import('./store-commands/copy-run.ts');
      const { from, to, check } = options;
      const settings = readUnfilteredStoreSettings(command);
      const ends = { from: from ?? settings.db, to };
      rejectUnknownUrl(command, '--from or ACEQUIA_COPY_FROM', ends.from);
      rejectUnknownUrl(command, '--to or ACEQUIA_COPY_TO', ends.to);
      process.exitCode = await runCopy(ends, { isCheck: check ?? false }, settings);
    });
}

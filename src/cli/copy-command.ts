import { type Command, Option } from 'commander';
import {
  addCommonOptions,
  parseStoreOption,
  readUnfilteredStoreSettings,
  rejectUnknownUrl,
} from './process/settings.ts';

const FROM = new Option('--from <place>', 'the store to copy: a file, or a postgres:// URL (default: what --db says)')
  .env('ACEQUIA_COPY_FROM')
  .argParser(parseStoreOption);
const TO = new Option('--to <place>', 'where no store is yet: a file to make, or the URL of an empty database')
  .env('ACEQUIA_COPY_TO')
  .argParser(parseStoreOption)
  .makeOptionMandatory();

/** The environment variables that options of `acequia copy` are read from. */
export const COPY_VARIABLES: readonly string[] = [FROM, TO].flatMap(({ envVar }) => envVar ?? []);

/** `acequia copy`. */
export function addCopyCommand(program: Command): void {
  addCommonOptions(program.command('copy'))
    .description('copy a whole store to another place, file or database, and check the copy; run again, it goes on')
    .addOption(FROM)
    .addOption(TO)
    .option('--check', 'copy nothing; compare the two stores by the rows of every table')
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

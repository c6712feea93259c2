import { type Command, InvalidArgumentError } from 'commander';
import { parseRetention, type Retention } from '../../domain/backups/retention.ts';
import { parsePath } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

const DEFAULT = 'default';

function parseKeepOption(text: string): Retention | typeof DEFAULT {
  const retention = text === DEFAULT ? DEFAULT : parseRetention(text);
  if (retention === null)
    throw new InvalidArgumentError(
      'Give days, weeks and months, such as 7d,4w,12m, a number of copies, such as 10, or "default".',
    );
  return retention;
}

interface BackupOptions {
  readonly keep?: Retention | typeof DEFAULT;
  readonly drill?: boolean;
}

export function addBackupCommand(program: Command): void {
  const backup = addCommonOptions(program.command('backup'))
    .description('copy the store to a folder and check the copy; with --drill, try the newest copy')
    .argument(
      '[folder]',
      'where the copies are (default: ACEQUIA_BACKUPS, or "backups" beside the store)',
      parsePath,
    )
    .option(
      '--keep <copies>',
      'which copies to keep in this folder from now on: the newest of each of these days, weeks and months, or a number of copies (default: 7d,4w,12m, in at most five times the size of the store and a tenth of the disk)',
      parseKeepOption,
    )
    .option('--drill', 'make no copy; make a store of the newest one, ask it, and delete it again')
    .action(
      async (
        folder: string | undefined,
        { keep, drill = false }: BackupOptions,
        command: Command,
      ) => {
        if (drill && keep !== undefined)
          command.error('error: --drill deletes no copies, so --keep does not apply.');
        const settings = readSettings(command, WHOLE_STORE);
        const { runBackup, runBackupDrill } = await import('./backup-run.ts');
        process.exitCode = drill
          ? await runBackupDrill(folder ?? null, settings)
          : await runBackup({ folder: folder ?? null, keep }, settings);
      },
    );

  addCommonOptions(backup.command('list'))
    .description('list the copies in a folder, the newest first')
    .argument('[folder]', 'where the copies are (default: as for backup)', parsePath)
    .option('--json', 'print JSON')
    .action(async (folder: string | undefined, { json }: { json?: boolean }, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      const { runBackupList } = await import('./backup-list.ts');
      process.exitCode = await runBackupList(folder ?? null, json ?? false, settings);
    });
}

export function addRestoreCommand(program: Command): void {
  addCommonOptions(program.command('restore'))
    .description('make a store of a copy, at a place where nothing stands yet')
    .argument('<copy>', 'a file that "acequia backup list" names', parsePath)
    .option('--to <file>', 'the new store (default: the one of --db)', parsePath)
    .action(async (copy: string, { to }: { to?: string }, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      const { runRestore } = await import('./restore-run.ts');
      process.exitCode = await runRestore(copy, to ?? settings.db, settings);
    });
}

import { Argument, type Command, InvalidArgumentError } from 'commander';
import { addCommonOptions, readSettingSources, readSettings } from '../process/settings.ts';
import { CLIENT_NAMES, type ClientId } from './client-files.ts';

/** Two names have two variables, and most clients put the name before that of each tool. */
function parseEntryName(name: string): string {
  if (/^[a-z][a-z0-9-]{0,31}$/.test(name)) return name;
  throw new InvalidArgumentError(
    'Give a name of at most 32 small letters, digits and hyphens, such as valley-farm.',
  );
}

/** The settings of this command become those of the entry that starts Acequia. */
export function addConnectCommand(program: Command): void {
  addCommonOptions(program.command('connect'))
    .description('add this server to the configuration of an assistant, after showing the change')
    .addArgument(new Argument('<client>', 'the assistant').choices(Object.keys(CLIENT_NAMES)))
    .option(
      '--name <name>',
      'name of the entry (default: acequia), one for each farm',
      parseEntryName,
    )
    .option('--project', 'use the file of this folder, not the user’s')
    .option('--remove', 'remove the entry')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'show the change and write nothing')
    .option('--print', 'print the entry and touch no file')
    .action(async (client: ClientId, options, command: Command) => {
      const { runConnect } = await import('./connect-run.ts');
      process.exitCode = await runConnect(
        client,
        options,
        readSettings(command),
        readSettingSources(command),
      );
    });
}

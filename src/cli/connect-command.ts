import { Argument, type Command } from 'commander';
import { CLIENT_NAMES, type ClientId } from './connect/client-files.ts';
import { addCommonOptions, readSettingSources, readSettings } from './process/settings.ts';

/** `acequia connect`: the settings that are said go into what the assistant starts. */
export function addConnectCommand(program: Command): void {
  addCommonOptions(program.command('connect'))
    .description('tell an assistant of this server, in its own configuration, after showing what changes')
    .addArgument(new Argument('<client>', 'which assistant').choices(Object.keys(CLIENT_NAMES)))
    .option('--project', 'in the file of this folder, not in that of the user')
    .option('--remove', 'take it out again')
    .option('--yes', 'write without a question')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--print', 'print what would stand there, and touch no file')
    .action(async (client: ClientId, options, command: Command) => {
      const { runConnect } = await import('./connect/connect-run.ts');
      process.exitCode = await runConnect(client, options, readSettings(command), readSettingSources(command));
    });
}

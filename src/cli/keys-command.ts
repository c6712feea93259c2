import { type Command, InvalidArgumentError, Option } from 'commander';
import { instant, localSettingsOf, span, withSettings } from './settings.ts';

const DAY_MS = 86_400_000;

/** Texts between commas. */
const named = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A span in ms, or none. */
const overlap = (text: string): number => (text === '0' ? 0 : span(text));

function keyId(text: string): number {
  const id = /^#?(\d{1,15})$/.exec(text)?.[1];
  if (id === undefined) throw new InvalidArgumentError('Give the id of a key; "acequia keys list" tells them.');
  return Number(id);
}

/** `acequia keys`: what there is to do with keys. */
export function addKeys(program: Command): void {
  const keys = withSettings(program.command('keys')).description('make and end the keys that REST asks for');

  withSettings(keys.command('create'))
    .description('make a key and print it, this once')
    .option('--company <name>', 'whose key it is, where the store holds several: name or id')
    .option('--user <id>', 'for whom it stands: id or e-mail address of a member, or none (default: the first OWNER)')
    .option(
      '--scopes <list>',
      'what it may do, such as readings:read,irrigation:write (default: all of the role)',
      named,
    )
    .addOption(
      new Option('--surface <surface>', 'the source that its writes carry; mcp for an assistant')
        .choices(['api', 'mcp'])
        .default('api'),
    )
    .option('--expires <instant>', 'when it ends (default: never)', instant)
    .option('--json', 'print { id, key }')
    .action(async (options, command: Command) => {
      const { runCreate } = await import('./keys.ts');
      process.exitCode = await runCreate(options, localSettingsOf(command));
    });

  withSettings(keys.command('list'))
    .description('list the keys, none of which is shown')
    .option('--company <name>', 'of this company alone: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runList } = await import('./keys.ts');
      process.exitCode = await runList(options, localSettingsOf(command));
    });

  withSettings(keys.command('rotate'))
    .description('make a key that may do what another may, which then ends')
    .argument('<id>', 'id of the key, from "acequia keys list"', keyId)
    .option(
      '--overlap <span>',
      'how long the old key still serves, such as 30min, 1h or 1d; 0 ends it',
      overlap,
      DAY_MS,
    )
    .option('--expires <instant>', 'when the new key ends (default: when the old one would have)', instant)
    .option('--json', 'print { id, key }')
    .action(async (id: number, options, command: Command) => {
      const { runRotate } = await import('./keys.ts');
      process.exitCode = await runRotate(id, options, localSettingsOf(command));
    });

  withSettings(keys.command('revoke'))
    .description('end a key at once')
    .argument('<id>', 'id of the key, from "acequia keys list"', keyId)
    .action(async (id: number, _, command: Command) => {
      const { runRevoke } = await import('./keys.ts');
      process.exitCode = await runRevoke(id, localSettingsOf(command));
    });
}

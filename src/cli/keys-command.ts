import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  addCommonOptions,
  parseDurationOption,
  parseInstantOption,
  readUnfilteredStoreSettings,
} from './process/settings.ts';

const DAY_MS = 86_400_000;

/** Texts between commas. */
const parseNameList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A span in ms, or none. */
const parseOverlap = (text: string): number => (text === '0' ? 0 : parseDurationOption(text));

function parseKeyId(text: string): number {
  const id = /^#?(\d{1,15})$/.exec(text)?.[1];
  if (id === undefined) throw new InvalidArgumentError('Give the id of a key; "acequia keys list" tells them.');
  return Number(id);
}

/** `acequia keys`: what there is to do with keys. */
export function addKeysCommand(program: Command): void {
  const keys = addCommonOptions(program.command('keys')).description('make and end the keys that REST asks for');

  addCommonOptions(keys.command('create'))
    .description('make a key and print it, this once')
    .option('--company <name>', 'whose key it is, where the store holds several: name or id')
    .option('--user <id>', 'for whom it stands: id or e-mail address of a member, or none (default: the first OWNER)')
    .option(
      '--scopes <list>',
      'what it may do, such as readings:read,irrigation:write (default: all of the role)',
      parseNameList,
    )
    .addOption(
      new Option('--surface <surface>', 'the source that its writes carry; mcp for an assistant')
        .choices(['api', 'mcp'])
        .default('api'),
    )
    .option('--expires <instant>', 'when it ends (default: never)', parseInstantOption)
    .option('--json', 'print { id, key }')
    .action(async (options, command: Command) => {
      const { runCreateKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runCreateKey(options, readUnfilteredStoreSettings(command));
    });

  addCommonOptions(keys.command('list'))
    .description('list the keys, none of which is shown')
    .option('--company <name>', 'of this company alone: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runListKeys } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runListKeys(options, readUnfilteredStoreSettings(command));
    });

  addCommonOptions(keys.command('rotate'))
    .description('make a key that may do what another may, which then ends')
    .argument('<id>', 'id of the key, from "acequia keys list"', parseKeyId)
    .option(
      '--overlap <span>',
      'how long the old key still serves, such as 30min, 1h or 1d; 0 ends it',
      parseOverlap,
      DAY_MS,
    )
    .option('--expires <instant>', 'when the new key ends (default: when the old one would have)', parseInstantOption)
    .option('--json', 'print { id, key }')
    .action(async (id: number, options, command: Command) => {
      const { runRotateKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runRotateKey(id, options, readUnfilteredStoreSettings(command));
    });

  addCommonOptions(keys.command('revoke'))
    .description('end a key at once')
    .argument('<id>', 'id of the key, from "acequia keys list"', parseKeyId)
    .action(async (id: number, _, command: Command) => {
      const { runRevokeKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runRevokeKey(id, readUnfilteredStoreSettings(command));
    });
}

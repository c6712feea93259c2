import { type Command, InvalidArgumentError, Option } from 'commander';
import { DAY_MS } from '../domain/periods.ts';
import { KEY_PRESET_NAMES } from '../service/keys/key-presets.ts';
import { parseDurationOption, parseInstantOption, splitList } from './process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from './process/settings.ts';
import { hostOption, portOption, publicUrlOption } from './serve/serve-command.ts';

const parseOverlap = (text: string): number => (text === '0' ? 0 : parseDurationOption(text));

const idParser =
  (kind: string, command: string) =>
  (text: string): number => {
    const id = /^#?(\d{1,15})$/.exec(text)?.[1];
    if (id === undefined)
      throw new InvalidArgumentError(
        `Give the id of a ${kind}, as "acequia keys ${command}" shows it.`,
      );
    return Number(id);
  };

const parseKeyId = idParser('key', 'list');

export function addKeysCommand(program: Command): void {
  const keys = addCommonOptions(program.command('keys')).description(
    'create, list, rotate and revoke API keys; let people sign in to the page',
  );
  addCreateCommand(keys);
  addListCommand(keys);
  addRotateCommand(keys);
  addRevokeCommand(keys);
  addLinkCommand(keys);
  addSessionsCommand(keys);
  addSignOutCommand(keys);
}

function addCreateCommand(keys: Command): void {
  addCommonOptions(keys.command('create'))
    .description('create a key and print it; it is shown this once')
    .option('--company <name>', 'company of the key, when the store holds several: name or id')
    .option(
      '--user <id>',
      'member it acts for: id or e-mail address, or none (default: the first OWNER; none with --webhook)',
    )
    .option(
      '--scopes <list>',
      'what it may do in detail, such as readings:read,irrigation:write',
      splitList,
    )
    .addOption(
      new Option(
        '--preset <name>',
        'what it is for: viewer (the default) reads, assistant also writes waterings, schedules and alerts, ingest sends readings, everything allows all that the role does',
      )
        .choices(KEY_PRESET_NAMES)
        .conflicts('scopes'),
    )
    .addOption(
      new Option(
        '--webhook <name>',
        'for a sender that posts payloads of this preset or map, such as ecowitt/wh51, and may do nothing else',
      ).conflicts(['scopes', 'preset']),
    )
    .addOption(
      new Option(
        '--surface <surface>',
        'source recorded with what it writes (default: mcp for an assistant, else api)',
      ).choices(['api', 'mcp']),
    )
    .option('--expires <instant>', 'when it expires (default: never)', parseInstantOption)
    .option('--json', 'print { id, key }')
    .action(async (options, command: Command) => {
      const { runCreateKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runCreateKey(options, readSettings(command, WHOLE_STORE));
    });
}

function addListCommand(keys: Command): void {
  addCommonOptions(keys.command('list'))
    .description('list the keys; their secrets are not shown')
    .option('--company <name>', 'only the keys of this company: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runListKeys } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runListKeys(options, readSettings(command, WHOLE_STORE));
    });
}

function addRotateCommand(keys: Command): void {
  addCommonOptions(keys.command('rotate'))
    .description('create a key with the rights of another one, which then expires')
    .argument('<id>', 'id of the key, from "acequia keys list"', parseKeyId)
    .option(
      '--overlap <span>',
      'how long the old key stays valid, such as 30min, 1h or 1d; 0 revokes it at once',
      parseOverlap,
      DAY_MS,
    )
    .option(
      '--expires <instant>',
      'when the new key expires (default: when the old one would have)',
      parseInstantOption,
    )
    .option('--json', 'print { id, key }')
    .action(async (id: number, options, command: Command) => {
      const { runRotateKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runRotateKey(id, options, readSettings(command, WHOLE_STORE));
    });
}

function addRevokeCommand(keys: Command): void {
  addCommonOptions(keys.command('revoke'))
    .description('revoke a key at once')
    .argument('<id>', 'id of the key, from "acequia keys list"', parseKeyId)
    .action(async (id: number, _, command: Command) => {
      const { runRevokeKey } = await import('./store-commands/keys-run.ts');
      process.exitCode = await runRevokeKey(id, readSettings(command, WHOLE_STORE));
    });
}

function addLinkCommand(keys: Command): void {
  addCommonOptions(keys.command('link'))
    .description('print a link with which a member signs in to the page of "acequia serve", once')
    .option('--user <id>', 'member who signs in: id or e-mail address (default: the first OWNER)')
    .option('--company <name>', 'company of the member, when the store holds several: name or id')
    .addOption(publicUrlOption())
    .addOption(hostOption())
    .addOption(portOption())
    .action(async (options, command: Command) => {
      const { runCreateSignInLink } = await import('./store-commands/sessions-run.ts');
      process.exitCode = await runCreateSignInLink(options, readSettings(command, WHOLE_STORE));
    });
}

function addSessionsCommand(keys: Command): void {
  addCommonOptions(keys.command('sessions'))
    .description(
      'list who is signed in to the page, on which device, and the links that were not used yet',
    )
    .option('--company <name>', 'only those of this company: name or id')
    .option('--json', 'print JSON')
    .action(async (options, command: Command) => {
      const { runListSessions } = await import('./store-commands/sessions-run.ts');
      process.exitCode = await runListSessions(options, readSettings(command, WHOLE_STORE));
    });
}

function addSignOutCommand(keys: Command): void {
  addCommonOptions(keys.command('sign-out'))
    .description('end a session at once, or a link that was not used yet')
    .argument(
      '<id>',
      'id of the session, from "acequia keys sessions"',
      idParser('session', 'sessions'),
    )
    .action(async (id: number, _, command: Command) => {
      const { runEndSession } = await import('./store-commands/sessions-run.ts');
      process.exitCode = await runEndSession(id, readSettings(command, WHOLE_STORE));
    });
}

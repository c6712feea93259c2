import type { Command } from 'commander';
import { expandHome } from './process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from './process/settings.ts';

const PERSON = 'e-mail address of the person, or id of a member';
const COMPANY = 'only the membership of this company: name or id';

export function addUsersCommand(program: Command): void {
  const users = addCommonOptions(program.command('users')).description(
    'write what is stored about a person into a file, or erase the person from the store',
  );

  addCommonOptions(users.command('export'))
    .description(
      'write everything that the store has about a person as JSON; secrets of keys, sessions and devices are left out',
    )
    .argument('<person>', PERSON)
    .option('--company <name>', COMPANY)
    .option('--out <file>', 'file to write (default: standard output)', expandHome)
    .action(async (person: string, options, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      const { runExportUser } = await import('./store-commands/users-run.ts');
      process.exitCode = await runExportUser(person, options, settings);
    });

  addCommonOptions(users.command('erase'))
    .description(
      'erase name, address, sessions, keys and mail of a person for good; what the person recorded stays, of a "former member"',
    )
    .argument('<person>', PERSON)
    .option('--company <name>', COMPANY)
    .option(
      '--dry-run',
      'say what would be erased, what stays and where it is named; erase nothing',
    )
    .option('--last-owner', 'erase the person even where a company is left without an OWNER')
    .action(async (person: string, options, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      const { runEraseUser } = await import('./store-commands/users-run.ts');
      process.exitCode = await runEraseUser(person, options, settings);
    });
}

import { Command, CommanderError, Help } from 'commander';
import { firstOf } from '../domain/items.ts';
import { announceMigrations, makeCopiesBeforeMigrations } from '../store/upgrade-settings.ts';
import { addBackupCommand, addRestoreCommand } from './backups/backup-command.ts';
import { areBackupsOff } from './backups/backup-settings.ts';
import { addConnectCommand } from './connect/connect-command.ts';
import { addDemoCommand } from './demo-command.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addIngestCommand } from './ingest/ingest-command.ts';
import { addInitCommand } from './init/init-command.ts';
import { addKeysCommand } from './keys-command.ts';
import { addMcpCommand, serveStdio } from './mcp/mcp-command.ts';
import { type LogLevel, lazyLog, redactSecrets } from './process/log.ts';
import { printError } from './process/output.ts';
import {
  addCommonOptions,
  ignoreBlankVariables,
  isCommonOption,
  readSettings,
} from './process/settings.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addServiceCommand } from './service/service-command.ts';
import { addCopyCommand } from './store-commands/copy-command.ts';
import { addExportCommand } from './store-commands/export-command.ts';
import { addImportCommand } from './store-commands/import-command.ts';
import { addRetainCommand } from './store-commands/retain-command.ts';
import { addTickCommand } from './store-commands/tick-command.ts';
import { addCallCommand } from './tool-commands/call-command.ts';
import { addChangesCommand } from './tool-commands/changes-command.ts';
import { addChartCommand } from './tool-commands/chart-command.ts';
import { addUsersCommand } from './users-command.ts';

const WRONG_USAGE = 2;

const COMMANDS = [
  addMcpCommand,
  addServeCommand,
  addInitCommand,
  addImportCommand,
  addExportCommand,
  addIngestCommand,
  addTickCommand,
  addBackupCommand,
  addRestoreCommand,
  addCopyCommand,
  addRetainCommand,
  addKeysCommand,
  addUsersCommand,
  addServiceCommand,
  addConnectCommand,
  addDoctorCommand,
  addCallCommand,
  addChartCommand,
  addChangesCommand,
  addDemoCommand,
];

/** The command sets the exit code of the process. */
export async function runCommandLine(words: readonly string[], version: string): Promise<void> {
  const program = newProgram(version);
  ignoreBlankVariables(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  }
}

export function newProgram(version: string): Command {
  const program = addCommonOptions(new Command('acequia'))
    .description(
      'Irrigation records and soil moisture for AI assistants: an MCP server, a REST service and their tools.',
    )
    .version(version)
    .helpCommand(true)
    .exitOverride()
    // An error quotes the command line, and an address there may hold a password.
    .configureOutput({ writeErr: (text) => printError(redactSecrets(text)) })
    .showHelpAfterError('Run "acequia --help" to see the commands and options.')
    .configureHelp({
      visibleOptions(command) {
        const options = Help.prototype.visibleOptions.call(this, command);
        return [
          ...options.filter((option) => !isCommonOption(option)),
          ...options.filter(isCommonOption),
        ];
      },
      // Keeps the order of visibleOptions; commander would take that of their declaration.
      groupItems(_, visible, getGroup) {
        const groups = new Map<string, typeof visible>();
        for (const item of visible) {
          const heading = getGroup(item);
          groups.set(heading, [...(groups.get(heading) ?? []), item]);
        }
        return groups;
      },
    })
    .action(async (_, command: Command) => {
      if (command.args.length > 0) await throwUnknownWord(command, firstOf(command.args));
      await serveStdio(readSettings(command));
    });
  for (const addCommand of COMMANDS) addCommand(program);
  // After the options, because one of them reads a file of variables.
  program.hook('preAction', (_, command) => {
    makeCopiesBeforeMigrations(!areBackupsOff());
    const log = lazyLog(command.optsWithGlobals<{ logLevel?: LogLevel }>().logLevel ?? 'warn');
    announceMigrations((migration) => {
      void log.warn({ migration }, 'upgrading the database, of which no copy is made');
    });
  });

  // So that a misspelt command is reported, not the first of its options. After the commands are
  // added, because they would inherit it.
  return program.allowExcessArguments().allowUnknownOption();
}

async function throwUnknownWord(command: Command, word: string): Promise<never> {
  const { nearestWord } = await import('../language/words/nearest-word.ts');
  const isOption = word.startsWith('-');
  const validWords = isOption
    ? command.options.flatMap(({ long }) => long ?? [])
    : command.commands.map((subcommand) => subcommand.name());
  const nearest = nearestWord(word, validWords);
  const message = `error: unknown ${isOption ? 'option' : 'command'} '${word}'`;
  if (nearest !== null) return command.error(`${message}\nDid you mean ${nearest}?`);

  return command.error(
    isOption ? message : `${message}\nThe commands are ${validWords.join(', ')}.`,
  );
}

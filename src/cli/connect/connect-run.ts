import { firstOf, itemAt } from '../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import { AcequiaError, plainInputError } from '../../schema/error.ts';
import { isMissingFile } from '../../store/store-location.ts';
import { KEY_VARIABLE } from '../process/environment.ts';
import { print, printError } from '../process/output.ts';
import { refusalLines } from '../process/refusal-in-words.ts';
import type { SettingSources, Settings } from '../process/settings.ts';
import { confirm, openTerminal } from '../process/terminal.ts';
import { findExistingEntry } from './client-entries.ts';
import {
  CLIENT_NAMES,
  type ClientFile,
  type ClientId,
  clientFiles,
  DEFAULT_ENTRY_NAME,
} from './client-files.ts';
import { backupPath, type ConfigFile, readConfigFile, replaceConfigFile } from './config-file.ts';
import { type ConnectionWords, planChange, showChange } from './entry-change.ts';
import { formatEntry } from './entry-edit.ts';
import {
  buildEntry,
  canReferToVariable,
  holdsSecretValues,
  variableOfEntry,
} from './entry-fields.ts';
import { buildLaunchCommand, type LaunchCommand } from './launch-command.ts';
import { checkTarget } from './target-check.ts';

interface ConnectOptions {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly remove?: boolean;
  /** The name of the entry. */
  readonly name?: string;
}

type ConfirmChange = (question: string, isHarmless: boolean) => Promise<boolean>;

/** A dialog that runs already, as that of "acequia init", in the language of the person. */
export interface ConnectDialog {
  readonly confirmChange: ConfirmChange;
  readonly lang: Lang;
  /** The words to type for this program. */
  readonly command: string;
}

const OWN_DIALOG: ConnectDialog = {
  confirmChange: confirmInTerminal,
  lang: DEFAULT_LANG,
  command: 'acequia',
};

export async function runConnect(
  client: ClientId,
  options: ConnectOptions,
  commandSettings: Settings,
  sources: SettingSources,
  { confirmChange, lang, command }: ConnectDialog = OWN_DIALOG,
): Promise<number> {
  const words = languageOf(lang).connection;
  try {
    const files = candidateFiles(client, options);
    const entry = firstOf(files);
    const ownKey = process.env[variableOfEntry(entry, KEY_VARIABLE)]?.trim();
    const settings = { ...commandSettings, apiKey: ownKey || commandSettings.apiKey };
    const launchCommand = (launched: Settings): LaunchCommand =>
      currentLaunchCommand(entry, launched, sources, options);
    if (options.remove)
      return exitCodeOf(await changeEntry(files, null, { options, confirmChange, words }));
    if (options.print) return printEntry(entry, launchCommand(settings));

    const { settings: checked, sayKey } = await checkTarget(settings, sources);
    const launch = launchCommand(checked);
    const notices =
      checked.remote === settings.remote
        ? []
        : [
            `The service is at ${checked.remote}, not at ${settings.remote}; the entry uses the first address.\n`,
          ];
    if (sayKey !== null) notices.push(`${sayKey(words)}\n`);
    const notice = notices.join('');
    const outcome = await changeEntry(files, launch, { options, confirmChange, words, notice });

    if (outcome === 'written' && checked.remote === null && isMissingFile(checked.db))
      print('There is no farm yet: "acequia init" asks for it, or describe it to the assistant.\n');
    return exitCodeOf(outcome);
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    printError(`${refusalLines(error, { lang, command, db: commandSettings.db }).join(' ')}\n`);
    return 1;
  }
}

type ChangeOutcome = 'unchanged' | 'shown' | 'declined' | 'written';

const exitCodeOf = (outcome: ChangeOutcome): number => (outcome === 'declined' ? 1 : 0);

interface ChangeDialog {
  readonly options: ConnectOptions;
  readonly confirmChange: ConfirmChange;
  readonly words: ConnectionWords;
  /** Printed below the change. */
  readonly notice?: string;
}

/** Shows the change, asks, and writes it. A null `launch` removes the entry. */
async function changeEntry(
  files: readonly ClientFile[],
  launch: LaunchCommand | null,
  { options, confirmChange, words, notice = '' }: ChangeDialog,
): Promise<ChangeOutcome> {
  const { file, config } = await chooseFile(files);
  const change = planChange(file, config, launch, words);
  if (change.after === change.before) {
    const say = launch === null ? words.noEntry : words.unchanged;
    print(`${say(file.client, file.path, options.name)}\n`);
    return 'unchanged';
  }

  showChange(file, config, change, words);
  if (notice !== '') print(notice);

  if (options.dryRun) return 'shown';
  if (!options.yes && !(await confirmChange(change.question, change.isHarmless))) {
    printError(`${words.declined}\n`);
    return 'declined';
  }

  const holdsSecrets = launch !== null && holdsSecretValues(file, launch);
  await replaceConfigFile(config, { text: change.after, holdsSecrets });
  printOutcome(file, config, { launch, words });
  return 'written';
}

async function confirmInTerminal(question: string): Promise<boolean> {
  const terminal = openTerminal();
  try {
    return await confirm(terminal, question);
  } finally {
    terminal.close();
  }
}

function candidateFiles(
  client: ClientId,
  { project = false, name: entryName }: ConnectOptions,
): ClientFile[] {
  const { env, platform } = process;
  const environment = { env, platform, folder: process.cwd(), entryName };
  const scope = project ? 'project' : 'user';
  const files = clientFiles(environment).filter(
    (file) => file.id === client && file.scope === scope,
  );
  if (files.length > 0) return files;

  throw plainInputError(
    'INVALID_CLIENT',
    `${CLIENT_NAMES[client]} has no file of its own for the folder ${environment.folder}.`,
    { hint: 'Leave out --project: its user file applies in every folder.' },
  );
}

function currentLaunchCommand(
  file: ClientFile,
  settings: Settings,
  sources: SettingSources,
  { project = false, name }: ConnectOptions,
): LaunchCommand {
  const { execPath, argv, env } = process;
  const launch = buildLaunchCommand(settings, sources, {
    execPath,
    env,
    program: itemAt(argv, 1),
  });
  const hasNoKey = settings.remote !== null && settings.apiKey === null;
  if (hasNoKey && !canReferToVariable(file, KEY_VARIABLE))
    throw plainInputError(
      'INVALID_CLIENT',
      `${file.client} takes the key of ${settings.remote} only from its own file.`,
      { hint: 'Set ACEQUIA_API_KEY for this command, and it is written there.' },
    );

  if (project && name === undefined && KEY_VARIABLE in launch.secrets)
    throw plainInputError(
      'INVALID_CLIENT',
      `The entries of two folders would both take their key from ${KEY_VARIABLE}.`,
      {
        hint: `Name the entry of this folder, such as --name valley-farm, and set ${KEY_VARIABLE}_VALLEY_FARM; with --name ${DEFAULT_ENTRY_NAME} it shares ${KEY_VARIABLE}.`,
      },
    );
  return launch;
}

/** Prefers the file that already has our entry, then one that exists, then the first. */
async function chooseFile(
  files: readonly ClientFile[],
): Promise<{ file: ClientFile; config: ConfigFile }> {
  const candidates = await Promise.all(
    files.map(async (file) => ({ file, config: await readConfigFile(file.path) })),
  );
  const hasOurEntry = ({ file, config }: (typeof candidates)[number]): boolean =>
    config.content !== null && findExistingEntry(file, config.content) !== null;
  return (
    candidates.find(hasOurEntry) ??
    candidates.find(({ config }) => config.content !== null) ??
    firstOf(candidates)
  );
}

function printEntry(file: ClientFile, launch: LaunchCommand): number {
  const names = Object.keys(launch.secrets).filter((name) => !canReferToVariable(file, name));
  const placeholders = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
  print(
    formatEntry(
      file,
      buildEntry(file, { ...launch, secrets: { ...launch.secrets, ...placeholders } }),
    ),
  );

  const withValues =
    names.length > 0 ? ` with your values for ${Object.values(placeholders).join(' and ')}` : '';
  printError(`For ${file.client}, put this into ${file.path}${withValues}.\n`);

  return 0;
}

function printOutcome(
  file: ClientFile,
  config: ConfigFile,
  { launch, words }: { readonly launch: LaunchCommand | null; readonly words: ConnectionWords },
): void {
  const lines = [launch === null ? words.startsNoLonger(file.client) : words.starts(file.client)];
  if (config.content !== null) lines.push(words.backup(backupPath(config.path)));

  const variables = Object.keys(launch?.secrets ?? {});
  const held = variables.filter((name) => !canReferToVariable(file, name));
  const referred = variables.filter((name) => canReferToVariable(file, name));
  const names = referred.map((name) => variableOfEntry(file, name));
  if (names.length > 0) lines.push(words.mustBeSet(names, file.client));
  if (held.length > 0) lines.push(words.holds(held));

  print(`${lines.join('\n')}\n`);
}

import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { redactedLocation } from '../../store/store-location.ts';
import {
  acequiaEntries,
  type ClientEntry,
  UnreadableFileError,
} from '../connect/client-entries.ts';
import { type ClientFile, clientFiles } from '../connect/client-files.ts';
import { clientSnippets } from '../connect/client-snippets.ts';
import { isUrl } from '../process/option-parsers.ts';
import { isSameLocation } from '../process/output-file.ts';
import { defaultDb, type Settings } from '../process/settings.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

type ActiveStore = Pick<Settings, 'db' | 'remote'>;

const finding = findingsAbout('assistants');

export async function checkClients(
  settings: ActiveStore,
  program: string,
): Promise<DoctorFinding[]> {
  const { env, platform } = process;
  const files = clientFiles({ env, platform, folder: process.cwd() });
  const findings = (
    await Promise.all(files.map((file) => checkFile(file, settings, program)))
  ).flat();
  return findings.length > 0 ? findings : [finding.good(noAssistantText(program))];
}

function noAssistantText(program: string): string {
  const { destination, text } = clientSnippets({ command: 'node', args: [program] }).find(
    ({ assistant }) => assistant === 'Claude Code',
  )!;
  return `no assistant of this user has an entry for Acequia yet; for Claude Code, ${destination}: ${text}; "acequia connect" writes it for this and other assistants`;
}

async function checkFile(
  file: ClientFile,
  settings: ActiveStore,
  program: string,
): Promise<DoctorFinding[]> {
  const { client, path, format } = file;
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (content === null || content.trim() === '') return [];

  try {
    return acequiaEntries(file, content).map((entry) =>
      checkEntry(`${client} (${path})`, entry, settings, program),
    );
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const language = format === 'toml' ? 'TOML' : 'JSON';
    const text = `${client} cannot read ${path}: it is not valid ${language} (${error.message})`;
    const advice =
      'Look for a missing comma, quote or bracket; until then it starts none of its servers.';
    return [/acequia/i.test(content) ? finding.bad(text, advice) : finding.doubtful(text, advice)];
  }
}

function checkEntry(
  where: string,
  entry: ClientEntry,
  settings: ActiveStore,
  program: string,
): DoctorFinding {
  const { command, args, isDisabled } = entry;
  if (isDisabled)
    return finding.doubtful(`${where} has Acequia disabled`, 'Enable it there to use it.');
  if (command === null)
    return finding.doubtful(
      `${where} connects to Acequia without starting it, which is not checked here`,
      `To have it start Acequia, set the command "node" with the argument ${program}.`,
    );

  const executable = findExecutable(command);
  if (executable === null)
    return finding.bad(
      `${where} starts ${redact(command)}, which does not exist`,
      `Use an existing program, such as ${process.execPath}, with the argument ${program}.`,
    );

  const script = args.find((arg) => /\.[cm]?js$/.test(arg));
  if (script !== undefined && !isAbsolute(script))
    return finding.doubtful(
      `${where} starts ${script}, a path that depends on where it is started`,
      `Write ${program}.`,
    );

  if (script !== undefined && !existsSync(script))
    return finding.bad(`${where} starts ${script}, which does not exist`, `Use ${program}.`);

  const target = script ?? (/^acequia/.test(basename(command)) ? executable : null);
  if (target !== null && realpathSync(target) !== realpathSync(program))
    return finding.doubtful(
      `${where} starts another copy of Acequia, ${target}`,
      `If you mean this one, use ${program}.`,
    );

  return checkEntryStore(where, entry, settings);
}

function checkEntryStore(
  where: string,
  entry: ClientEntry,
  { db, remote }: ActiveStore,
): DoctorFinding {
  const service = entrySetting(entry, '--remote', 'ACEQUIA_REMOTE_URL');
  const store = entrySetting(entry, '--db', 'ACEQUIA_DB');
  if (service !== null && store === null) {
    if (service === remote)
      return finding.good(`${where} starts this Acequia, on the same service`);
    return finding.doubtful(
      `${where} uses a service, not the store or service checked here`,
      'If that is intended, all is well; otherwise remove --remote and ACEQUIA_REMOTE_URL there.',
    );
  }

  const file = store ?? defaultDb();
  if (!isAbsolute(file) && !isUrl(file))
    return finding.doubtful(
      `${where} names the store ${redact(file)}, a path that depends on where it is started`,
      `Use an absolute path, such as ${redactedLocation(db)}.`,
    );

  if (remote !== null || !isSameLocation(file, db)) {
    const used = `${redact(file)}${store === null ? ' (the default)' : ''}`;
    const checked = remote === null ? redactedLocation(db) : 'the service checked here';
    return finding.doubtful(
      `${where} uses the store ${used}, not ${checked}`,
      'If that is intended, all is well; otherwise name the store there with --db.',
    );
  }

  return finding.good(`${where} starts this Acequia, on this store`);
}

/** Some people write a whole assignment, or an address with a password, as the path. */
const redact = (text: string): string => text.replace(/\S+=\S*|\/\/\S*@|acequia_[\w-]{16,}/g, '…');

function entrySetting({ args, env }: ClientEntry, option: string, variable: string): string | null {
  const assignment = args.find((arg) => arg.startsWith(`${option}=`));
  if (assignment !== undefined) return assignment.slice(option.length + 1);
  const index = args.indexOf(option);
  if (index >= 0) return args[index + 1] ?? null;
  const value = env[variable];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function findExecutable(command: string): string | null {
  if (isAbsolute(command)) return existsSync(command) ? command : null;

  const windowsEndings = (process.env.PATHEXT ?? '.EXE;.CMD').split(';');
  const endings = process.platform === 'win32' ? ['', ...windowsEndings] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) =>
    endings.map((ending) => join(folder, command + ending)),
  );
  return paths.find((path) => existsSync(path)) ?? null;
}

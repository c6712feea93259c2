import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { redactedLocation } from '../../store/store-location.ts';
import { acequiaEntries, type ClientEntry, UnreadableFileError } from '../connect/client-entries.ts';
import { type ClientFile, clientFiles } from '../connect/client-files.ts';
import { clientSnippets } from '../connect/client-snippets.ts';
import { isUrl } from '../process/option-parsers.ts';
import { defaultDb, type Settings } from '../process/settings.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

type ActiveStore = Pick<Settings, 'db' | 'remote'>;

const finding = findingsAbout('assistants');

/**
 * Whether the assistants of this user that know of Acequia can start it, and start this program on this store. Of the
 * files that are looked at nothing is shown but what speaks of Acequia, and of that no secret.
 */
export async function checkClients(settings: ActiveStore, program: string): Promise<DoctorFinding[]> {
  const { env, platform } = process;
  const files = clientFiles({ env, platform, folder: process.cwd() });
  const findings = (await Promise.all(files.map((file) => checkFile(file, settings, program)))).flat();
  return findings.length > 0 ? findings : [finding.good(noAssistantText(program))];
}

function noAssistantText(program: string): string {
  const { destination, text } = clientSnippets({ command: 'node', args: [program] }).find(
    ({ assistant }) => assistant === 'Claude Code',
  )!;
  return `no assistant here is told of Acequia yet; for Claude Code, ${destination}: ${text}; "acequia connect" writes it there, and for others`;
}

async function checkFile(file: ClientFile, settings: ActiveStore, program: string): Promise<DoctorFinding[]> {
  const { client, path, format } = file;
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (content === null || content.trim() === '') return [];
  try {
    return acequiaEntries(file, content).map((entry) => checkEntry(`${client} (${path})`, entry, settings, program));
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const what = `${client} cannot read ${path}: it is no ${format === 'toml' ? 'TOML' : 'JSON'} (${error.message})`;
    const advice = 'Look for a missing comma, quote or bracket; until then none of its servers is started.';
    return [/acequia/i.test(content) ? finding.bad(what, advice) : finding.doubtful(what, advice)];
  }
}

function checkEntry(where: string, entry: ClientEntry, settings: ActiveStore, program: string): DoctorFinding {
  const { command, args, isDisabled } = entry;
  if (isDisabled) return finding.doubtful(`${where} has Acequia switched off`, 'Switch it on there to use it.');
  if (command === null)
    return finding.doubtful(
      `${where} reaches Acequia without starting it, which is not looked at here`,
      `To have it started, give it the command "node" with the argument ${program}.`,
    );
  const started = findExecutable(command);
  if (started === null)
    return finding.bad(
      `${where} starts ${redact(command)}, which is not there`,
      `Name a program that is, such as ${process.execPath}, with the argument ${program}.`,
    );
  const script = args.find((arg) => /\.[cm]?js$/.test(arg));
  if (script !== undefined && !isAbsolute(script))
    return finding.doubtful(
      `${where} starts ${script}, a path that depends on where it is started`,
      `Write ${program}.`,
    );
  if (script !== undefined && !existsSync(script))
    return finding.bad(`${where} starts ${script}, which is not there`, `Write ${program}.`);
  const target = script ?? (/^acequia/.test(basename(command)) ? started : null);
  if (target !== null && realpathSync(target) !== realpathSync(program))
    return finding.doubtful(
      `${where} starts another copy of Acequia, ${target}`,
      `If this one is meant, write ${program}.`,
    );
  return checkEntryStore(where, entry, settings);
}

/** Whether what is started works where this doctor has looked. */
function checkEntryStore(where: string, entry: ClientEntry, { db, remote }: ActiveStore): DoctorFinding {
  const service = entrySetting(entry, '--remote', 'ACEQUIA_REMOTE_URL');
  const store = entrySetting(entry, '--db', 'ACEQUIA_DB');
  if (service !== null && store === null) {
    if (service === remote) return finding.good(`${where} starts this Acequia, on the same service`);
    return finding.doubtful(
      `${where} works with a service, not with what is looked at here`,
      'If that is meant, all is well; else take --remote and ACEQUIA_REMOTE_URL out of it.',
    );
  }
  const file = store ?? defaultDb();
  if (!isAbsolute(file) && !isUrl(file))
    return finding.doubtful(
      `${where} names the store ${redact(file)}, a path that depends on where it is started`,
      `Write the whole path, such as ${redactedLocation(db)}.`,
    );
  if (remote !== null || !isSameFile(file, db))
    return finding.doubtful(
      `${where} works on the store ${redact(file)}${store === null ? ' (the default)' : ''}, not on ${remote === null ? redactedLocation(db) : 'the service that is looked at here'}`,
      'If that is meant, all is well; else name the store there with --db.',
    );
  return finding.good(`${where} starts this Acequia, on this store`);
}

/** Without what may be a secret: some write a whole line, or an address with a password, where a path belongs. */
const redact = (text: string): string => text.replace(/\S+=\S*|\/\/\S*@|acequia_[\w-]{16,}/g, '…');

/** A setting on the line of an entry, else in its environment; null where it has none. */
function entrySetting({ args, env }: ClientEntry, option: string, variable: string): string | null {
  const joined = args.find((arg) => arg.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const place = args.indexOf(option);
  if (place >= 0) return args[place + 1] ?? null;
  const value = env[variable];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The file that a command starts, by its path or by PATH; null where there is none. */
function findExecutable(command: string): string | null {
  if (isAbsolute(command)) return existsSync(command) ? command : null;
  const endings = process.platform === 'win32' ? ['', ...(process.env.PATHEXT ?? '.EXE;.CMD').split(';')] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, command + ending)));
  return places.find((place) => existsSync(place)) ?? null;
}

function isSameFile(a: string, b: string): boolean {
  return a === b || (existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b));
}

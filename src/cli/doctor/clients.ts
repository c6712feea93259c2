import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { shownPlace } from '../../store/address.ts';
import { connections } from '../demo/connect.ts';
import { defaultDb, isUrl, type Settings } from '../settings.ts';
import { acequiaEntries, type Entry, Unreadable } from './client-entries.ts';
import { type ClientFile, clientFiles } from './client-files.ts';
import { type Finding, findingsOn } from './finding.ts';

type Worked = Pick<Settings, 'db' | 'remote'>;

const found = findingsOn('assistants');

/**
 * Whether the assistants of this user that know of Acequia can start it, and start this program on this store. Of the
 * files that are looked at nothing is shown but what speaks of Acequia, and of that no secret.
 */
export async function checkClients(settings: Worked, program: string): Promise<Finding[]> {
  const { env, platform } = process;
  const files = clientFiles({ env, platform, folder: process.cwd() });
  const findings = (await Promise.all(files.map((file) => checkFile(file, settings, program)))).flat();
  return findings.length > 0 ? findings : [found.good(unconnected(program))];
}

function unconnected(program: string): string {
  const { where, text } = connections({ command: 'node', args: [program] }).find(
    ({ assistant }) => assistant === 'Claude Code',
  )!;
  return `no assistant here is told of Acequia yet; for Claude Code, ${where}: ${text}; "acequia connect" writes it there, and for others`;
}

async function checkFile(file: ClientFile, settings: Worked, program: string): Promise<Finding[]> {
  const { client, path, format } = file;
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (content === null || content.trim() === '') return [];
  try {
    return acequiaEntries(file, content).map((entry) => checkEntry(`${client} (${path})`, entry, settings, program));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const what = `${client} cannot read ${path}: it is no ${format === 'toml' ? 'TOML' : 'JSON'} (${error.message})`;
    const advice = 'Look for a missing comma, quote or bracket; until then none of its servers is started.';
    return [/acequia/i.test(content) ? found.bad(what, advice) : found.doubtful(what, advice)];
  }
}

function checkEntry(where: string, entry: Entry, settings: Worked, program: string): Finding {
  const { command, args, isOff } = entry;
  if (isOff) return found.doubtful(`${where} has Acequia switched off`, 'Switch it on there to use it.');
  if (command === null)
    return found.doubtful(
      `${where} reaches Acequia without starting it, which is not looked at here`,
      `To have it started, give it the command "node" with the argument ${program}.`,
    );
  const started = programOf(command);
  if (started === null)
    return found.bad(
      `${where} starts ${shown(command)}, which is not there`,
      `Name a program that is, such as ${process.execPath}, with the argument ${program}.`,
    );
  const script = args.find((arg) => /\.[cm]?js$/.test(arg));
  if (script !== undefined && !isAbsolute(script))
    return found.doubtful(`${where} starts ${script}, a path that depends on where it is started`, `Write ${program}.`);
  if (script !== undefined && !existsSync(script))
    return found.bad(`${where} starts ${script}, which is not there`, `Write ${program}.`);
  const target = script ?? (/^acequia/.test(basename(command)) ? started : null);
  if (target !== null && realpathSync(target) !== realpathSync(program))
    return found.doubtful(
      `${where} starts another copy of Acequia, ${target}`,
      `If this one is meant, write ${program}.`,
    );
  return checkPlace(where, entry, settings);
}

/** Whether what is started works where this doctor has looked. */
function checkPlace(where: string, entry: Entry, { db, remote }: Worked): Finding {
  const service = settingOf(entry, '--remote', 'ACEQUIA_REMOTE_URL');
  const store = settingOf(entry, '--db', 'ACEQUIA_DB');
  if (service !== null && store === null) {
    if (service === remote) return found.good(`${where} starts this Acequia, on the same service`);
    return found.doubtful(
      `${where} works with a service, not with what is looked at here`,
      'If that is meant, all is well; else take --remote and ACEQUIA_REMOTE_URL out of it.',
    );
  }
  const file = store ?? defaultDb();
  if (!isAbsolute(file) && !isUrl(file))
    return found.doubtful(
      `${where} names the store ${shown(file)}, a path that depends on where it is started`,
      `Write the whole path, such as ${shownPlace(db)}.`,
    );
  if (remote !== null || !isSamePlace(file, db))
    return found.doubtful(
      `${where} works on the store ${shown(file)}${store === null ? ' (the default)' : ''}, not on ${remote === null ? shownPlace(db) : 'the service that is looked at here'}`,
      'If that is meant, all is well; else name the store there with --db.',
    );
  return found.good(`${where} starts this Acequia, on this store`);
}

/** Without what may be a secret: some write a whole line, or an address with a password, where a path belongs. */
const shown = (text: string): string => text.replace(/\S+=\S*|\/\/\S*@|acequia_[\w-]{16,}/g, '…');

/** A setting on the line of an entry, else in its environment; null where it has none. */
function settingOf({ args, env }: Entry, option: string, variable: string): string | null {
  const joined = args.find((arg) => arg.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const place = args.indexOf(option);
  if (place >= 0) return args[place + 1] ?? null;
  const said = env[variable];
  return typeof said === 'string' && said.trim() !== '' ? said : null;
}

/** The file that a command starts, by its path or by PATH; null where there is none. */
function programOf(command: string): string | null {
  if (isAbsolute(command)) return existsSync(command) ? command : null;
  const endings = process.platform === 'win32' ? ['', ...(process.env.PATHEXT ?? '.EXE;.CMD').split(';')] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, command + ending)));
  return places.find((place) => existsSync(place)) ?? null;
}

function isSamePlace(a: string, b: string): boolean {
  return a === b || (existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b));
}

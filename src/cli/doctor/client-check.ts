import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { quote } from '../../domain/strings.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { UnreadableFileError } from '../connect/client-document.ts';
import { acequiaEntries, type ClientEntry } from '../connect/client-entries.ts';
import { type ClientFile, clientFiles, DEFAULT_ENTRY_NAME } from '../connect/client-files.ts';
import { claudeCodeSnippet } from '../connect/client-snippets.ts';
import { backupPath } from '../connect/config-file.ts';
import { entryTarget } from '../connect/entry-target.ts';
import { findExecutable } from '../connect/executable.ts';
import { isUrl } from '../process/option-parsers.ts';
import { isSameLocation } from '../process/output-file.ts';
import { defaultDb, type Settings } from '../process/settings.ts';
import { findStartProblem } from './client-start.ts';
import { checkAccessToKey } from './file-access-check.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/** The store or service that this run of the doctor checks. */
type CheckedTarget = Pick<Settings, 'db' | 'remote'>;

const newFinding = findingsAbout('assistants');

/** `program` is the path of this copy of Acequia. */
export async function checkClients(
  checked: CheckedTarget,
  program: string,
): Promise<DoctorFinding[]> {
  const { env, platform } = process;
  const files = clientFiles({ env, platform, folder: process.cwd() });
  const findings: DoctorFinding[] = [];
  for (const file of files) findings.push(...(await checkFile(file, checked, program)));
  return findings.length > 0 ? findings : [newFinding.good(noClientText(program))];
}

function noClientText(program: string): string {
  const { destination, text } = claudeCodeSnippet({ command: 'node', args: [program] });
  return `no assistant of this user has an entry for Acequia yet; for Claude Code, ${destination}: ${text}; "acequia connect" writes it for this and other assistants`;
}

async function checkFile(
  file: ClientFile,
  checked: CheckedTarget,
  program: string,
): Promise<DoctorFinding[]> {
  const { path } = file;
  const content = await readIfExists(path);
  const backup = backupPath(path);
  const openKeys = [
    ...(holdsKey(content) ? checkAccessToKey(path) : []),
    ...(holdsKey(await readIfExists(backup)) ? checkAccessToKey(backup) : []),
  ];
  return [...(await checkEntries(file, content, checked, program)), ...openKeys];
}

const readIfExists = async (path: string): Promise<string> => {
  try {
    const stats = await stat(path);
    // A pipe might be read without end.
    return stats.isFile() || stats.isDirectory() ? await readFile(path, 'utf8') : '';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw error;
  }
};

const holdsKey = (content: string): boolean => /acequia_[\w-]{43}/.test(content);

async function checkEntries(
  file: ClientFile,
  content: string,
  checked: CheckedTarget,
  program: string,
): Promise<DoctorFinding[]> {
  const { client, path, format } = file;
  if (content.trim() === '') return [];

  try {
    const findings: DoctorFinding[] = [];
    for (const entry of acequiaEntries(file, content)) {
      const name = entry.name === DEFAULT_ENTRY_NAME ? '' : `, entry ${quote(entry.name)}`;
      const where = `${client}${name} (${path})`;
      const finding = checkEntry(where, entry, checked, program);
      findings.push((await findFailedStart(where, entry, finding, program)) ?? finding);
    }
    return findings;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const language = format === 'toml' ? 'TOML' : 'JSON';
    const text = `${client} cannot read ${path}: it is not valid ${language} (${error.message})`;
    const advice =
      'Look for a missing comma, quote or bracket; until then it starts none of its servers.';
    const mentionsAcequia = /acequia/i.test(content);
    return [mentionsAcequia ? newFinding.bad(text, advice) : newFinding.doubtful(text, advice)];
  }
}

/** Null where the entry is not startable at all, which `finding` says. */
async function findFailedStart(
  where: string,
  entry: ClientEntry,
  { level }: DoctorFinding,
  program: string,
): Promise<DoctorFinding | null> {
  if (level === 'bad' || entry.isDisabled || entry.command === null) return null;
  const executable = findExecutable(entry.command);
  const problem = executable === null ? null : await findStartProblem(executable, entry, program);
  if (problem === null) return null;
  return newFinding.bad(
    `${where} starts Acequia, but no tool works: ${problem.what}`,
    problem.advice ?? '',
  );
}

function checkEntry(
  where: string,
  entry: ClientEntry,
  checked: CheckedTarget,
  program: string,
): DoctorFinding {
  const { command, args, isDisabled } = entry;
  if (isDisabled)
    return newFinding.doubtful(`${where} has Acequia disabled`, 'Enable it there to use it.');
  if (command === null)
    return newFinding.doubtful(
      `${where} connects to Acequia without starting it, which is not checked here`,
      `To have it start Acequia, set the command "node" with the argument ${program}.`,
    );

  const executable = findExecutable(command);
  if (executable === null)
    return newFinding.bad(
      `${where} starts ${redact(command)}, which does not exist`,
      `Use an existing program, such as ${process.execPath}, with the argument ${program}.`,
    );

  const script = args.find((arg) => /\.[cm]?js$/.test(arg));
  if (script !== undefined && !isAbsolute(script))
    return newFinding.doubtful(
      `${where} starts ${script}, a path that depends on where it is started`,
      `Write ${program}.`,
    );

  if (script !== undefined && !existsSync(script))
    return newFinding.bad(`${where} starts ${script}, which does not exist`, `Use ${program}.`);

  const launched = script ?? executableOfAcequia(executable);
  if (launched !== null && realpathSync(launched) !== realpathSync(program))
    return newFinding.doubtful(
      `${where} starts another copy of Acequia, ${launched}`,
      `If you mean this one, use ${program}.`,
    );

  return checkEntryTarget(where, entry, checked);
}

/** Null for a launcher such as npx, which chooses the copy of Acequia itself. */
const executableOfAcequia = (executable: string): string | null =>
  /^acequia/.test(basename(executable)) ? executable : null;

function checkEntryTarget(
  where: string,
  entry: ClientEntry,
  { db, remote }: CheckedTarget,
): DoctorFinding {
  const { service, store } = entryTarget(entry);
  if (service !== null) {
    if (service === remote)
      return newFinding.good(`${where} starts this Acequia, on the same service`);
    return newFinding.doubtful(
      `${where} uses a service, not the store or service checked here`,
      'If that is intended, all is well; otherwise remove --remote and ACEQUIA_REMOTE_URL there.',
    );
  }

  const file = store ?? defaultDb();
  if (!isAbsolute(file) && !isUrl(file))
    return newFinding.doubtful(
      `${where} names the store ${redact(file)}, a path that depends on where it is started`,
      `Use an absolute path, such as ${redactedLocation(db)}.`,
    );

  if (remote !== null || !isSameLocation(file, db)) {
    const used = `${redact(file)}${store === null ? ' (the default)' : ''}`;
    const checked = remote === null ? redactedLocation(db) : 'the service checked here';
    return newFinding.doubtful(
      `${where} uses the store ${used}, not ${checked}`,
      'If that is intended, all is well; otherwise name the store there with --db.',
    );
  }

  return newFinding.good(`${where} starts this Acequia, on this store`);
}

/** Some people write a whole assignment, or an address with a password, as the path. */
const redact = (text: string): string =>
  text.replace(/\S+/g, (word) => {
    if (word.lastIndexOf('=') > 0) return '…';
    const [user, host] = [word.indexOf('//'), word.lastIndexOf('@')];
    const address =
      user < 0 || host < user ? word : `${word.slice(0, user)}…${word.slice(host + 1)}`;
    return address.replace(/acequia_[\w-]{16,}/g, '…');
  });

import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { ClientEntry } from '../connect/client-entries.ts';
import { passedValue, referredNames } from '../connect/entry-fields.ts';
import type { Environment } from '../process/environment.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

// Clients pass these variables on to every server. Source: getDefaultEnvironment of
// @modelcontextprotocol/client.
const UNIX_VARIABLES = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const WINDOWS_VARIABLES = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];
const INHERITED_VARIABLES = process.platform === 'win32' ? WINDOWS_VARIABLES : UNIX_VARIABLES;

/** A bad finding about one of these keeps every tool from working. */
const NEEDED_SUBJECTS = ['configuration', 'store', 'service', 'key', 'tools', 'check'];

const MAX_START_MS = 10_000;

/**
 * Runs `acequia doctor`, which writes nothing, with the command, options and environment with which
 * the client starts the entry. Returns what keeps its tools from working, or null; null also for an
 * entry that does not start this program as a server.
 */
export async function findStartProblem(
  executable: string,
  entry: ClientEntry,
  program: string,
): Promise<DoctorFinding | null> {
  const words = [executable, ...entry.args];
  const programIndex = words.findIndex((word) => isProgram(word, program));
  if (programIndex < 0) return null;

  const options = words.slice(programIndex + 1);
  if (options[0] === 'mcp') options.shift();
  const isOtherCommand = options[0] !== undefined && !options[0].startsWith('-');
  if (isOtherCommand) return null;

  const nodeArgs = words.slice(1, programIndex + 1);
  const args = [...nodeArgs, 'doctor', '--json', '--no-assistants', ...options];
  const findings = await runDoctor(executable, args, entryEnvironment(entry, process.env));
  const problem = findings.find(
    ({ level, subject }) => level === 'bad' && NEEDED_SUBJECTS.includes(subject),
  );
  if (problem === undefined) return null;

  const unset = referredVariables(entry).filter((name) => !process.env[name]);
  if (unset.length === 0) return problem;
  const hint = `The entry refers to ${unset.join(' and ')}, which ${unset.length === 1 ? 'is' : 'are'} not set here.`;
  return { ...problem, advice: `${hint} ${problem.advice ?? ''}`.trimEnd() };
}

const isProgram = (word: string, program: string): boolean =>
  isAbsolute(word) && existsSync(word) && realpathSync(word) === realpathSync(program);

function runDoctor(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<readonly DoctorFinding[]> {
  const options = { env, cwd: homedir(), timeout: MAX_START_MS, killSignal: 'SIGKILL' } as const;
  const { bad } = findingsAbout('check');
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout).findings);
      } catch {
        const limit = error?.killed ? ` within ${MAX_START_MS / 1000} s` : '';
        const reason = stderr.split('\n').find((line) => /error/i.test(line));
        const what = `it gave no answer${limit}${reason === undefined ? '' : ` (${reason.trim()})`}`;
        resolve([bad(what, 'Run "acequia connect" again to write the entry anew.')]);
      }
    });
  });
}

function entryEnvironment({ client, env, passedVariables }: ClientEntry, outer: Environment) {
  const variables: Record<string, string> = {};
  for (const name of [...INHERITED_VARIABLES, ...passedVariables]) {
    const value = outer[name];
    if (value !== undefined) variables[name] = value;
  }
  for (const [name, value] of Object.entries(env))
    if (typeof value === 'string') variables[name] = passedValue(client, value, outer);
  return variables;
}

const referredVariables = ({ client, env, passedVariables }: ClientEntry): string[] => [
  ...passedVariables,
  ...Object.values(env).flatMap((value) =>
    typeof value === 'string' ? referredNames(client, value) : [],
  ),
];

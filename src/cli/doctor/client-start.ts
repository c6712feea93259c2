import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { ClientEntry } from '../connect/client-entries.ts';
import { passedValue, referredNames } from '../connect/entry-fields.ts';
import type { Environment } from '../process/environment.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/** Clients pass these on to every server. Source: the MCP SDK, getDefaultEnvironment. */
const PASSED_VARIABLES = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'SYSTEMDRIVE', 'SYSTEMROOT'],
  ...['TEMP', 'USERNAME', 'USERPROFILE'],
];

/** With a bad finding on one of these, no tool works. */
const NEEDED_SUBJECTS = ['configuration', 'store', 'service', 'key', 'tools', 'check'];

const MAX_START_MS = 10_000;

/**
 * Starts the entry as its client would, but for the doctor's checks, which write nothing. Returns
 * what keeps tools from working, and null for an entry of another program.
 */
export async function findStartProblem(
  executable: string,
  entry: ClientEntry,
  program: string,
): Promise<DoctorFinding | null> {
  const words = [executable, ...entry.args];
  const index = words.findIndex((word) => isProgram(word, program));
  const options = words.slice(index + 1);
  if (options[0] === 'mcp') options.shift();
  if (index < 0 || (options[0] !== undefined && !options[0].startsWith('-'))) return null;

  const args = [...words.slice(1, index + 1), 'doctor', '--json', '--no-assistants', ...options];
  const findings = await runDoctor(executable, args, startEnvironment(entry, process.env));
  const problem = findings.find(
    ({ level, subject }) => level === 'bad' && NEEDED_SUBJECTS.includes(subject),
  );
  if (problem === undefined) return null;

  const unset = referredVariables(entry).filter((name) => !process.env[name]);
  const advice =
    unset.length > 0 ? `The entry refers to ${unset.join(' and ')}, not set here. ` : '';
  return { ...problem, advice: `${advice}${problem.advice ?? ''}` };
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

function startEnvironment({ client, env, passedVariables }: ClientEntry, outer: Environment) {
  const variables: Record<string, string> = {};
  for (const name of [...PASSED_VARIABLES, ...passedVariables]) {
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

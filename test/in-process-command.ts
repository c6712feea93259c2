import { Readable } from 'node:stream';
import { runCommandLine } from '../src/cli/command-line.ts';
import { type CommandOptions, type CommandResult, cleanEnv } from './acceptance/program.ts';

export type InProcessOptions = Pick<CommandOptions, 'env' | 'cwd'> & {
  /** The parts of a sequence are read one after the other, once the command reads. */
  readonly input?: string | AsyncIterable<string>;
  /** A person answers, who can be asked again. */
  readonly isTerminal?: boolean;
};

/**
 * Runs a command to its end from the source, in this process and one at a time. Not for a command
 * that a signal ends, that reads a file which the build renders, or that logs.
 */
export async function runInProcess(
  words: readonly string[],
  { env = {}, cwd = process.cwd(), input = '', isTerminal = false }: InProcessOptions = {},
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const { exitCode } = process;
  const stdin = Readable.from(typeof input === 'string' ? [input] : input);
  if (isTerminal) Object.assign(stdin, { isTTY: true });
  const restore = [
    // Copies are made by a program that the build makes.
    replaceEnvironment({ ...cleanEnv, ACEQUIA_BACKUPS: 'off', ...env }),
    enterFolder(cwd),
    replaceProperty(process, 'stdin', stdin),
    ...(['stdout', 'stderr'] as const).map((stream) =>
      replaceProperty(process[stream], 'write', (text: string, done?: () => void) => {
        output[stream] += text;
        done?.();
        return true;
      }),
    ),
  ];
  process.exitCode = undefined;
  try {
    await runCommandLine(words, '0.0.0');
    return { code: Number(process.exitCode ?? 0), signal: null, ...output };
  } finally {
    process.exitCode = exitCode;
    for (const each of restore) each();
  }
}

function replaceEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const assign = (values: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env))
      if (!Object.hasOwn(values, name)) delete process.env[name];
    Object.assign(process.env, values);
  };
  assign(env);
  return () => assign(before);
}

function enterFolder(folder: string): () => void {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
}

function replaceProperty<T extends object>(owner: T, name: keyof T, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (before) Object.defineProperty(owner, name, before);
    else delete owner[name];
  };
}

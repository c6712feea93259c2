import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterTest } from '../cleanup.ts';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** ACEQUIA_BINARY names another build. */
export const BINARY = process.env.ACEQUIA_BINARY ?? join(REPOSITORY, 'dist', 'acequia.js');
if (!existsSync(BINARY)) throw new Error(`There is no ${BINARY}: run "npm run build" first.`);

/** 12:00 in Europe/Paris. */
export const CLOCK = '2026-07-01T10:00:00Z';

export type { Json } from '../tool-results.ts';

export const cleanEnv: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(ACEQUIA_|XDG_|CLAUDE_|CODEX_|APPDATA$)/.test(name) || value === undefined
      ? []
      : [[name, value]],
  ),
);

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const CLEAN_EXIT = { code: 0, signal: null, stderr: '' };

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<CommandResult>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<CommandResult>;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Shell commands that run first in the same process, such as `ulimit -f 8`. */
  readonly prefix?: string;
  /** Kills the process after the test, or after all tests of the file. */
  readonly after?: typeof afterTest;
}

/** Starts the program in a clean environment. */
export function startCommand(
  args: readonly string[],
  { env = {}, cwd, prefix, after = afterTest }: CommandOptions = {},
): RunningCommand {
  const line = [process.execPath, BINARY, ...args] as const;
  const options = { env: { ...cleanEnv, ...env }, cwd };
  const child =
    prefix === undefined
      ? spawn(line[0], line.slice(1), options)
      : spawn('bash', ['-c', `${prefix}; exec "$0" "$@"`, ...line], options);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // Some tests write to a process that has ended.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const stop = (): Promise<CommandResult> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, stdout: () => stdout, stderr: () => stderr, ended, stop };
}

/** Other tests on the machine may hold the event loop of a service. */
export const withoutHeldLoop = (stderr: string): string =>
  stderr.replace(/^.*"msg":"the event loop was held".*\n/gm, '');

/** Runs the program to its end, with this standard input. */
export function runCommand(
  args: readonly string[],
  { input = '', ...options }: CommandOptions & { readonly input?: string } = {},
): Promise<CommandResult> {
  const { child, ended } = startCommand(args, options);
  child.stdin.end(input);
  return ended;
}

/** Runs the program to its end; throws unless it succeeds. */
export async function runProgram(...args: string[]): Promise<CommandResult> {
  const result = await runCommand(args);
  if (result.code !== 0)
    throw new Error(`${args.join(' ')} ended with ${result.code}: ${result.stderr}`);
  return result;
}

/** Waits until the test times out. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}

/** Throws once the process has ended: the condition would never become true. */
export async function waitWhileRunning(
  { child, stderr }: RunningCommand,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  await waitUntil(async () => {
    if (await condition()) return true;
    if (child.exitCode === null && child.signalCode === null) return false;
    throw new Error(`The program ended: ${stderr().slice(-500)}`);
  });
}

/**
 * A port for a server that restarts at the same address. Linux assigns ports from 32768 up, so
 * another process might get such a port while the server is down.
 */
export async function portForRestarts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterTest } from '../cleanup.ts';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** ACEQUIA_BINARY names another build. */
export const BINARY = process.env.ACEQUIA_BINARY ?? join(REPOSITORY, 'dist', 'acequia.js');
if (!existsSync(BINARY)) throw new Error(`There is no ${BINARY}: run "npm run build" first.`);

/** 12:00 in Europe/Paris. */
export const CLOCK = '2026-07-01T10:00:00Z';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape from another process
export type Json = any;

export const cleanEnv: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^(ACEQUIA_|XDG_|CLAUDE_|CODEX_|APPDATA$)/.test(name) || value === undefined ? [] : [[name, value]],
  ),
);

export const runProgram = (...args: string[]) => promisify(execFile)(process.execPath, [BINARY, ...args]);

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
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export function startCommand(args: readonly string[], { env = {}, cwd }: CommandOptions = {}): RunningCommand {
  const child = spawn(process.execPath, [BINARY, ...args], { env: { ...cleanEnv, ...env }, cwd });
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
  afterTest(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

export function runCommand(
  args: readonly string[],
  { input = '', ...options }: CommandOptions & { readonly input?: string } = {},
): Promise<CommandResult> {
  const { child, ended } = startCommand(args, options);
  child.stdin.end(input);
  return ended;
}

/** A wait in vain ends with the time limit of the test. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterTest } from '../../cleanup.ts';
import { fillOutboxAt } from '../../outbox-farm.ts';
import { executeStatements, newLocation, rowsOf } from '../../stores/stores.ts';
import { BINARY } from '../program.ts';

/** A store with so many messages that wait, for one test. */
export async function storeWithWaitingMail(count: number): Promise<string> {
  const { db, remove } = await newLocation();
  afterTest(remove);
  await fillOutboxAt(db, count);
  return db;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command on a store, with what the environment says of mail and nothing else of ours. */
export function startCommand(
  command: 'tick' | 'mcp' | 'serve',
  db: string,
  extraEnv: Record<string, string> = {},
  ...options: readonly string[]
) {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_'));
  const env = { ...Object.fromEntries(others), ...extraEnv };
  const child = spawn(process.execPath, [BINARY, command, '--db', db, ...options], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const ended: Promise<ProcessResult> = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    stdout,
    stderr,
  }));
  afterTest(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Runs `acequia tick` to its end. */
export const runTickCommand = (
  db: string,
  env: Record<string, string> = {},
  ...args: string[]
): Promise<ProcessResult> => startCommand('tick', db, env, ...args).ended;

export interface OutboxRow {
  readonly id: string;
  readonly to_address: string;
  readonly state: string;
  readonly message_id: string | null;
  readonly tries: number;
  readonly next_try_at: number;
  readonly last_answer: string | null;
  readonly sent_at: number | null;
}

/** What stands in the outbox, oldest first. */
export const outboxRows = (db: string): Promise<OutboxRow[]> =>
  rowsOf(
    db,
    'select id, to_address, state, message_id, tries, next_try_at, last_answer, sent_at from outbox order by seq',
  );

/** As if time went by: pauses are over, and the lease of a process that died has run out. */
export const expirePauses = (db: string): Promise<void> =>
  executeStatements(db, 'update outbox set next_try_at = 0', "delete from leases where name = 'outbox'");

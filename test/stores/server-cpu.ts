import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/store/tables.ts';
import { isOnPostgres } from './stores.ts';

/** Not of a server on another machine, and only on Linux; SQLite has none. */
export const isServerCpuKnown: boolean =
  !isOnPostgres || (process.platform === 'linux' && !process.env.ACEQUIA_TEST_PG);

/** Linux counts the processor time of a process in these. */
const MS_PER_TICK = 10;

/**
 * Returns how many ms the process of the server that runs this transaction has used since, also
 * after its end. On SQLite, all the work is done in our own process.
 */
export async function serverCpuSince(all: Kysely<Tables>): Promise<() => Promise<number>> {
  if (!isOnPostgres) return async () => 0;
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(all);
  const before = await cpuMsOf(rows[0]!.pid);
  return async () => (await cpuMsOf(rows[0]!.pid)) - before;
}

/** The program's name in parentheses may contain spaces, so fields are counted after it. */
async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BOUNDED_THINGS } from '../../../src/domain/shares/bounded-things.ts';
import { isOnPostgres } from '../../stores/stores.ts';

const bench = fileURLToPath(new URL('../../../bench/shares.mjs', import.meta.url));

/** The limit of one step of others, and of a call during an attack. */
const STEP_MS = 250;
const P99_MS = 1_000;

/**
 * The load mix opens pages. Connections of the store are taken by attacks on reads and
 * writes, and turns of jobs are tested by their order.
 */
const ATTACKED_ELSEWHERE = ['pageStreams', 'storeReaders', 'storeWriters', 'jobs'];

interface Measured {
  readonly thing: string;
  readonly way: string;
  readonly idle: { readonly p50: number; readonly p99: number };
  readonly attacked: {
    readonly p50: number;
    readonly p99: number;
    readonly statuses: Readonly<Record<string, number>>;
  };
}

async function measured(): Promise<Measured[]> {
  const argv = [bench, ...(isOnPostgres ? ['postgres'] : []), '--raw'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const rows: Measured[] = [];
  for await (const line of createInterface({ input: child.stdout })) rows.push(JSON.parse(line));
  expect(await ended).toEqual([0, null]);
  return rows;
}

it('answers another company while one takes all it can of each scarce thing', async () => {
  const rows = await measured();
  const attacked = new Set([...rows.map(({ thing }) => thing), ...ATTACKED_ELSEWHERE]);
  expect([...attacked].sort()).toEqual(Object.keys(BOUNDED_THINGS).sort());

  for (const { thing, way, idle, attacked: under } of rows) {
    const what = `${thing}, the ${way} way: ${JSON.stringify({ idle, under })}`;
    expect(under.statuses, what).toEqual({ answered: 20 });
    expect(under.p50, what).toBeLessThanOrEqual(3 * idle.p50 + STEP_MS);
    expect(under.p99, what).toBeLessThanOrEqual(Math.max(P99_MS, 3 * idle.p99));
  }
});

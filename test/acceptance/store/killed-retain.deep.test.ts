import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { server } from '../../store/temporary-stores.ts';
import { copyOfDatabase, newDatabase } from '../../stores/postgres.ts';
import { copyStoreAt, newLocation, type StoreLocation } from '../../stores/stores.ts';
import { runProgram, startCommand } from '../program.ts';
import { contentsOf, dailyAnswer, fillWithYears, phaseOf, retain } from './retained-store.ts';

/** Fewer on PostgreSQL, where copying a store and each run take many times as long. */
const KILLS = { sqlite: 150, postgres: 30 };

/** Kills the command at moments of its whole duration, several times in one store. */
async function expectSurvivesKills(
  kills: number,
  db: string,
  copy: () => Promise<StoreLocation>,
): Promise<void> {
  await fillWithYears(db);
  const trial = await copy();
  const start = performance.now();
  await runProgram(...retain(trial.db));
  const wholeMs = performance.now() - start;
  const expected = await contentsOf(trial.db);
  const answer = await dailyAnswer(trial.db);
  await trial.remove();

  const phases = new Set<string>();
  for (let kill = 0; kill < kills; ) {
    const { db: copied, remove } = await copy();
    for (let inStore = 0; inStore < 3; inStore++, kill++) {
      const { child, ended } = startCommand(retain(copied));
      await pause(wholeMs * 1.2 * Math.random());
      child.kill('SIGKILL');
      await ended;
      const phase = await phaseOf(copied);
      phases.add(phase);
      if (phase !== 'sums') expect(await dailyAnswer(copied), `after kill ${kill}`).toBe(answer);
    }
    await runProgram(...retain(copied));
    expect(await contentsOf(copied), `after kill ${kill}`).toEqual(expected);
    await remove();
  }
  expect([...phases].sort()).toEqual(['done', 'readings', 'sums']);
}

describe('the deletion of old readings, killed at any moment, is completed by the next run', () => {
  it('on SQLite', async () => {
    const { db, remove } = await newLocation();
    try {
      await expectSurvivesKills(KILLS.sqlite, db, () => copyStoreAt(db));
    } finally {
      await remove();
    }
  }, 1_800_000);

  it.skipIf(server === null)(
    'on PostgreSQL',
    async () => {
      const { db, remove } = await newDatabase('tables');
      try {
        await expectSurvivesKills(KILLS.postgres, db, () => copyOfDatabase(db));
      } finally {
        await remove();
      }
    },
    1_800_000,
  );
});

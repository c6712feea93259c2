import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../stores/stores.ts';
import { copyOfStore, newStorePlace } from '../../temporary-places.ts';
import { runCommand, runProgram, startCommand, waitWhileRunning } from '../program.ts';
import {
  contentsOf,
  dailyAnswer,
  fillWithYears,
  KEPT_FROM,
  phaseOf,
  retain,
} from './retained-store.ts';

const count = async (db: string, table: string): Promise<number> =>
  Number((await rowsOf(db, `select count(*) as n from ${table}`))[0]?.n);

describe('acequia retain', () => {
  it('says what would go, deletes it, and gives the space back where it is asked to', async () => {
    const db = await newStorePlace();
    await fillWithYears(db);
    const before = await dailyAnswer(db);
    const readings = await count(db, 'readings');

    const planned = await runProgram(...retain(db, '--dry-run'));
    expect(planned.stdout).toMatch(
      /^Mas Rouge: 70,064 readings before 2025-07-01 \(Europe\/Paris\) of 2 sensors would go, about 1\.\d MB\./,
    );
    expect(await count(db, 'readings')).toBe(readings);
    expect(await count(db, 'reading_retention')).toBe(0);

    const { size } = await stat(db);
    const done = await runProgram(...retain(db));
    expect(done.stdout).toContain(
      `Mas Rouge: 70,064 readings before ${KEPT_FROM} (Europe/Paris) of 2 sensors are deleted`,
    );
    expect(done.stdout).toMatch(/The sums of 2,\d{3} hours were missing, and were written first\./);
    expect(await count(db, 'readings')).toBe(readings - 70_064);
    expect((await stat(db)).size).toBeGreaterThanOrEqual(size);
    expect(await dailyAnswer(db)).toBe(before);

    const compacted = await runProgram(...retain(db, '--compact'));
    expect(compacted.stdout).toMatch(
      /^Mas Rouge: no single readings before 2025-07-01 \(Europe\/Paris\)\.\nThe store took [\d.]+ MB and takes [\d.]+ MB now\.\n$/,
    );
    expect((await stat(db)).size).toBeLessThan(0.75 * size);
    expect(await dailyAnswer(db)).toBe(before);
  });

  it('needs an age of a year or more, and a company that there is', async () => {
    const db = await newStorePlace();
    await fillWithYears(db);
    for (const [words, message] of [
      [['retain', '--db', db], '--readings'],
      [['retain', '--readings', '90d', '--db', db], 'such as 5y, 18m or 400d'],
      [retain(db, '--dry-run', '--compact'), '--compact does not apply'],
      [retain(db, '--company', 'Mas Bleu'), 'Mas Rouge'],
    ] as const) {
      const refused = await runCommand(words);
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.stderr).toContain(message);
    }
    expect(await count(db, 'reading_retention')).toBe(0);
  });

  it('is completed by the next run after a kill in each phase, and answers the same meanwhile', async () => {
    const source = await newStorePlace();
    await fillWithYears(source);
    const before = await dailyAnswer(source);
    const whole = await copyOfStore(source);
    await runProgram(...retain(whole));
    const expected = await contentsOf(whole);

    const hours = await count(source, 'reading_hours');
    const phases = {
      sums: async (db: string) => (await count(db, 'reading_hours')) > hours,
      readings: async (db: string) => (await phaseOf(db)) === 'readings',
      compaction: async (_: string, printed: string) => printed.includes('are deleted'),
    };
    for (const [phase, isReached] of Object.entries(phases)) {
      const db = await copyOfStore(source);
      const running = startCommand(retain(db, '--compact'));
      await waitWhileRunning(running, () => isReached(db, running.stdout()));
      running.child.kill('SIGKILL');
      await running.ended;

      if (phase !== 'sums') expect(await dailyAnswer(db), phase).toBe(before);
      await runProgram(...retain(db));
      expect(await contentsOf(db), phase).toEqual(expected);
    }
  });
});

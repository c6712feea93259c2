import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedBackups } from '../../../src/store/backups/backup-folder.ts';
import { importFarmFile } from '../../imported-data.ts';
import { server } from '../../store/temporary-stores.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { executeStatements, rowsOf } from '../../stores/stores.ts';
import { copyOfStore, newFolder, newStorePlace } from '../../temporary-places.ts';
import { runCommand, runProgram, startCommand, waitWhileRunning } from '../program.ts';
import {
  contentsOf,
  dailyAnswer,
  fillWithYears,
  hourlyAnswer,
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

  it('refuses a bound in the future, and one that leaves no reading', async () => {
    const db = await newStorePlace();
    await fillWithYears(db);
    const readings = await count(db, 'readings');
    const clock = (instant: string) => [...retain(db), '--clock', instant];
    const isRefused = async (words: readonly string[], message: string, hint: string) => {
      const { code, stdout, stderr } = await runCommand(words);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain(`Nothing of "Mas Rouge" was deleted. ${hint}`);
      expect(await count(db, 'readings')).toBe(readings);
      expect(await count(db, 'reading_retention')).toBe(0);
    };
    for (const more of [[], ['--dry-run']]) {
      await isRefused(
        [...clock('2226-07-01T10:00:00Z'), ...more],
        'Single readings would be kept from 2225-07-01 on, a day that has not come yet.',
        'Correct --clock, or leave it out.',
      );
      await isRefused(
        [...clock('2026-07-18T10:00:00Z'), ...more],
        'The newest reading of "Mas Rouge" is of 2025-07-16, before 2025-07-18: no single reading would be left.',
        'Give a greater age with --readings, or correct --clock.',
      );
    }
  });

  it('names the soil of a company that has a weather station alone', async () => {
    const db = await newStorePlace();
    const sensors = [{ type: 'temperature' }];
    await importFarmFile(db, {
      company: { name: 'Mas Vent', timezone: 'Europe/Paris' },
      users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
      modules: [{ uid: 'M1', name: 'Mast', category: 'WEATHER_STATION', sensors }],
    });
    await executeStatements(
      db,
      `insert into readings (company_id, sensor_id, at, value) values (1, 1, ${Date.UTC(2024, 6, 1)}, 20)`,
    );
    for (const more of [[], ['--dry-run']])
      expect((await runProgram(...retain(db, ...more))).stdout).toBe(
        'Mas Vent: no single readings of soil probes before 2025-07-01 (Europe/Paris). Those of weather stations in the air stay.\n',
      );
    expect(await count(db, 'readings')).toBe(1);
  });

  /** The same hours and days, from the same day on. */
  async function expectKeptBound(original: string, db: string): Promise<void> {
    expect(await contentsOf(db)).toEqual(await contentsOf(original));
    expect(await dailyAnswer(db)).toBe(await dailyAnswer(original));
    expect(await hourlyAnswer(db)).toBe(await hourlyAnswer(original));

    const late = join(await newFolder(), 'late.csv');
    await writeFile(late, 'module,type,depth,time,value\nA1,humidity,10,2025-06-30T12:05:00Z,30\n');
    const { code, stdout, stderr } = await runCommand(['import', late, '--db', db]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('older than the readings that are kept singly');
    expect(await contentsOf(db)).toEqual(await contentsOf(original));
  }

  it.skipIf(server === null)(
    'keeps its bound in a copy to a database and back to a file',
    async () => {
      const db = await newStorePlace();
      await fillWithYears(db);
      await runProgram(...retain(db));
      const there = await newDatabase('nothing');
      try {
        const back = join(await newFolder(), 'back.db');
        await runProgram('copy', '--from', db, '--to', there.db);
        await runProgram('copy', '--from', there.db, '--to', back);
        await expectKeptBound(db, there.db);
        await expectKeptBound(db, back);
      } finally {
        await there.remove();
      }
    },
  );

  it('keeps its bound in a copy that is restored', async () => {
    const db = await newStorePlace();
    await fillWithYears(db);
    await runProgram(...retain(db));
    const folder = join(await newFolder(), 'copies');
    await runProgram('backup', folder, '--db', db);
    const [copy] = await storedBackups(folder);
    const restored = join(await newFolder(), 'restored.db');
    await runProgram('restore', copy!.path, '--to', restored);
    await expectKeptBound(db, restored);
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

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runProgram, startCommand } from '../acceptance/program.ts';
import { importBaseFarm, newBaseFarm } from '../base-farm.ts';
import { copyOfDatabase, newDatabase } from '../stores/postgres.ts';
import { copyStoreAt, rowsOf, type StoreLocation } from '../stores/stores.ts';
import { server } from './temporary-stores.ts';

const KILLS = 30;

const call = (db: string, ...args: string[]): string[] => [
  'call',
  ...args,
  '--db',
  db,
  '--clock',
  '2026-07-01T10:00:00Z',
];

/** Eight waterings a day of every probe of the block. */
const schedule = (db: string): string[] =>
  call(
    db,
    ...['create_schedule', 'parcel=North block', 'freq=daily', 'inputMode=duration', 'durationMin=10'],
    `startTimes:=${JSON.stringify(Array.from({ length: 8 }, (_, n) => `${String(10 + n)}:30`))}`,
    ...['startsOn=2026-07-01', 'timezone=Europe/Paris'],
  );

const undo = (db: string): string[] => call(db, 'undo', 'changeId=1');

const stateOf = async (db: string) => ({
  schedules: await rowsOf(db, 'select id, start_times from schedules'),
  waterings: await rowsOf(db, 'select count(*) as n, sum(started_at) as sum from waterings'),
  undone: await rowsOf(db, "select undoes from changes where operation = 'undo'"),
});

const UNDONE = { schedules: [], waterings: [{ n: 0, sum: null }], undone: [{ undoes: 1 }] };

async function expectUndoSurvivesKills(first: string, copy: () => Promise<StoreLocation>): Promise<void> {
  await runProgram(...schedule(first));
  const whole = await stateOf(first);
  expect(whole.schedules).toHaveLength(1);
  const trial = await copy();
  const start = performance.now();
  await runProgram(...undo(trial.db));
  const wholeMs = performance.now() - start;
  expect(await stateOf(trial.db)).toEqual(UNDONE);
  await trial.remove();

  const outcomes = new Set<string>();
  for (let kill = 1; kill <= KILLS || outcomes.size < 2; kill++) {
    const { db, remove } = await copy();
    const { child, ended } = startCommand(undo(db));
    await pause((wholeMs * kill) / KILLS);
    child.kill('SIGKILL');
    await ended;
    const state = await stateOf(db);
    const isUndone = state.undone.length > 0;
    outcomes.add(isUndone ? 'undone' : 'untouched');
    expect(state, `killed after ${kill}/${KILLS} of an undo`).toEqual(isUndone ? UNDONE : whole);
    if (!isUndone) await runProgram(...undo(db));
    expect(await stateOf(db)).toEqual(UNDONE);
    await remove();
  }
}

describe('an undo that is killed at any moment is done whole or not at all, and can be repeated', () => {
  it('on SQLite', async () => {
    const db = await newBaseFarm();
    await expectUndoSurvivesKills(db, () => copyStoreAt(db));
  });

  it.skipIf(server === null)('on PostgreSQL', async () => {
    const { db, remove } = await newDatabase('tables');
    try {
      await importBaseFarm(db);
      await expectUndoSurvivesKills(db, () => copyOfDatabase(db));
    } finally {
      await remove();
    }
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runProgram, startCommand } from '../acceptance/program.ts';
import { importFarmFile } from '../imported-data.ts';
import { copyOfDatabase, newDatabase } from '../stores/postgres.ts';
import { copyStoreAt, newLocation, rowsOf, type StoreLocation } from '../stores/stores.ts';
import { server } from './temporary-stores.ts';

const KILLS = 15;
const MAX_KILLS = 5 * KILLS;

/**
 * Six probes with 12 waterings a day: more planned waterings than one transaction deletes or adds.
 */
const FARM = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [{ name: 'North block' }],
  modules: Array.from({ length: 6 }, (_, index) => ({
    uid: `P${index + 1}`,
    name: `North ${index + 1}`,
    category: 'SOIL_PROBE',
    parcel: 'North block',
  })),
};
const START_TIMES = Array.from(
  { length: 12 },
  (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
);

const call = (db: string, ...args: string[]): string[] => [
  'call',
  ...args,
  '--db',
  db,
  '--clock',
  '2026-07-01T10:00:00Z',
];

const schedule = (db: string): string[] =>
  call(
    db,
    ...[
      'create_schedule',
      'parcel=North block',
      'freq=daily',
      'inputMode=duration',
      'durationMin=10',
    ],
    `startTimes:=${JSON.stringify(START_TIMES)}`,
    ...['startsOn=2026-07-01', 'timezone=Europe/Paris'],
  );

/**
 * What a start of the program after a kill may do first. Each finishes what the killed one began.
 */
const RESTARTS: readonly ((db: string) => string[])[] = [
  (db) => call(db, 'list_waterings', 'limit=1'),
  (db) => call(db, 'list_schedules'),
  (db) => ['tick', '--db', db, '--clock', '2026-07-01T10:00:00Z'],
];

const stateOf = async (db: string) => ({
  schedules: await rowsOf(db, 'select id, start_times, removed_at from schedules'),
  waterings: await rowsOf(
    db,
    'select count(*) as n, sum(started_at / 60000) as minutes from waterings',
  ),
  pending: await rowsOf(db, 'select count(*) as n from pending_plans'),
});

type State = Awaited<ReturnType<typeof stateOf>>;

const undosIn = async (db: string): Promise<number> =>
  (await rowsOf(db, "select id from changes where operation = 'undo'")).length;

/**
 * A share of the duration of the trial. Each round of kills goes half a duration further than the
 * one before, because a machine that has become busy takes longer than in the trial.
 */
function momentOf(kill: number): number {
  const round = Math.floor((kill - 1) / KILLS);
  const share = (((kill - 1) % KILLS) + Math.random()) / KILLS;
  return share * (1 + round / 2);
}

/**
 * Kills an undo of the change at moments of its whole duration, and expects it done or not begun
 * after a restart.
 */
async function expectUndoSurvivesKills(
  before: string,
  changeId: number,
  copy: () => Promise<StoreLocation>,
): Promise<State> {
  const undo = (db: string): string[] => call(db, 'undo', `changeId=${changeId}`);
  const untouched = await stateOf(before);
  const undosBefore = await undosIn(before);
  const trial = await copy();
  const start = performance.now();
  await runProgram(...undo(trial.db));
  const wholeMs = performance.now() - start;
  const undone = await stateOf(trial.db);
  expect(undone).not.toEqual(untouched);
  await trial.remove();

  const outcomes = new Set<string>();
  for (let kill = 1; (kill <= KILLS || outcomes.size < 3) && kill <= MAX_KILLS; kill++) {
    const { db, remove } = await copy();
    const { child, ended } = startCommand(undo(db));
    await pause(wholeMs * momentOf(kill));
    child.kill('SIGKILL');
    await ended;
    const isBegun = (await undosIn(db)) > undosBefore;
    const hasPending = (await stateOf(db)).pending[0]!.n !== 0;
    if (hasPending) outcomes.add('in between');
    else outcomes.add(isBegun ? 'undone' : 'untouched');

    await runProgram(...RESTARTS[kill % RESTARTS.length]!(db));
    expect(await stateOf(db), `after kill ${kill}`).toEqual(isBegun ? undone : untouched);
    if (!isBegun) await runProgram(...undo(db));
    expect(await stateOf(db)).toEqual(undone);
    await remove();
  }
  expect(outcomes).toEqual(new Set(['untouched', 'in between', 'undone']));
  return undone;
}

/** The undo of a schedule, and the undo of that undo. */
async function expectUndosSurviveKills(
  db: string,
  copy: () => Promise<StoreLocation>,
): Promise<void> {
  await importFarmFile(db, FARM);
  await runProgram(...schedule(db));
  const created = await stateOf(db);
  const undone = await expectUndoSurvivesKills(db, 1, copy);
  expect(undone).toEqual({
    schedules: [],
    waterings: [{ n: 0, minutes: null }],
    pending: [{ n: 0 }],
  });
  await runProgram(...call(db, 'undo', 'changeId=1'));
  expect(await expectUndoSurvivesKills(db, 2, copy)).toEqual(created);
}

describe('an undo that is killed at any moment is done whole or not at all, and can be repeated', () => {
  it('on SQLite', async () => {
    const { db, remove } = await newLocation();
    try {
      await expectUndosSurviveKills(db, () => copyStoreAt(db));
    } finally {
      await remove();
    }
  });

  it.skipIf(server === null)('on PostgreSQL', async () => {
    const { db, remove } = await newDatabase('tables');
    try {
      await expectUndosSurviveKills(db, () => copyOfDatabase(db));
    } finally {
      await remove();
    }
  });
});

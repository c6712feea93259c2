import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { importFarmFile } from '../../imported-data.ts';
import { server } from '../../store/temporary-stores.ts';
import { copyOfDatabase, newDatabase } from '../../stores/postgres.ts';
import {
  copyStoreAt,
  executeStatements,
  newLocation,
  rowsOf,
  type StoreLocation,
} from '../../stores/stores.ts';
import { runProgram, startCommand } from '../program.ts';

const KILLS = 6;
const MAX_KILLS = 5 * KILLS;
const WATERINGS = 3_000;

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

/** Past waterings of 20 min, one an hour on each probe. */
const ADD_WATERINGS = `
  with recursive hours (n) as (select 1 union all select n + 1 from hours where n < ${WATERINGS / 6})
  insert into waterings (company_id, module_id, started_at, is_detached, input_mode, duration_min,
    dose_fraction_wetted_is_default, status, source, created_at)
  select company_id, id, 1782900000000 - n * cast(3600000 as bigint), 0, 'duration', 20, 0, 'done', 'manual', 0
  from modules, hours`;

const call = (db: string, ...args: string[]): string[] => [
  ...['call', ...args, '--db', db],
  ...['--clock', '2026-07-01T10:00:00Z'],
];

const declare = (db: string): string[] =>
  call(db, 'set_parcel_installation', 'parcel=North block', 'system=sprinkler', 'flowMmPerH=6');

/** What a start of the program after a kill may do first. Each finishes what the killed one began. */
const RESTARTS: readonly ((db: string) => string[])[] = [
  (db) => call(db, 'list_waterings', 'limit=1'),
  (db) => call(db, 'list_changes', 'limit=1'),
  (db) => ['tick', '--db', db, '--clock', '2026-07-01T10:00:00Z'],
];

const stateOf = async (db: string) => ({
  doses: await rowsOf(
    db,
    'select water_mm, dose_flow_mm_per_h, count(*) as n from waterings group by water_mm, dose_flow_mm_per_h',
  ),
  setups: await rowsOf(db, 'select count(*) as n from installation_versions'),
  pending: await rowsOf(
    db,
    'select (select count(*) from pending_doses) + (select count(*) from pending_undos) as n',
  ),
});

const changesIn = async (db: string): Promise<number> =>
  (await rowsOf(db, 'select id from changes')).length;

/** Kills the command at moments of its whole duration, and expects it done or not begun. */
async function expectSurvivesKills(
  before: string,
  command: (db: string) => string[],
  copy: () => Promise<StoreLocation>,
): Promise<void> {
  const untouched = await stateOf(before);
  const changesBefore = await changesIn(before);
  const trial = await copy();
  const start = performance.now();
  await runProgram(...command(trial.db));
  const wholeMs = performance.now() - start;
  const done = await stateOf(trial.db);
  expect(done).not.toEqual(untouched);
  await trial.remove();

  const outcomes = new Set<string>();
  for (let kill = 1; (kill <= KILLS || !outcomes.has('in between')) && kill <= MAX_KILLS; kill++) {
    const { db, remove } = await copy();
    const { child, ended } = startCommand(command(db));
    await pause(wholeMs * 1.2 * Math.random());
    child.kill('SIGKILL');
    await ended;
    const isBegun = (await changesIn(db)) > changesBefore;
    const isPending = Number((await stateOf(db)).pending[0]!.n) > 0;
    if (isPending) outcomes.add('in between');
    else outcomes.add(isBegun ? 'done' : 'untouched');

    await runProgram(...RESTARTS[kill % RESTARTS.length]!(db));
    expect(await stateOf(db), `after kill ${kill}`).toEqual(isBegun ? done : untouched);
    await remove();
  }
  expect(outcomes).toContain('in between');
}

async function expectDosesSurviveKills(
  db: string,
  copy: () => Promise<StoreLocation>,
): Promise<void> {
  await importFarmFile(db, FARM);
  await executeStatements(db, ADD_WATERINGS);
  await expectSurvivesKills(db, declare, copy);
  await runProgram(...declare(db));
  await expectSurvivesKills(db, (copied) => call(copied, 'undo', 'changeId=1'), copy);
}

describe('first doses, and their undo, that are killed at any moment are complete or not begun', () => {
  it('on SQLite', async () => {
    const { db, remove } = await newLocation();
    try {
      await expectDosesSurviveKills(db, () => copyStoreAt(db));
    } finally {
      await remove();
    }
  });

  it.skipIf(server === null)('on PostgreSQL', async () => {
    const { db, remove } = await newDatabase('tables');
    try {
      await expectDosesSurviveKills(db, () => copyOfDatabase(db));
    } finally {
      await remove();
    }
  });
});

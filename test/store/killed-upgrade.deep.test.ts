import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/schema/migrations.ts';
import { viewStore } from '../../src/store/store.ts';
import { runProgram, startCommand } from '../acceptance/program.ts';
import { newDatabase } from '../stores/postgres.ts';
import { rowsOf, type StoreLocation } from '../stores/stores.ts';
import { newStorePlace } from '../temporary-places.ts';
import { executeRaw, makeFirstStore } from './first-store/first-store.ts';
import { server } from './temporary-stores.ts';

const WATERINGS = 5_000;
const KILLS = 40;

const MORE_WATERINGS = `
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${WATERINGS})
    insert into waterings (company_id, module_id, is_detached, started_at, duration_min, input_mode,
      dose_fraction_wetted_is_default, status, source, created_at)
    select 1, 1, 0, i * 60000, 30, 'duration', 0, 'done', 'manual', i * 60000 from n`;

async function makeOldStore(db: string): Promise<void> {
  await makeFirstStore(db);
  await executeRaw(db, MORE_WATERINGS);
}

const stateOf = async (db: string) => ({
  migrations: (
    await rowsOf<{ name: string }>(db, 'select name from kysely_migration order by name')
  ).map(({ name }) => name),
  waterings: await rowsOf(db, 'select count(*) as n, sum(started_at) as sum from waterings'),
  // A migration gives each module a version.
  versions: await rowsOf(db, 'select count(version) as n from reading_versions'),
});

/** Reads the version without upgrading the store. */
async function versionOf(db: string): Promise<string> {
  const view = await viewStore(db);
  await view.close();
  return view.state;
}

const COMPLETE = {
  migrations: Object.keys(migrations),
  waterings: [{ n: WATERINGS, sum: (60_000 * WATERINGS * (WATERINGS + 1)) / 2 }],
  versions: [{ n: 2 }],
};

const upgrade = (db: string): readonly string[] => [
  'tick',
  '--db',
  db,
  '--clock',
  '2026-07-01T10:00:00Z',
];

async function expectUpgradesSurviveKills(newPlace: () => Promise<string>): Promise<void> {
  const first = await newPlace();
  await makeOldStore(first);
  const start = performance.now();
  await runProgram(...upgrade(first));
  const wholeMs = performance.now() - start;
  expect(await stateOf(first)).toEqual(COMPLETE);

  const versions = new Set<string>();
  // On a machine that has become slower, kills go on until one comes after the upgrade.
  for (let kill = 1; kill <= KILLS || !versions.has('current'); kill++) {
    const db = await newPlace();
    await makeOldStore(db);
    const { child, ended } = startCommand(upgrade(db));
    await pause((wholeMs * kill) / KILLS);
    child.kill('SIGKILL');
    await ended;
    versions.add(await versionOf(db));
    // Opening the store, as the next process does, finishes what the killed one began.
    expect(await stateOf(db), `killed after ${kill}/${KILLS} of an upgrade`).toEqual(COMPLETE);
    await runProgram(...upgrade(db));
  }
  expect([...versions].sort()).toEqual(['current', 'needsMigration']);
}

describe('a store of the first version is complete after an upgrade that was killed at any moment', () => {
  it('on SQLite', () => expectUpgradesSurviveKills(newStorePlace));

  it.skipIf(server === null)('on PostgreSQL', async () => {
    const places: StoreLocation[] = [];
    try {
      await expectUpgradesSurviveKills(async () => {
        places.push(await newDatabase('nothing'));
        return places.at(-1)!.db;
      });
    } finally {
      for (const { remove } of places) await remove();
    }
  });
});

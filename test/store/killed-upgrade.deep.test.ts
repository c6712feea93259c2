import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/migrations.ts';
import { viewPostgresStore } from '../../src/store/postgres/view.ts';
import { viewSqliteStore } from '../../src/store/sqlite/view.ts';
import { openStore } from '../../src/store/store.ts';
import { isPostgresUrl } from '../../src/store/store-location.ts';
import { runProgram, startCommand } from '../acceptance/program.ts';
import { newDatabase } from '../stores/postgres.ts';
import { executeStatements, rowsOf, type StoreLocation } from '../stores/stores.ts';
import { newStorePlace } from '../temporary-places.ts';
import { server } from './temporary-stores.ts';

const WATERINGS = 5_000;
const KILLS = 40;

const DATA = [
  "insert into companies (id, name, country_code, timezone) values (1, 'Mas Rouge', 'FR', 'Europe/Paris')",
  "insert into users (id, company_id, email, name, role) values (1, 1, 'ana@example.org', 'Ana', 'OWNER')",
  `insert into modules (id, company_id, uid, name, category, root_depth_cm, depth_weights)
     values (1, 1, 'A1', 'North 1', 'SOIL_PROBE', 60, '{"10":1}'), (2, 1, 'A2', 'North 2', 'SOIL_PROBE', null, null)`,
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${WATERINGS})
     insert into waterings (id, company_id, module_id, is_detached, started_at, duration_min, input_mode,
       dose_fraction_wetted_is_default, status, source, created_at)
     select i, 1, 1, 0, i * 60000, 30, 'duration', 0, 'done', 'manual', i * 60000 from n`,
];

/** As the program of the first schema left it. */
async function makeFirstStore(db: string): Promise<void> {
  const all = migrations as Record<string, unknown>;
  const later = Object.entries(all).slice(1);
  for (const [name] of later) delete all[name];
  try {
    await (await openStore({ db })).close();
    await executeStatements(db, ...DATA);
  } finally {
    Object.assign(all, Object.fromEntries(later));
  }
}

const stateOf = async (db: string) => ({
  migrations: (
    await rowsOf<{ name: string }>(db, 'select name from kysely_migration order by name')
  ).map(({ name }) => name),
  waterings: await rowsOf(db, 'select count(*) as n, sum(started_at) as sum from waterings'),
  settings: await rowsOf(
    db,
    'select module_id, valid_from, root_depth_cm, depth_weights from probe_settings',
  ),
});

/** Without upgrading it. */
async function versionOf(db: string): Promise<string> {
  const view = await (isPostgresUrl(db) ? viewPostgresStore : viewSqliteStore)(db);
  await view.close();
  return view.state;
}

const COMPLETE = {
  migrations: Object.keys(migrations),
  waterings: [{ n: WATERINGS, sum: (60_000 * WATERINGS * (WATERINGS + 1)) / 2 }],
  settings: [{ module_id: 1, valid_from: 0, root_depth_cm: 60, depth_weights: '{"10":1}' }],
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
  await makeFirstStore(first);
  const start = performance.now();
  await runProgram(...upgrade(first));
  const wholeMs = performance.now() - start;
  expect(await stateOf(first)).toEqual(COMPLETE);

  const versions = new Set<string>();
  // On a machine that has become slower, kills go on until one comes after the upgrade.
  for (let kill = 1; kill <= KILLS || !versions.has('current'); kill++) {
    const db = await newPlace();
    await makeFirstStore(db);
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

describe('a store of the first schema is complete after an upgrade that was killed at any moment', () => {
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

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/schema/migrations.ts';
import { viewStore } from '../../src/store/store.ts';
import { runProgram, startCommand } from '../acceptance/program.ts';
import { newDatabase } from '../stores/postgres.ts';
import { rowsOf, type StoreLocation } from '../stores/stores.ts';
import { newStorePlace } from '../temporary-places.ts';
import { server } from './temporary-stores.ts';
import { executeRaw, makeUnreleasedStore, unreleasedRows } from './unreleased/unreleased-store.ts';

const WATERINGS = 5_000;
const KILLS = 40;

const MORE_WATERINGS = `
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${WATERINGS})
    insert into waterings (id, company_id, module_id, is_detached, started_at, duration_min, input_mode,
      dose_fraction_wetted_is_default, status, source, created_at)
    select 10000 + i, 1, 1, 0, i * 60000, 30, 'duration', 0, 'done', 'manual', i * 60000 from n`;

/** The jobs write a reading that waits for a device of this company, which is assigned. */
const NO_READING_OF_ASSIGNED = 'delete from device_readings where company_id = 2';

async function makeOldStore(db: string): Promise<void> {
  await makeUnreleasedStore(db);
  await executeRaw(db, MORE_WATERINGS);
  await executeRaw(db, NO_READING_OF_ASSIGNED);
}

const stateOf = async (db: string) => ({
  migrations: (await rowsOf<{ name: string }>(db, 'select name from kysely_migration')).map(
    ({ name }) => name,
  ),
  waterings: await rowsOf(
    db,
    `select count(*) as n, count(irrigation_id) as "ofParcels", sum(started_at) as sum from waterings where id between 10001 and ${10000 + WATERINGS} or irrigation_id is not null`,
  ),
  readings: await rowsOf(db, 'select count(*) as n, count(position) as p from device_readings'),
  changes: await rowsOf(
    db,
    `select count(*) as n from changes where changed_rows like '%"block_id"%' or changed_rows like '%"place"%'`,
  ),
});

/** Without upgrading it. */
async function versionOf(db: string): Promise<string> {
  const view = await viewStore(db);
  await view.close();
  return view.state;
}

const parcelWaterings = unreleasedRows('waterings').filter((row) => row.block_id !== undefined);
const sumOfParcels = parcelWaterings.reduce((sum, row) => sum + Number(row.started_at), 0);

const waitingReadings = unreleasedRows('device_readings').filter((row) => row.company_id === 1);

const COMPLETE = {
  migrations: Object.keys(migrations),
  waterings: [
    {
      n: WATERINGS + parcelWaterings.length,
      ofParcels: parcelWaterings.length,
      sum: (60_000 * WATERINGS * (WATERINGS + 1)) / 2 + sumOfParcels,
    },
  ],
  readings: [
    {
      n: waitingReadings.length,
      p: waitingReadings.filter((row) => String(row.place).startsWith('#')).length,
    },
  ],
  changes: [{ n: 0 }],
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

describe('a store from before the first release is complete after an upgrade that was killed at any moment', () => {
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

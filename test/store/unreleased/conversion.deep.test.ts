import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeById } from '../../../src/store/changes/changes.ts';
import { migrations } from '../../../src/store/schema/migrations.ts';
import { openStore, type Store, viewStore } from '../../../src/store/store.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { describeSchema } from '../schema-description.ts';
import { inTemporaryFolder, server } from '../temporary-stores.ts';
import {
  executeRaw,
  makeUnreleasedStore,
  type StoredRow,
  unreleasedRows,
  unreleasedTables,
} from './unreleased-store.ts';

const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waterings: { slot: 'scheduled_start', block_id: 'irrigation_id' },
  schedules: { auto_from: 'auto_confirm_from' },
  pending_plans: { planned_from: 'regenerate_from', start_time_pairs: 'moved_start_times' },
  forecasts: { tried_at: 'attempted_at' },
  alert_states: {
    watched_from: 'evaluate_from',
    firing: 'is_firing',
    touched_from: 'pending_from',
    touches: 'pending_marks',
    touches_seen: 'evaluated_marks',
    told_firing: 'notified_firing',
    rule_changed: 'is_rule_changed',
    told_stale: 'notified_stale',
  },
  alert_episodes: { start_at: 'started_at', end_at: 'ended_at' },
  outbox: { tries: 'attempts', next_try_at: 'next_attempt_at', last_answer: 'last_response' },
  api_keys: { surface: 'channel' },
  sessions: { push: 'push_subscription' },
  leases: { held_until: 'expires_at' },
  idempotency: { remarks: 'advisories' },
  changes: { surface: 'channel' },
};

/** Columns of later versions that have a value in each row. */
const ADDED: Readonly<Record<string, StoredRow>> = { modules: { commissioning_is_assumed: 1 } };

const GENERATED = ['ended_at', 'interval_node'];

/** Tables whose rows other tests below compare. */
const OTHERWISE_COMPARED = ['device_readings', 'kysely_migration', 'sqlite_sequence'];

const convertedRow = (table: string, row: StoredRow): StoredRow => ({
  ...Object.fromEntries(
    Object.entries(row).map(([column, value]) => [RENAMED[table]?.[column] ?? column, value]),
  ),
  ...ADDED[table],
});

const withoutNulls = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

async function rowsIn(store: Store, table: string): Promise<Record<string, unknown>[]> {
  const query = sql<Record<string, unknown>>`select * from ${sql.table(table)}`;
  const { rows } = await store.readAll((all) => query.execute(all));
  return rows.map((row) => {
    const compared = withoutNulls(row);
    if (table === 'waterings') for (const column of GENERATED) delete compared[column];
    return compared;
  });
}

const inOrder = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

type InPlace = (body: (db: string) => Promise<void>) => Promise<void>;

const inFile: InPlace = (body) => inTemporaryFolder((folder) => body(join(folder, 'farm.db')));

const inDatabase: InPlace = async (body) => {
  const { db, remove } = await newDatabase('nothing');
  await body(db).finally(remove);
};

async function withConverted(
  inPlace: InPlace,
  body: (store: Store, db: string) => Promise<void>,
): Promise<void> {
  await inPlace(async (db) => {
    await makeUnreleasedStore(db);
    const store = await openStore({ db });
    await body(store, db).finally(() => store.close());
  });
}

function describeConversion(inPlace: InPlace, isOnServer: boolean): void {
  it('keeps every row', () =>
    withConverted(inPlace, async (store) => {
      for (const table of unreleasedTables) {
        if (OTHERWISE_COMPARED.includes(table)) continue;
        const expected = unreleasedRows(table).map((row) => convertedRow(table, row));
        const stored = await rowsIn(store, table);
        if (table === 'changes')
          for (const row of [...expected, ...stored])
            delete (row as { changed_rows?: unknown }).changed_rows;
        expect(inOrder(stored), table).toEqual(inOrder(expected));
      }
    }));

  it('gives the readings of unassigned devices their columns', () =>
    withConverted(inPlace, async (store) => {
      const stored = await rowsIn(store, 'device_readings');
      expect(stored).toHaveLength(unreleasedRows('device_readings').length);
      const sources = stored
        .filter(({ company_id }) => company_id === 1)
        .map(({ id: _, company_id: _company, at: _at, device, type, value, ...source }) => [
          `${device} ${type} ${value}`,
          source,
        ]);
      expect(Object.fromEntries(sources)).toEqual({
        'A84041000181BC56 humidity 30.5': { depth_cm: 10, is_day_total: 0 },
        'A84041000181BC56 humidity 30.25': { position: 11, is_day_total: 0 },
        'A84041000181BC56 tensio -20': { depth_cm: 12.5, is_day_total: 0 },
        'A84041000181BC56 humidity 61': { is_day_total: 0 },
        'A84041000181BC56 temperature 24': { depth_cm: 0, is_day_total: 0 },
        'GAUGE-1 rain 4.2': { is_day_total: 1 },
        'GAUGE-1 rain 0.4': { minutes: 15, is_day_total: 0 },
        'GAUGE-1 rain 0.2': { is_day_total: 0 },
        'GAUGE-1 wind 2.5': { is_day_total: 0 },
        'GAUGE-1 radiation 640': { is_day_total: 0 },
      });
    }));

  it('rewrites the rows in the record of changes, so that they can be undone', () =>
    withConverted(inPlace, async (store) => {
      const imagesOf = async (operation: string) => {
        const { id } = unreleasedRows('changes').find((row) => row.operation === operation)!;
        const change = await store.read(1, (db) => changeById(db, Number(id)));
        return change!.rows!;
      };

      const scheduled = await imagesOf('update_schedule');
      expect(scheduled[0]!.before).toHaveProperty('auto_confirm_from');
      expect(scheduled[0]!.before).not.toHaveProperty('auto_from');

      const recomputed = await imagesOf('recompute_doses');
      expect(recomputed).toHaveLength(500);
      expect(recomputed[499]).toEqual({
        table: 'waterings',
        key: 499,
        before: {
          ...{ id: 499, module_id: 1, schedule_id: null, irrigation_id: 7, is_detached: 0 },
          note: null,
        },
        after: {
          ...{ id: 499, module_id: 1, schedule_id: null, irrigation_id: 7, is_detached: 0 },
          note: 'Windy',
        },
      });

      const at = Date.parse('2026-07-01T06:00:00Z');
      const reading = { device: 'GAUGE-1', at, value: 1.5 };
      const source = { position: null, depth_cm: null, minutes: null, is_day_total: 0 };
      const expected = [
        { type: 'rain', key: '   1', is_day_total: 1 },
        { type: 'rain', key: '  15 0', minutes: 15 },
        { type: 'rain', key: '   0' },
        { type: 'wind', key: '   0' },
        { type: 'humidity', key: '   0' },
        { type: 'humidity', key: '3   0', position: 3 },
        { type: 'temperature', key: ' 12.5  0', depth_cm: 12.5 },
      ].map(({ key, ...columns }) => ({
        table: 'device_readings',
        key: `${at} GAUGE-1 ${columns.type} ${key}`,
        before: { ...reading, ...source, ...columns },
        after: null,
      }));
      expect(await imagesOf('set_module')).toEqual(expected);
    }));

  it('gives it the schema of a new store', () =>
    withConverted(inPlace, (store) =>
      inPlace(async (other) => {
        const fresh = await openStore({ db: other });
        try {
          const converted = await store.readAll((all) => describeSchema(all, isOnServer));
          expect(converted).toEqual(await fresh.readAll((all) => describeSchema(all, isOnServer)));
        } finally {
          await fresh.close();
        }
      }),
    ));

  it('happens once, also when several processes open it at the same time', () =>
    inPlace(async (db) => {
      await makeUnreleasedStore(db);
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ db })));
      for (const store of stores) {
        const applied = await rowsIn(store, 'kysely_migration');
        expect(applied.map(({ name }) => name)).toEqual(Object.keys(migrations));
        await store.close();
      }
    }));

  it('generates no id again that the store had generated', () =>
    withConverted(inPlace, async (store) => {
      const inserted = await store.write(1, (db) =>
        db.insertInto('parcels').values({ name: 'New' }).returning('id').executeTakeFirstOrThrow(),
      );
      const { seq } = unreleasedRows('sqlite_sequence').find(({ name }) => name === 'parcels')!;
      expect(inserted.id).toBe(Number(seq) + 1);
    }));

  it('leaves an older store as it is, and says what to do', () =>
    inPlace(async (db) => {
      await makeUnreleasedStore(db);
      await executeRaw(db, "delete from kysely_migration where name = '0026-device-senders'");
      const refusal = {
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('too old'),
        hint: expect.stringContaining('0026-device-senders'),
      };
      await expect(openStore({ db })).rejects.toMatchObject(refusal);
      await expect(viewStore(db)).rejects.toMatchObject(refusal);

      // Complete again, it is converted.
      await executeRaw(db, "insert into kysely_migration values ('0026-device-senders', '')");
      await (await openStore({ db })).close();
    }));
}

describe('the conversion of a store from before the first release', () => {
  describe('on SQLite', () => describeConversion(inFile, false));
  describe.skipIf(server === null)('on PostgreSQL', () => describeConversion(inDatabase, true));
});

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { isServerUrl } from '../../../src/store/store-location.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { queryOnce } from '../../stores/postgres-server.ts';
import { inTemporaryFolder } from '../temporary-stores.ts';

const ROWS = `
insert into companies (name, timezone) values ('Mas Rouge', 'Europe/Paris'), ('Mas Bleu', null);
insert into users (company_id, email, name, role) values (1, 'ana@example.com', 'Ana', 'OWNER');
insert into parcels (company_id, name, area_m2) values (1, 'North', 12000);
insert into modules (company_id, uid, name, parcel_id) values (1, 'a1', 'North 1', 1), (1, 'a2', 'North 2', 1);
insert into sensors (company_id, module_id, type, depth) values (1, 1, 'humidity', 30);
insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by, created_at, updated_at)
  values ('b7f6', 1, 1, '20', '1', '08:00:00', 'manual', 1, 1, 0, 0);
insert into outbox (id, company_id, alert_id, kind, user_id, to_address, subject, text, html, created_at, state, attempts, next_attempt_at)
  values ('c9a1', 1, 'b7f6', 'fired', 1, 'ana@example.com', 'Dry', 'Dry', 'Dry', 0, 'waiting', 0, 4102444800000);
insert into change_counts (company_id, count) values (1, 7);
insert into kysely_migration values ('0001-first-schema', '2026-09-01T00:00:00.000Z');
insert into kysely_migration_lock values ('migration_lock', 0);`;

/**
 * Makes a store as the first version of the program made it, with some rows. Its statements and
 * rows never change: they stand for stores that exist.
 */
export async function makeFirstStore(db: string): Promise<void> {
  const name = isServerUrl(db) ? 'postgres.sql' : 'sqlite.sql';
  const tables = readFileSync(new URL(name, import.meta.url), 'utf8');
  if (!isServerUrl(db)) {
    new DatabaseSync(db).close();
    chmodSync(db, 0o600);
    await executeRaw(db, 'pragma journal_mode = wal');
  }
  await executeRaw(db, `begin; ${tables}; ${ROWS}; commit`);
}

export async function withFirstStore<T>(
  isOnServer: boolean,
  body: (db: string) => Promise<T>,
): Promise<T> {
  const run = async (db: string): Promise<T> => {
    await makeFirstStore(db);
    return body(db);
  };
  if (!isOnServer) return inTemporaryFolder((folder) => run(join(folder, 'farm.db')));

  const { db, remove } = await newDatabase('nothing');
  return run(db).finally(remove);
}

/** Executes statements without opening the store, which would migrate it. */
export async function executeRaw(db: string, statements: string): Promise<void> {
  if (isServerUrl(db)) {
    await queryOnce(db, `set acequia.company = 'all'; ${statements}`);
    return;
  }
  const database = new DatabaseSync(db);
  database.exec(statements);
  database.close();
}

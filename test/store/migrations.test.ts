import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import type { CompanyDb, Tables } from '../../src/store/tables.ts';
import {
  alertRow,
  alertStateRow,
  annotationRow,
  fillFarm,
  installationRow,
  messageRow,
  wateringRow,
} from './sample-rows.ts';
import { inTemporaryFolder, onEachStore, tableNames } from './temporary-stores.ts';

afterEach(() => {
  vi.doUnmock('../../src/store/sqlite/migrate.ts');
  vi.resetModules();
});

/** The columns of the schema: the compiler holds this list complete. */
const columns: { [T in keyof Tables]: Record<keyof Tables[T], true> } = {
  companies: {
    id: true,
    name: true,
    legal_name: true,
    country_code: true,
    currency: true,
    city: true,
    postal_code: true,
    region: true,
    timezone: true,
  },
  users: { company_id: true, id: true, email: true, name: true, role: true },
  parcels: { company_id: true, id: true, name: true, type: true, geometry: true, farm_installation: true },
  gateways: {
    company_id: true,
    id: true,
    imei: true,
    serial_hex: true,
    firmware: true,
    assigned_at: true,
    last_seen_at: true,
    battery_mv: true,
    level: true,
    lat: true,
    lon: true,
  },
  modules: {
    company_id: true,
    id: true,
    uid: true,
    name: true,
    number: true,
    serial_hex: true,
    category: true,
    parcel_id: true,
    gateway_id: true,
    commissioned_at: true,
    lat: true,
    lon: true,
    location_source: true,
    location_gateway_id: true,
    root_depth_cm: true,
    depth_weights: true,
    farm_installation: true,
  },
  sensors: { company_id: true, id: true, module_id: true, type: true, depth: true, label: true },
  soil_layers: {
    company_id: true,
    id: true,
    parcel_id: true,
    soil_horizon_id: true,
    depth_top_cm: true,
    depth_bottom_cm: true,
    started_at: true,
    ended_at: true,
  },
  installation_versions: {
    company_id: true,
    id: true,
    scope: true,
    module_id: true,
    parcel_id: true,
    system: true,
    flow_mm_per_h: true,
    emitter_flow_lph: true,
    emitters_per_m2: true,
    fraction_wetted: true,
    fraction_wetted_is_default: true,
    irrigated_area_m2: true,
    valid_from: true,
    valid_to: true,
    set_at: true,
    notes: true,
  },
  placements: { company_id: true, module_id: true, emitter_distance_cm: true, notes: true, set_at: true },
  waterings: {
    company_id: true,
    id: true,
    module_id: true,
    schedule_id: true,
    is_detached: true,
    started_at: true,
    duration_min: true,
    input_mode: true,
    input_depth_mm: true,
    input_volume_m3: true,
    water_mm: true,
    water_mm_wetted: true,
    dose_installation_id: true,
    dose_scope: true,
    dose_system: true,
    dose_flow_mm_per_h: true,
    dose_fraction_wetted: true,
    dose_fraction_wetted_is_default: true,
    dose_irrigated_area_m2: true,
    dose_computed_at: true,
    status: true,
    source: true,
    verified_at: true,
    note: true,
    created_by: true,
    created_at: true,
    slot: true,
  },
  readings: { company_id: true, sensor_id: true, at: true, value: true },
  reading_hours: { company_id: true, sensor_id: true, bucket_at: true, count: true, sum: true },
  reading_days: { company_id: true, sensor_id: true, bucket_at: true, count: true, sum: true },
  schedules: {
    company_id: true,
    id: true,
    target_module_id: true,
    target_parcel_id: true,
    label: true,
    freq: true,
    interval_days: true,
    weekdays: true,
    start_times: true,
    timezone: true,
    input_mode: true,
    duration_min: true,
    input_depth_mm: true,
    input_volume_m3: true,
    starts_on: true,
    ends_on: true,
    confirmation_policy: true,
    auto_from: true,
    is_active: true,
    materialized_until: true,
    created_by: true,
    created_at: true,
  },
  leases: { name: true, holder: true, held_until: true },
  idempotency: {
    company_id: true,
    caller: true,
    operation: true,
    key: true,
    fingerprint: true,
    body: true,
    remarks: true,
    created_at: true,
  },
  annotations: {
    company_id: true,
    seq: true,
    id: true,
    module_id: true,
    chart_type: true,
    type: true,
    p1: true,
    p2: true,
    unit: true,
    content: true,
    user_id: true,
    created_at: true,
    updated_at: true,
  },
  alerts: {
    company_id: true,
    seq: true,
    id: true,
    module_id: true,
    parcel_id: true,
    annotation_id: true,
    threshold: true,
    hysteresis: true,
    reminder_time: true,
    source: true,
    is_active: true,
    created_by: true,
    created_at: true,
    updated_at: true,
  },
  alert_recipients: { company_id: true, seq: true, id: true, alert_id: true, user_id: true },
  alert_states: {
    company_id: true,
    alert_id: true,
    watched_from: true,
    evaluated_at: true,
    value: true,
    firing: true,
    since: true,
    touched_from: true,
    touches: true,
    touches_seen: true,
    told_firing: true,
    reminded_on: true,
    reminded_at: true,
    told_stale: true,
    rule_changed: true,
    due_at: true,
  },
  alert_episodes: { company_id: true, seq: true, alert_id: true, start_at: true, end_at: true, lowest: true },
  outbox: {
    company_id: true,
    seq: true,
    id: true,
    alert_id: true,
    kind: true,
    user_id: true,
    to_address: true,
    subject: true,
    text: true,
    html: true,
    created_at: true,
    state: true,
    message_id: true,
    tries: true,
    next_try_at: true,
    last_answer: true,
    sent_at: true,
  },
  api_keys: {
    company_id: true,
    id: true,
    hash: true,
    family: true,
    user_id: true,
    scopes: true,
    surface: true,
    created_at: true,
    expires_at: true,
    revoked_at: true,
    last_used_at: true,
  },
};

it('opens a file that several ask to make at the same time', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'new', 'deep', 'acequia.db');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ db: file })));
    await stores[0]?.writeAll((db) => db.insertInto('companies').values({ name: 'Mas Rouge' }).execute());
    for (const store of stores) {
      const companies = await store.readAll((db) => db.selectFrom('companies').select('name').execute());
      expect(companies).toEqual([{ name: 'Mas Rouge' }]);
    }
    await Promise.all(stores.map((store) => store.close()));
  }));

it('opens a current file without loading what migrates', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    vi.resetModules();
    vi.doMock('../../src/store/sqlite/migrate.ts', () => {
      throw new Error('loaded');
    });
    const fresh = await import('../../src/store/store.ts');
    await (await fresh.openStore({ db: file })).close();
    await expect(fresh.openStore({ db: join(folder, 'new.db') })).rejects.toThrow();
  }));

it('refuses a file of a newer program, and says to update', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    await (await openStore({ db: file })).close();
    const database = new DatabaseSync(file);
    database.exec("insert into kysely_migration values ('9999-from-the-future', '2199-01-01T00:00:00.000Z')");
    database.close();
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('newer Acequia'),
      hint: expect.stringContaining('Update'),
    });
  }));

it('leaves a database of another program as it was', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'other.db');
    const database = new DatabaseSync(file);
    database.exec('create table songs (title text)');
    await expect(openStore({ db: file })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('another program'),
    });
    expect(database.prepare('select name from sqlite_schema').all()).toEqual([{ name: 'songs' }]);
    expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' });
    database.close();
  }));

it('has every alert that was armed before anything watched them looked at as soon as something does', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'acequia.db');
    const before = await openStore({ db: file });
    await before.writeAll(async (all) => {
      const { id } = await all
        .insertInto('companies')
        .values({ name: 'Mas Rouge' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { moduleId } = await fillFarm(before.scopeToCompany(all, id), 'ours');
      const { id: userId } = await all.selectFrom('users').select('id').executeTakeFirstOrThrow();
      const rest = { company_id: id, annotation_id: null, source: 'manual' };
      for (const more of [
        { id: 'disabled', is_active: 0 as const },
        { id: 'without a probe', module_id: null },
      ])
        await all
          .insertInto('alerts')
          .values({ ...alertRow(moduleId, userId, 'ours'), ...rest, ...more })
          .execute();
    });
    await before.close();
    // The file as the version before left it.
    const database = new DatabaseSync(file);
    for (const table of ['api_keys', 'outbox', 'alert_episodes', 'alert_states']) database.exec(`drop table ${table}`);
    database.exec("delete from kysely_migration where name >= '0004'");
    database.close();
    const after = await openStore({ db: file });
    const states = await after.readAll((all) =>
      all.selectFrom('alert_states').select(['alert_id', 'due_at']).execute(),
    );
    await after.close();
    expect(states).toEqual([{ alert_id: 'alert-ours', due_at: 0 }]);
  }));

it('makes an empty file into a store', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'empty.db');
    await writeFile(file, '');
    await (await openStore({ db: file })).close();
    await rm(file);
  }));

onEachStore((withStore, isOnServer) => {
  it('makes exactly the columns of the typed schema', () =>
    withStore(async (store) => {
      const made: Record<string, string[]> = {};
      for (const table of await tableNames(store, isOnServer)) {
        const { rows } = await store.readAll((db) =>
          isOnServer
            ? sql<{
                name: string;
              }>`select column_name as name from information_schema.columns where table_name = ${table}`.execute(db)
            : sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db),
        );
        made[table] = rows.map(({ name }) => name).sort();
      }
      expect(made).toEqual(
        Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, Object.keys(of).sort()])),
      );
    }));

  it('gives no id twice, also after the newest row is deleted', () =>
    withStore(async (store) => {
      const add = () =>
        store.write(1, (db) =>
          db.insertInto('parcels').values({ name: 'North' }).returning('id').executeTakeFirstOrThrow(),
        );
      const first = await add();
      await store.write(1, (db) => db.deleteFrom('parcels').execute());
      expect((await add()).id).toBe(first.id + 1);
    }));

  it('counts ids from 1 over both companies', () =>
    withStore(async (store) => {
      const ids = [];
      for (const company of [1, 2, 1])
        ids.push(
          await store.write(company, (db) =>
            db
              .insertInto('parcels')
              .values({ name: `P${ids.length}` })
              .returning('id')
              .executeTakeFirstOrThrow(),
          ),
        );
      expect(ids).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    }));

  const withModule = (body: (write: (ask: (db: CompanyDb) => Promise<unknown>) => Promise<unknown>) => Promise<void>) =>
    withStore(async (store) => {
      await store.write(1, async (db) => {
        await db.insertInto('parcels').values({ name: 'North' }).execute();
        await db.insertInto('modules').values({ uid: 'A1', name: 'North 1' }).execute();
        await db.insertInto('users').values({ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }).execute();
      });
      await body((ask) => store.write(1, ask));
    });

  describe('what a company cannot have twice', () => {
    const rows: Record<string, (db: CompanyDb) => Promise<unknown>> = {
      'a user’s email': (db) => db.insertInto('users').values({ email: 'a@b', name: 'A', role: 'OWNER' }).execute(),
      'a parcel’s name': (db) => db.insertInto('parcels').values({ name: 'South' }).execute(),
      'a gateway’s imei': (db) => db.insertInto('gateways').values({ imei: '1', assigned_at: 0 }).execute(),
      'a module’s name': (db) => db.insertInto('modules').values({ uid: randomUUID(), name: 'South 1' }).execute(),
      'a module’s uid': (db) => db.insertInto('modules').values({ uid: 'B2' }).execute(),
      'a sensor of one type at one depth': (db) =>
        db.insertInto('sensors').values({ module_id: 1, type: 'humidity', depth: 10 }).execute(),
      'a sensor of one type without a depth': (db) =>
        db.insertInto('sensors').values({ module_id: 1, type: 'humidity', depth: null }).execute(),
      'a probe’s setup at one instant': (db) =>
        db.insertInto('installation_versions').values(installationRow(1, 'x')).execute(),
      'a parcel’s setup at one instant': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), scope: 'parcel', module_id: null, parcel_id: 1 })
          .execute(),
      'a probe’s placement': (db) => db.insertInto('placements').values({ module_id: 1, set_at: 0 }).execute(),
      'a reading at one instant': (db) => db.insertInto('readings').values({ sensor_id: 1, at: 0, value: 1 }).execute(),
      'an occurrence in one slot': (db) =>
        db
          .insertInto('waterings')
          .values({ ...wateringRow(1, 'x', 0), schedule_id: 1, slot: '2026-07-01T06:00' })
          .execute(),
      'an alert of one line': (db) =>
        db
          .insertInto('alerts')
          .values({ ...alertRow(1, 1, 'x'), id: randomUUID() })
          .execute(),
      'a recipient of one alert': async (db) => {
        await db
          .insertInto('alerts')
          .values(alertRow(1, 1, 'x'))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await db.insertInto('alert_recipients').values({ id: randomUUID(), alert_id: 'alert-x', user_id: 1 }).execute();
      },
      'what is known of one alert': async (db) => {
        await db
          .insertInto('alerts')
          .values(alertRow(1, 1, 'x'))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await db.insertInto('alert_states').values(alertStateRow('x')).execute();
      },
      'an episode of one alert from one instant on': async (db) => {
        await db
          .insertInto('alerts')
          .values(alertRow(1, 1, 'x'))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await db.insertInto('alert_episodes').values({ alert_id: 'alert-x', start_at: 0, lowest: 1 }).execute();
      },
      'an answer under one key': (db) =>
        db
          .insertInto('idempotency')
          .values({ caller: 'c', operation: 'o', key: 'k', fingerprint: 'f', body: 'b', remarks: '[]', created_at: 0 })
          .execute(),
    };
    for (const [what, insert] of Object.entries(rows))
      it(what, () =>
        withModule(async (write) => {
          await write(insert);
          await expect(write(insert)).rejects.toThrow(/unique/i);
        }),
      );

    it('but two modules without a name it can', () =>
      withModule(async (write) => {
        await write((db) =>
          db
            .insertInto('modules')
            .values([{ uid: 'B1' }, { uid: 'B2' }])
            .execute(),
        );
      }));
  });

  describe('what no row can hold', () => {
    const strange: Record<string, (db: CompanyDb) => Promise<unknown>> = {
      'an unknown status': (db) =>
        db
          .insertInto('waterings')
          .values({ ...wateringRow(1, 'x', 0), status: 'maybe' })
          .execute(),
      'a wetted fraction of 0': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), fraction_wetted: 0 })
          .execute(),
      'a wetted fraction above 1': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), fraction_wetted: 1.01 })
          .execute(),
      'a setup that ends before it starts': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), valid_from: 5, valid_to: 4 })
          .execute(),
      'a setup of another scope': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), scope: 'farm' })
          .execute(),
      'a setup of a probe and a parcel': (db) =>
        db
          .insertInto('installation_versions')
          .values({ ...installationRow(1, 'x'), parcel_id: 1 })
          .execute(),
      'a watering of a module that is not there': (db) =>
        db
          .insertInto('waterings')
          .values(wateringRow(9, 'x', 0))
          .execute(),
      'a drawing on a curve that does not exist': (db) =>
        db
          .insertInto('annotations')
          .values({ ...annotationRow(1, 1, 'x'), chart_type: 'rain' })
          .execute(),
      'a drawing in a unit on a curve that has none': (db) =>
        db
          .insertInto('annotations')
          .values({ ...annotationRow(1, 1, 'x'), chart_type: 'tensio' })
          .execute(),
      'a drawing of nobody': (db) =>
        db
          .insertInto('annotations')
          .values(annotationRow(1, 9, 'x'))
          .execute(),
      'an alert of another source': (db) =>
        db
          .insertInto('alerts')
          .values({ ...alertRow(1, 1, 'x'), source: 'rain' })
          .execute(),
      'an alert born from a line without the line': (db) =>
        db
          .insertInto('alerts')
          .values({ ...alertRow(1, 1, 'x'), annotation_id: null })
          .execute(),
      'a state of an alert that is not there': (db) =>
        db.insertInto('alert_states').values(alertStateRow('x')).execute(),
      'an alert that fires since no time': async (db) => {
        await db
          .insertInto('alerts')
          .values(alertRow(1, 1, 'x'))
          .execute();
        await db
          .insertInto('alert_states')
          .values({ ...alertStateRow('x'), since: null })
          .execute();
      },
      'a message of another kind': async (db) => {
        await db
          .insertInto('alerts')
          .values(alertRow(1, 1, 'x'))
          .execute();
        await db
          .insertInto('outbox')
          .values({ ...messageRow(1, 'x'), kind: 'greeting' })
          .execute();
      },
      'text where a number belongs': (db) =>
        db
          .insertInto('readings')
          .values({ sensor_id: 1, at: 0, value: 'wet' as never })
          .execute(),
      'a part of a millisecond': (db) =>
        db.insertInto('readings').values({ sensor_id: 1, at: 0.5, value: 1 }).execute(),
    };
    for (const [what, insert] of Object.entries(strange))
      it(what, () => withModule(async (write) => void (await expect(write(insert)).rejects.toThrow())));
  });
});

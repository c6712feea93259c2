import { type Kysely, sql } from 'kysely';
import { lastOf } from '../domain/items.ts';
import { say, verbatim } from '../domain/text/say.ts';
import { storeUnavailableError } from '../schema/error.ts';
import { decodeRows, encodeRows } from './changes/changed-rows-text.ts';
import type { ColumnTypes } from './schema/column-types.ts';
import { createUnassignedReadings } from './schema/device-tables.ts';
import { SchemaBuilder } from './schema/schema-builder.ts';
import { type ChangedRow, keyOf, type RowImage } from './scope/recorded-rows.ts';
import { newerStoreError } from './store-state-errors.ts';

// Before the first release a store had 25 migrations. This file converts one that has them all,
// with every row, to the first schema. Delete it at 1.0, with its uses in store-state.ts and
// apply-migrations.ts.

const UNRELEASED_MIGRATIONS: readonly string[] = [
  '0001-first-tables',
  '0002-schedules',
  '0003-annotations-and-alerts',
  '0004-alert-watch',
  '0005-api-keys',
  '0006-answers-by-company',
  '0007-pending-plans',
  '0008-parcel-area',
  '0009-probe-settings',
  '0010-changes',
  '0011-watering-blocks',
  '0012-secrets',
  '0013-rain-and-weather',
  '0014-devices',
  '0015-sessions',
  '0016-forecasts-and-stations',
  '0017-device-status',
  '0018-pull-marks',
  '0019-moved-rain',
  '0020-long-waterings',
  '0021-removals',
  '0022-lists-in-slices',
  '0023-due-alerts',
  '0025-change-counts',
  '0026-device-senders',
];

/** Throws for a store that this file cannot convert. */
export function assertConvertible(
  location: string,
  applied: readonly string[],
  isUnfinishedCopy: boolean,
): void {
  const isNewer = applied.some((name) => !UNRELEASED_MIGRATIONS.includes(name));
  if (isNewer) throw newerStoreError(location);

  const last = lastOf(UNRELEASED_MIGRATIONS);
  if (applied.length < UNRELEASED_MIGRATIONS.length)
    throw storeUnavailableError(
      say`The store ${verbatim(location)} is too old for this Acequia. Nothing was changed.`,
      say`Open it once with the Acequia whose last migration is ${verbatim(last)} ("acequia tick --db" brings it up to date), then with this one. Or name another store with --db or ACEQUIA_DB.`,
    );

  if (isUnfinishedCopy)
    throw storeUnavailableError(
      say`${verbatim(location)} is an unfinished copy that an older Acequia made of another store.`,
      say`Remove what is there, and run "acequia copy" again.`,
    );
}

const RENAMED_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

/** Call it in the transaction of the migrations. */
export async function convertIfUnreleased(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  if (rows.every(({ name }) => UNRELEASED_MIGRATIONS.includes(name))) await convert(db, types);
}

/** A check constraint keeps its name, which only error messages show. */
async function convert(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await convertChangedRows(db.withTables<ChangesTable>());

  for (const [table, columns] of Object.entries(RENAMED_COLUMNS))
    for (const [from, to] of Object.entries(columns))
      await db.schema.alterTable(table).renameColumn(from, to).execute();

  const schema = new SchemaBuilder(db, types);
  await renameIndexes(schema);
  await convertUnassignedReadings(schema);

  // A new store does not check the chart. SQLite 3.53.0 finds no constraint whose name is quoted.
  await sql`alter table annotations drop constraint annotations_chart_type`.execute(db);

  await sql`delete from kysely_migration`.execute(db);
  await sql`insert into kysely_migration (name, timestamp)
    values ('0001-first-schema', ${new Date().toISOString()})`.execute(db);
}

/** SQLite cannot rename an index. */
async function renameIndexes(schema: SchemaBuilder): Promise<void> {
  for (const name of ['waterings_by_slot', 'alert_states_touched', 'outbox_by_try'])
    await schema.db.schema.dropIndex(name).execute();

  await schema
    .uniqueIndex('waterings_by_scheduled_start', 'waterings', [
      'company_id',
      'schedule_id',
      'module_id',
      'scheduled_start',
    ])
    .where(sql.ref('schedule_id'), 'is not', null)
    .execute();
  await schema
    .index('alert_states_pending', 'alert_states', ['company_id'])
    .where(sql.ref('pending_marks'), '>', sql.ref('evaluated_marks'))
    .execute();
  await schema
    .index('outbox_by_attempt', 'outbox', ['next_attempt_at', 'seq'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
}

/**
 * The column `place` held the position in the depths of the device ("#2"), the depth in cm, "null"
 * for a sensor without one, the minutes of rain, "day" for the rain since midnight, or nothing.
 */
async function convertUnassignedReadings(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  await sql`create table placed_readings as select * from device_readings`.execute(db);
  await db.schema.dropTable('device_readings').execute();
  await createUnassignedReadings(schema);

  await sql`insert into device_readings
      (company_id, device, at, type, position, depth_cm, minutes, is_day_total, value)
    select company_id, device, at, type,
      case when place like '#%' then cast(substr(place, 2) as integer) end,
      case when type <> 'rain' and place not in ('', 'null') and place not like '#%'
        then cast(place as ${types.real}) end,
      case when type = 'rain' and place not in ('', 'day') then cast(place as ${types.real}) end,
      case when place = 'day' then 1 else 0 end, value
    from placed_readings order by company_id, device, at, type, place`.execute(db);
  await db.schema.dropTable('placed_readings').execute();
}

type ChangesTable = {
  changes: { company_id: number; id: number; changed_rows: string | null };
};

const CHANGES_PER_PAGE = 20;

/** Changes hold rows as they were stored, so that they can be undone. */
async function convertChangedRows(db: Kysely<ChangesTable>): Promise<void> {
  for (let afterId = -1; ; ) {
    const page = await db
      .selectFrom('changes')
      .selectAll()
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(CHANGES_PER_PAGE)
      .execute();

    for (const { company_id, id, changed_rows: text } of page) {
      afterId = id;
      if (text === null) continue;
      const converted = await encodeRows((await decodeRows(text)).map(convertChangedRow));
      if (converted !== text)
        await db
          .updateTable('changes')
          .set({ changed_rows: converted })
          .where('company_id', '=', company_id)
          .where('id', '=', id)
          .execute();
    }

    if (page.length < CHANGES_PER_PAGE) return;
  }
}

function convertChangedRow({ table, key, before, after }: ChangedRow): ChangedRow {
  const images = { before: convertImage(table, before), after: convertImage(table, after) };
  if (table !== 'device_readings') return { table, key, ...images };
  return { table, key: keyOf(table, images.before ?? images.after ?? {}), ...images };
}

function convertImage(table: string, image: RowImage | null): RowImage | null {
  if (image === null) return null;

  const renamed = RENAMED_COLUMNS[table] ?? {};
  const converted = Object.fromEntries(
    Object.entries(image).map(([column, value]) => [renamed[column] ?? column, value]),
  );
  if (table !== 'device_readings') return converted;

  const { place, ...reading } = converted;
  return { ...reading, ...columnsOfPlace(String(reading.type), String(place)) };
}

/** As `convertUnassignedReadings` does in SQL. */
function columnsOfPlace(type: string, place: string): RowImage {
  const columns = { position: null, depth_cm: null, minutes: null, is_day_total: 0 };
  if (place.startsWith('#')) return { ...columns, position: Number(place.slice(1)) };
  if (place === 'day') return { ...columns, is_day_total: 1 };
  if (place === '' || place === 'null') return columns;
  return type === 'rain'
    ? { ...columns, minutes: Number(place) }
    : { ...columns, depth_cm: Number(place) };
}

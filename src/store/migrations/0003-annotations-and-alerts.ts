import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// Ids are UUIDs; `seq` keeps the order of creation.

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant } = types;

  const owned = (name: string) =>
    types
      .companyTable(db.schema.createTable(name), name, 'seq')
      .addColumn('seq', 'integer', types.companyRowId)
      .addColumn('id', 'text', types.uniqueText)
      .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'));

  const unique = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).unique().on(table).columns(columns);

  await unique('users_by_id', 'users', ['company_id', 'id']).execute();

  await owned('annotations')
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('chart_type', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('p1', 'text', (c) => c.notNull())
    .addColumn('p2', 'text')
    .addColumn('unit', 'text')
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('updated_at', instant, (c) => c.notNull())
    .addForeignKeyConstraint('annotations_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('annotations_author', ['company_id', 'user_id'], 'users', [
      'company_id',
      'id',
    ])
    .addCheckConstraint(
      'annotations_chart_type',
      sql`chart_type in ('humidity', 'humidity-detail', 'humidity-heatmap', 'temperature', 'tensio')`,
    )
    .addCheckConstraint(
      'annotations_unit',
      sql`(unit in ('vwc', 'vwc_max', 'mm') and chart_type in ('humidity', 'humidity-detail'))
        or (unit is null and chart_type not in ('humidity', 'humidity-detail'))`,
    )
    .execute();
  await db.schema
    .createIndex('annotations_by_module')
    .on('annotations')
    .columns(['company_id', 'module_id', 'chart_type', 'seq'])
    .execute();

  await owned('alerts')
    .addColumn('module_id', 'integer')
    .addColumn('parcel_id', 'integer')
    .addColumn('annotation_id', 'text')
    .addColumn('threshold', 'text', (c) => c.notNull())
    .addColumn('hysteresis', 'text', (c) => c.notNull())
    .addColumn('reminder_time', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('is_active', 'integer', (c) => c.notNull())
    .addColumn('created_by', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('updated_at', instant, (c) => c.notNull())
    .addForeignKeyConstraint('alerts_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('alerts_parcel', ['company_id', 'parcel_id'], 'parcels', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('alerts_author', ['company_id', 'created_by'], 'users', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('alerts_source', sql`source in ('manual', 'annotation')`)
    .addCheckConstraint('alerts_line', sql`source = 'manual' or annotation_id is not null`)
    .addCheckConstraint('alerts_flag', sql`is_active in (0, 1)`)
    .execute();
  await unique('alerts_by_id', 'alerts', ['company_id', 'id']).execute();
  await unique('alerts_by_line', 'alerts', ['company_id', 'annotation_id'])
    .where(sql.ref('annotation_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('alerts_by_module')
    .on('alerts')
    .columns(['company_id', 'module_id', 'seq'])
    .execute();

  await owned('alert_recipients')
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addForeignKeyConstraint('alert_recipients_alert', ['company_id', 'alert_id'], 'alerts', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('alert_recipients_user', ['company_id', 'user_id'], 'users', [
      'company_id',
      'id',
    ])
    .execute();
  await unique('alert_recipients_once', 'alert_recipients', [
    'company_id',
    'alert_id',
    'user_id',
  ]).execute();
  for (const table of ['annotations', 'alerts', 'alert_recipients'])
    await types.indexAcrossCompanies(db, table, 'id');
}

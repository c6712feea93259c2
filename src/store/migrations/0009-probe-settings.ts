import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;
  await types
    .clusteredTable(db.schema.createTable('probe_settings'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('valid_from', instant, (c) => c.notNull())
    .addColumn('set_at', instant, (c) => c.notNull())
    .addColumn('root_depth_cm', real)
    .addColumn('depth_weights', 'text')
    .addColumn('allowed_depletion', real)
    .addColumn('refill_percent', real)
    .addColumn('efficiency_percent', real)
    .addColumn('leaching_percent', real)
    .addColumn('hours_per_day', real)
    .addPrimaryKeyConstraint('probe_settings_key', ['company_id', 'module_id', 'valid_from'])
    .addForeignKeyConstraint('probe_settings_module', ['company_id', 'module_id'], 'modules', [
      'company_id',
      'id',
    ])
    .execute();
  // Earlier versions stored no date of a setting, which applied to the whole past.
  await sql`insert into probe_settings (company_id, module_id, valid_from, set_at, root_depth_cm, depth_weights)
    select company_id, id, 0, 0, root_depth_cm, depth_weights from modules
    where root_depth_cm is not null or depth_weights is not null`.execute(db);
  await db.schema.alterTable('modules').dropColumn('root_depth_cm').execute();
  await db.schema.alterTable('modules').dropColumn('depth_weights').execute();
}

import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// The planned waterings of a removed schedule or module are deleted in several transactions. Until
// then its row stays, because they refer to it.

export async function up(db: Kysely<unknown>, { instant }: ColumnTypes): Promise<void> {
  for (const table of ['schedules', 'modules'])
    await db.schema.alterTable(table).addColumn('removed_at', instant).execute();
  await db.schema
    .alterTable('pending_plans')
    .addColumn('is_removal', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  // A schedule can have thousands of waterings, but few that a person has edited.
  await db.schema
    .createIndex('waterings_edited')
    .on('waterings')
    .columns(['company_id', 'schedule_id'])
    .where(sql<boolean>`is_detached = 1`)
    .execute();
}

import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// A list reads the rows of its page and no others, and adds up the rest in slices of an index.
// There is an index of waterings for each status, because thousands of planned ones may start after
// the newest one that is done.

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.dropIndex('waterings_by_start').execute();
  for (const status of ['done', 'planned', 'skipped'])
    await db.schema
      .createIndex(`waterings_${status}`)
      .on('waterings')
      .columns(['company_id', 'started_at', 'id'])
      .where(sql.ref('status'), '=', sql.lit(status))
      .execute();

  await types.indexWithinCompany(db, 'changes', 'id');
  await types.indexWithinCompany(db, 'alerts', 'seq');
  await db.schema
    .createIndex('outbox_undelivered')
    .on('outbox')
    .column('seq')
    .where(sql.ref('state'), '!=', sql.lit('sent'))
    .execute();
}

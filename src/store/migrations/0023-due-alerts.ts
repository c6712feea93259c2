import { type Kysely, sql } from 'kysely';

/** Alerts to evaluate are found after each batch of readings, among those of the whole company. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('alert_states_touched')
    .on('alert_states')
    .column('company_id')
    .where(sql.ref('touches'), '>', sql.ref('touches_seen'))
    .execute();
  await db.schema
    .createIndex('alert_states_by_due')
    .on('alert_states')
    .columns(['company_id', 'due_at'])
    .execute();
}

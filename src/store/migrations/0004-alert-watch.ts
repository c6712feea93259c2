import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { instant, real } = types;

  await types
    .table(db.schema.createTable('alert_states'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('watched_from', instant)
    .addColumn('evaluated_at', instant)
    .addColumn('value', real)
    .addColumn('firing', 'integer', (c) => c.notNull())
    .addColumn('since', instant)
    .addColumn('touched_from', instant)
    .addColumn('touches', 'integer', (c) => c.notNull())
    .addColumn('touches_seen', 'integer', (c) => c.notNull())
    .addColumn('told_firing', 'integer', (c) => c.notNull())
    .addColumn('reminded_on', 'text')
    .addColumn('reminded_at', instant)
    .addColumn('rule_changed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('told_stale', 'integer', (c) => c.notNull())
    .addColumn('due_at', instant)
    .addPrimaryKeyConstraint('alert_states_key', ['company_id', 'alert_id'])
    .addForeignKeyConstraint('alert_states_alert', ['company_id', 'alert_id'], 'alerts', [
      'company_id',
      'id',
    ])
    .addCheckConstraint(
      'alert_states_flags',
      sql`firing in (0, 1) and told_firing in (0, 1) and told_stale in (0, 1) and rule_changed in (0, 1)`,
    )
    .addCheckConstraint('alert_states_since', sql`(firing = 1) = (since is not null)`)
    .execute();
  // Alerts from before this migration are evaluated at the first opportunity.
  await sql`insert into alert_states
    (company_id, alert_id, firing, touches, touches_seen, told_firing, told_stale, due_at)
    select company_id, id, 0, 0, 0, 0, 0, 0 from alerts where is_active = 1 and module_id is not null`.execute(
    db,
  );

  await types
    .companyTable(db.schema.createTable('alert_episodes'), 'alert_episodes', 'seq')
    .addColumn('seq', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('start_at', instant, (c) => c.notNull())
    .addColumn('end_at', instant)
    .addColumn('lowest', real, (c) => c.notNull())
    .addForeignKeyConstraint('alert_episodes_alert', ['company_id', 'alert_id'], 'alerts', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('alert_episodes_period', sql`end_at is null or end_at >= start_at`)
    .execute();
  await db.schema
    .createIndex('alert_episodes_by_start')
    .unique()
    .on('alert_episodes')
    .columns(['company_id', 'alert_id', 'start_at'])
    .execute();

  await types
    .companyTable(db.schema.createTable('outbox'), 'outbox', 'seq')
    .addColumn('seq', 'integer', types.companyRowId)
    .addColumn('id', 'text', types.uniqueText)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('to_address', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('html', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('message_id', 'text')
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('next_try_at', instant, (c) => c.notNull())
    .addColumn('last_answer', 'text')
    .addColumn('sent_at', instant)
    .addForeignKeyConstraint('outbox_alert', ['company_id', 'alert_id'], 'alerts', [
      'company_id',
      'id',
    ])
    .addForeignKeyConstraint('outbox_user', ['company_id', 'user_id'], 'users', [
      'company_id',
      'id',
    ])
    .addCheckConstraint('outbox_kind', sql`kind in ('fired', 'reminder', 'resolved', 'stale')`)
    .addCheckConstraint('outbox_state', sql`state in ('waiting', 'sent', 'refused')`)
    .addCheckConstraint('outbox_sent', sql`(state = 'sent') = (sent_at is not null)`)
    .execute();
  await db.schema
    .createIndex('outbox_by_try')
    .on('outbox')
    .columns(['next_try_at', 'seq'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
  await db.schema
    .createIndex('outbox_by_alert')
    .on('outbox')
    .columns(['company_id', 'alert_id', 'state'])
    .execute();
  await types.indexAcrossCompanies(db, 'outbox', 'id');
}

import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createAlertTables(schema: SchemaBuilder): Promise<void> {
  await createAnnotations(schema);
  await createAlerts(schema);
  await createAlertStates(schema);
  await createOutbox(schema);
}

async function createAnnotations(schema: SchemaBuilder): Promise<void> {
  const { instant } = schema.types;

  await schema
    .identified('annotations')
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
    .$call(reference('annotations_module', 'module_id', 'modules'))
    .$call(reference('annotations_author', 'user_id', 'users'))
    .addCheckConstraint(
      'annotations_unit',
      sql`(unit in ('vwc', 'vwc_max', 'mm') and chart_type in ('humidity', 'humidity-detail'))
        or (unit is null and chart_type not in ('humidity', 'humidity-detail'))`,
    )
    .execute();
  await schema
    .index('annotations_by_module', 'annotations', ['company_id', 'module_id', 'chart_type', 'seq'])
    .execute();
  await schema.indexAcrossCompanies('annotations');
}

async function createAlerts(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  const { instant } = types;

  await schema
    .identified('alerts')
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
    .$call(reference('alerts_module', 'module_id', 'modules'))
    .$call(reference('alerts_parcel', 'parcel_id', 'parcels'))
    .$call(reference('alerts_author', 'created_by', 'users'))
    .addCheckConstraint('alerts_source', sql`source in ('manual', 'annotation')`)
    .addCheckConstraint('alerts_line', sql`source = 'manual' or annotation_id is not null`)
    .addCheckConstraint('alerts_flag', sql`is_active in (0, 1)`)
    .execute();
  await schema.uniqueIndex('alerts_by_id', 'alerts', ['company_id', 'id']).execute();
  await schema
    .uniqueIndex('alerts_by_line', 'alerts', ['company_id', 'annotation_id'])
    .where(sql.ref('annotation_id'), 'is not', null)
    .execute();
  await schema.index('alerts_by_module', 'alerts', ['company_id', 'module_id', 'seq']).execute();
  await types.indexWithinCompany(db, 'alerts', 'seq');
  await schema.indexAcrossCompanies('alerts');

  await schema
    .identified('alert_recipients')
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .$call(reference('alert_recipients_alert', 'alert_id', 'alerts'))
    .$call(reference('alert_recipients_user', 'user_id', 'users'))
    .execute();
  await schema
    .uniqueIndex('alert_recipients_once', 'alert_recipients', ['company_id', 'alert_id', 'user_id'])
    .execute();
  await schema.indexAcrossCompanies('alert_recipients');
}

async function createAlertStates(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  const { instant, real } = types;

  await types
    .table(db.schema.createTable('alert_states'))
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('evaluate_from', instant)
    .addColumn('evaluated_at', instant)
    .addColumn('value', real)
    .addColumn('is_firing', 'integer', (c) => c.notNull())
    .addColumn('since', instant)
    .addColumn('pending_from', instant)
    .addColumn('pending_marks', 'integer', (c) => c.notNull())
    .addColumn('evaluated_marks', 'integer', (c) => c.notNull())
    .addColumn('notified_firing', 'integer', (c) => c.notNull())
    .addColumn('reminded_on', 'text')
    .addColumn('reminded_at', instant)
    .addColumn('is_rule_changed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('notified_stale', 'integer', (c) => c.notNull())
    .addColumn('due_at', instant)
    .addPrimaryKeyConstraint('alert_states_key', ['company_id', 'alert_id'])
    .$call(reference('alert_states_alert', 'alert_id', 'alerts'))
    .addCheckConstraint(
      'alert_states_flags',
      sql`is_firing in (0, 1) and notified_firing in (0, 1) and notified_stale in (0, 1)
        and is_rule_changed in (0, 1)`,
    )
    .addCheckConstraint('alert_states_since', sql`(is_firing = 1) = (since is not null)`)
    .execute();
  // Alerts to evaluate are found after each batch of readings, among those of the whole company.
  await schema
    .index('alert_states_pending', 'alert_states', ['company_id'])
    .where(sql.ref('pending_marks'), '>', sql.ref('evaluated_marks'))
    .execute();
  await schema.index('alert_states_by_due', 'alert_states', ['company_id', 'due_at']).execute();

  await types
    .companyTable(db.schema.createTable('alert_episodes'), 'alert_episodes', 'seq')
    .addColumn('seq', 'integer', types.companyRowId)
    .addColumn('company_id', 'integer', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('ended_at', instant)
    .addColumn('lowest', real, (c) => c.notNull())
    .$call(reference('alert_episodes_alert', 'alert_id', 'alerts'))
    .addCheckConstraint('alert_episodes_period', sql`ended_at is null or ended_at >= started_at`)
    .execute();
  await schema
    .uniqueIndex('alert_episodes_by_start', 'alert_episodes', [
      'company_id',
      'alert_id',
      'started_at',
    ])
    .execute();
}

async function createOutbox(schema: SchemaBuilder): Promise<void> {
  const { db, types } = schema;
  const { instant } = types;

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
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at', instant, (c) => c.notNull())
    .addColumn('last_response', 'text')
    .addColumn('sent_at', instant)
    .addColumn('session_id', 'integer')
    .$call(reference('outbox_alert', 'alert_id', 'alerts'))
    .$call(reference('outbox_user', 'user_id', 'users'))
    .addCheckConstraint('outbox_kind', sql`kind in ('fired', 'reminder', 'resolved', 'stale')`)
    .addCheckConstraint('outbox_state', sql`state in ('waiting', 'sent', 'refused')`)
    .addCheckConstraint('outbox_sent', sql`(state = 'sent') = (sent_at is not null)`)
    .execute();
  await schema
    .index('outbox_by_attempt', 'outbox', ['next_attempt_at', 'seq'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
  await schema.index('outbox_by_alert', 'outbox', ['company_id', 'alert_id', 'state']).execute();
  await schema
    .index('outbox_undelivered', 'outbox', ['seq'])
    .where(sql.ref('state'), '!=', sql.lit('sent'))
    .execute();
  await schema.indexAcrossCompanies('outbox');
}

import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

// A watering of two hours or more contains a multiple of two hours since 1970. Its node is one of
// these that is a multiple of 1,024 hours, else of 512, and so on. No watering contains two
// multiples of 1,024 hours, because it lasts at most 31 days.

const HOUR_MS = 3_600_000;
const STEPS_HOURS = [1024, 512, 256, 128, 64, 32, 16, 8, 4, 2];

const DURATION_MS = '(duration_min * 60000)';
const LAST_MS = `(started_at + ${DURATION_MS} - 1)`;

const nodeAtStep = (stepMs: number): string =>
  `when ${LAST_MS} % ${stepMs} < ${DURATION_MS} then ${LAST_MS} - ${LAST_MS} % ${stepMs}`;

const INTERVAL_NODE = `case when duration_min < 120 or status = 'skipped' then null
  ${STEPS_HOURS.map((hours) => nodeAtStep(hours * HOUR_MS)).join('\n  ')} end`;

export async function createWaterings(schema: SchemaBuilder): Promise<void> {
  const { types } = schema;
  const { instant, real } = types;

  await schema
    .numbered('waterings')
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .$call(reference('waterings_module', 'module_id', 'modules'))
    .addColumn('schedule_id', 'integer')
    .addColumn('is_detached', 'integer', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('duration_min', 'integer')
    .addColumn('input_mode', 'text', (c) => c.notNull())
    .addColumn('input_depth_mm', real)
    .addColumn('input_volume_m3', real)
    .addColumn('water_mm', real)
    .addColumn('water_mm_wetted', real)
    .addColumn('dose_installation_id', 'integer')
    .addColumn('dose_scope', 'text')
    .addColumn('dose_system', 'text')
    .addColumn('dose_flow_mm_per_h', real)
    .addColumn('dose_fraction_wetted', real)
    .addColumn('dose_fraction_wetted_is_default', 'integer', (c) => c.notNull())
    .addColumn('dose_irrigated_area_m2', real)
    .addColumn('dose_computed_at', instant)
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('verified_at', instant)
    .addColumn('note', 'text')
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('scheduled_start', 'text')
    .addColumn('irrigation_id', 'integer')
    .addColumn('ended_at', instant, types.generatedInstant(`started_at + ${DURATION_MS}`))
    .addColumn('interval_node', instant, types.generatedInstant(INTERVAL_NODE))
    .addCheckConstraint('waterings_status', sql`status in ('planned', 'done', 'skipped')`)
    .addCheckConstraint('waterings_source', sql`source in ('manual', 'schedule', 'api', 'mcp')`)
    .addCheckConstraint('waterings_mode', sql`input_mode in ('duration', 'depth_mm', 'volume_m3')`)
    .addCheckConstraint(
      'waterings_flags',
      sql`is_detached in (0, 1) and dose_fraction_wetted_is_default in (0, 1)`,
    )
    .addCheckConstraint(
      'waterings_scope',
      sql`dose_scope is null or dose_scope in ('module', 'parcel')`,
    )
    .addCheckConstraint(
      'waterings_fraction',
      sql`dose_fraction_wetted is null or (dose_fraction_wetted > 0 and dose_fraction_wetted <= 1)`,
    )
    .execute();

  await schema.index('waterings_by_module', 'waterings', ORDERED_BY_MODULE).execute();
  await createScheduleIndexes(schema);
  await createLookupIndexes(schema);
  // Of two indexes that SQLite takes for equally good it uses the older one, so these come last: a
  // list of the waterings of one schedule must not read those of the whole company.
  await createStatusIndexes(schema);
}

const ORDERED_BY_MODULE = ['company_id', 'module_id', 'started_at', 'id'];

async function createScheduleIndexes(schema: SchemaBuilder): Promise<void> {
  const schedule = ['company_id', 'schedule_id'];
  await schema
    .uniqueIndex('waterings_by_scheduled_start', 'waterings', [
      ...schedule,
      'module_id',
      'scheduled_start',
    ])
    .where(sql.ref('schedule_id'), 'is not', null)
    .execute();
  await schema
    .index('waterings_by_schedule', 'waterings', [...schedule, 'status', 'started_at'])
    .where(sql.ref('schedule_id'), 'is not', null)
    .execute();
  // A schedule can have thousands of waterings, but few that a person has edited.
  await schema
    .index('waterings_edited', 'waterings', schedule)
    .where(sql<boolean>`is_detached = 1`)
    .execute();
}

async function createLookupIndexes(schema: SchemaBuilder): Promise<void> {
  // A probe can have thousands of planned waterings, but few without a dose, or that no schedule
  // changes.
  await schema
    .index('waterings_without_dose', 'waterings', ORDERED_BY_MODULE)
    .where(sql<boolean>`water_mm is null or dose_installation_id is null`)
    .execute();
  await schema
    .index('waterings_by_hand', 'waterings', ORDERED_BY_MODULE)
    .where(sql<boolean>`schedule_id is null or is_detached = 1`)
    .execute();

  for (const [name, column] of [
    ['waterings_long_by_end', 'ended_at'],
    ['waterings_long_by_start', 'started_at'],
  ] as const)
    await schema
      .index(name, 'waterings', ['company_id', 'module_id', 'interval_node', column])
      .where(sql.ref('interval_node'), 'is not', null)
      .execute();
  await schema.indexAcrossCompanies('waterings');
}

/**
 * A list reads the rows of its page and no others, and adds up the rest in slices of an index.
 * There is one for each status, because thousands of planned waterings may start after the newest
 * one that is done.
 */
async function createStatusIndexes(schema: SchemaBuilder): Promise<void> {
  for (const status of ['done', 'planned', 'skipped'])
    await schema
      .index(`waterings_${status}`, 'waterings', ['company_id', 'started_at', 'id'])
      .where(sql.ref('status'), '=', sql.lit(status))
      .execute();
}

import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

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

const INDEXES = [
  ['waterings_long_by_end', 'ended_at'],
  ['waterings_long_by_start', 'started_at'],
] as const;

export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await types.addGeneratedInstants(db, 'waterings', {
    ended_at: `started_at + ${DURATION_MS}`,
    interval_node: INTERVAL_NODE,
  });

  for (const [name, column] of INDEXES)
    await db.schema
      .createIndex(name)
      .on('waterings')
      .columns(['company_id', 'module_id', 'interval_node', column])
      .where(sql.ref('interval_node'), 'is not', null)
      .execute();
}

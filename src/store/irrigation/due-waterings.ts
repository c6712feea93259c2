import { type ExpressionBuilder, sql } from 'kysely';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { CompanyTables } from '../tables.ts';

type Waterings = ExpressionBuilder<CompanyTables, 'waterings'>;

/**
 * A planned watering has begun, and its schedule counts it as done. That it does not yet is a
 * matter of when the jobs last ran.
 */
export const isDue = (eb: Waterings, now: number) =>
  eb.and([
    eb('status', '=', sql.lit<WateringStatus>('planned')),
    eb('is_detached', '=', sql.lit(0)),
    eb('started_at', '<=', now),
    eb.exists(
      eb
        .selectFrom('schedules')
        .whereRef('schedules.id', '=', 'waterings.schedule_id')
        .whereRef('schedules.auto_confirm_from', '<=', 'waterings.started_at')
        .select('schedules.id'),
    ),
  ]);

/** The status once the jobs have run. */
export const statusOnceRun = (eb: Waterings, now: number) =>
  eb.case().when(isDue(eb, now)).then(sql.lit<WateringStatus>('done')).else(eb.ref('status')).end();

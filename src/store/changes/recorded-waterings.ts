import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { CompanyTables } from '../tables.ts';

export type WateringCondition = (
  eb: ExpressionBuilder<CompanyTables, 'waterings'>,
) => Expression<SqlBool>;

/** Planned waterings are derived from their schedule, so changes do not record them. */
export const isRecordedWatering: WateringCondition = (eb) =>
  eb.or([eb('schedule_id', 'is', null), eb('is_detached', '=', 1), eb('status', '!=', 'planned')]);

// A schedule can have hundreds of thousands of planned waterings. Each of these conditions has an
// index that leaves them out. A partial index applies only if the query has its literal.
export const isEdited: WateringCondition = (eb) => eb('is_detached', '=', eb.lit(1));
export const isConfirmed: WateringCondition = (eb) => eb('status', 'in', ['done', 'skipped']);
export const hasBegun =
  (now: number): WateringCondition =>
  (eb) =>
    eb('started_at', '<=', now);

import {
  AliasNode,
  AndNode,
  ColumnNode,
  type ColumnUpdateNode,
  type OperationNode,
  ParensNode,
  ReferenceNode,
  TableNode,
  WhereNode,
} from 'kysely';
import type { CompanyTables } from '../tables.ts';

/** An object rather than a list, so that the compiler finds a missing table. */
export const companyTables: ReadonlySet<string> = new Set(
  Object.keys({
    users: true,
    parcels: true,
    gateways: true,
    modules: true,
    probe_settings: true,
    sensors: true,
    soil_layers: true,
    installation_versions: true,
    placements: true,
    waterings: true,
    schedules: true,
    rain: true,
    weather_days: true,
    station_readings: true,
    forecasts: true,
    pending_plans: true,
    readings: true,
    reading_hours: true,
    reading_days: true,
    reading_local_days: true,
    local_day_zones: true,
    idempotency: true,
    changes: true,
    change_counts: true,
    annotations: true,
    alerts: true,
    alert_recipients: true,
    alert_states: true,
    alert_episodes: true,
    outbox: true,
    devices: true,
    device_status: true,
    device_readings: true,
    pull_marks: true,
    api_keys: true,
    sessions: true,
  } satisfies Record<keyof CompanyTables, true>),
);

export const companyColumn = 'company_id';

/**
 * Tables whose removed rows stay, hidden, while the planned waterings that refer to them are
 * deleted in steps.
 */
const REMOVED_IN_STEPS = [
  'modules',
  'schedules',
] as const satisfies readonly (keyof CompanyTables)[];

export type TableRemovedInSteps = (typeof REMOVED_IN_STEPS)[number];

export const isRemovedInSteps = (table: string): table is TableRemovedInSteps =>
  (REMOVED_IN_STEPS as readonly string[]).includes(table);

/** A company handle only adds rows to this table. */
const AUDIT_LOG: keyof CompanyTables = 'changes';

/** Words that could reach rows, and that raw SQL must therefore not contain. */
export const forbiddenSql = new RegExp(
  `\\b(?:select|table|insert|update|delete|pragma|attach|set_config|sqlite_\\w+|pg_\\w+|kysely_\\w+|${companyColumn}|companies|leases|secrets|${[...companyTables].join('|')})\\b`,
  'i',
);

/** A programming error, which the first test of the query reveals. */
export class ScopeError extends Error {
  override readonly name = 'ScopeError';
}

/** The kinds of nodes in which a table is narrowed, or needs not be. */
export const allowedTableParents: ReadonlySet<string> = new Set([
  'FromNode',
  'JoinNode',
  'UsingNode',
  'ListNode',
  'AliasNode',
  'ParensNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'ReferenceNode',
  'CommonTableExpressionNameNode',
]);

export const crossJoins: ReadonlySet<string> = new Set(['CrossJoin', 'LateralCrossJoin']);

/**
 * Without right and full joins: a condition on the company would drop their rows that have no left
 * side.
 */
export const narrowableJoins: ReadonlySet<string> = new Set([
  'InnerJoin',
  'LeftJoin',
  'LateralInnerJoin',
  'LateralLeftJoin',
  ...crossJoins,
]);

export function assertNoAuditLog(sources: readonly OperationNode[]): void {
  for (const source of sources) {
    if (AliasNode.is(source)) assertNoAuditLog([source.node]);
    if (TableNode.is(source) && source.table.identifier.name === AUDIT_LOG)
      throw new ScopeError(`Rows of ${AUDIT_LOG} cannot be updated or deleted`);
  }
}

export function assertVisibleColumn(column: ColumnUpdateNode['column']): void {
  const name = ReferenceNode.is(column) ? column.column : column;
  if (ColumnNode.is(name) && name.column.name === companyColumn)
    throw new ScopeError('A query may not set the company of a row');
}

export function conjunction(
  conditions: readonly OperationNode[],
  existing: OperationNode | undefined,
): OperationNode {
  const parts = existing ? [...conditions, ParensNode.create(existing)] : conditions;
  return parts.reduce((left, right) => AndNode.create(left, right));
}

export const withConditions = (
  where: WhereNode | undefined,
  conditions: readonly OperationNode[],
): WhereNode | undefined =>
  conditions.length ? WhereNode.create(conjunction(conditions, where?.where)) : where;

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
import {
  COMPANY_TABLES,
  type CompanyTableName,
  TABLES_BY_NAME,
} from '../../schema/tables/index.ts';

export const companyTables: ReadonlySet<string> = new Set(Object.keys(COMPANY_TABLES));

export const companyColumn = 'company_id';

/**
 * Tables whose removed rows stay, hidden, while the planned waterings that refer to them are
 * deleted in steps.
 */
export type TableRemovedInSteps = {
  [Name in CompanyTableName]: 'removed_at' extends keyof (typeof COMPANY_TABLES)[Name]['columns']
    ? Name
    : never;
}[CompanyTableName];

export const isRemovedInSteps = (name: string): name is TableRemovedInSteps =>
  'removed_at' in (TABLES_BY_NAME.get(name)?.columns ?? {});

/** Words that could reach rows, and that raw SQL must therefore not contain. */
export const forbiddenSql = new RegExp(
  `\\b(?:select|table|insert|update|delete|pragma|attach|set_config|sqlite_\\w+|pg_\\w+|kysely_\\w+|${companyColumn}|${[...TABLES_BY_NAME.keys()].join('|')})\\b`,
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

export function assertNotAppendOnly(sources: readonly OperationNode[]): void {
  for (const source of sources) {
    if (AliasNode.is(source)) assertNotAppendOnly([source.node]);
    if (!TableNode.is(source)) continue;

    const { name } = source.table.identifier;
    if (TABLES_BY_NAME.get(name)?.isAppendOnly)
      throw new ScopeError(`Rows of ${name} cannot be updated or deleted`);
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

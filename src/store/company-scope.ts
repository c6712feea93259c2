import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  CastNode,
  ColumnNode,
  type ColumnUpdateNode,
  type CommonTableExpressionNode,
  DataTypeNode,
  type DeleteQueryNode,
  FromNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  ListNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  type RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely';
import type { CompanyTables } from './tables.ts';

/** The tables whose rows belong to a company. */
export const companyTables: ReadonlySet<string> = new Set(
  Object.keys({
    users: true,
    parcels: true,
    gateways: true,
    modules: true,
    sensors: true,
    soil_layers: true,
    installation_versions: true,
    placements: true,
    waterings: true,
    schedules: true,
    readings: true,
    reading_hours: true,
    reading_days: true,
    idempotency: true,
    annotations: true,
    alerts: true,
    alert_recipients: true,
    alert_states: true,
    alert_episodes: true,
    outbox: true,
    api_keys: true,
  } satisfies Record<keyof CompanyTables, true>),
);

/** The column that the handle hides. */
export const companyColumn = 'company_id';

/** Raw SQL may compute; it may not open a second way to the rows. */
const forbiddenSql = new RegExp(
  `\\b(?:select|table|insert|update|delete|pragma|attach|set_config|sqlite_\\w+|pg_\\w+|kysely_\\w+|${companyColumn}|companies|leases|${[...companyTables].join('|')})\\b`,
  'i',
);

/** Written by mistake in our own code: it shows in the first test that runs the query. */
export class ScopeError extends Error {
  override readonly name = 'ScopeError';
}

/**
 * Rewrites a query so that it sees and touches the rows of one company alone: every owned table it names is narrowed by
 * `company_id`, every row it inserts carries it. What cannot be narrowed is refused, so that a forgotten filter is
 * impossible rather than unlikely.
 */
export class CompanyScope extends OperationNodeTransformer {
  readonly #companyId: number;
  /** Names that `with` gives, innermost last. */
  readonly #expressionNames: Set<string>[] = [];

  constructor(companyId: number) {
    super();
    this.#companyId = companyId;
  }

  narrow<T extends RootOperationNode>(node: T): T {
    switch (node.kind) {
      case 'SelectQueryNode':
      case 'InsertQueryNode':
      case 'UpdateQueryNode':
      case 'DeleteQueryNode':
        return this.transformNode(node);
      default:
        throw new ScopeError(`A company's handle runs select, insert, update and delete only, not ${node.kind}`);
    }
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#withExpressions(node.with, () => {
      const query = super.transformSelectQuery(node);
      const conditions = [...this.#conditions(node.from?.froms), ...this.#crossJoinConditions(node.joins)];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    return this.#withExpressions(node.with, () => {
      for (const update of node.updates ?? []) refuseHiddenColumn(update.column);
      const query = super.transformUpdateQuery(node);
      const conditions = [
        ...this.#conditions(node.table && [node.table]),
        ...this.#conditions(node.from?.froms),
        ...this.#crossJoinConditions(node.joins),
      ];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#withExpressions(node.with, () => {
      const query = super.transformDeleteQuery(node);
      const conditions = [
        ...this.#conditions(node.from.froms),
        ...this.#conditions(node.using?.tables),
        ...this.#crossJoinConditions(node.joins),
      ];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    return this.#withExpressions(node.with, () => {
      const name = node.into && this.#ownedName(node.into);
      if (!name || !node.columns || !node.values)
        throw new ScopeError('An insert names an owned table, its columns and its values');
      if (node.replace || node.onDuplicateKey || (node.orAction && node.orAction.action !== 'ignore'))
        throw new ScopeError('An insert replaces nothing: write `on conflict … do update`');
      for (const column of node.columns) refuseHiddenColumn(column);
      const query = super.transformInsertQuery(node);
      return {
        ...query,
        columns: [...(query.columns ?? []), ColumnNode.create(companyColumn)],
        values: this.#withCompany(query.values as OperationNode),
        onConflict: query.onConflict && this.#scopeConflict(query.onConflict, name),
      };
    });
  }

  /** A left join stays a left join: the condition stands with the others of the join. */
  protected override transformJoin(node: JoinNode): JoinNode {
    if (!narrowableJoins.has(node.joinType)) throw new ScopeError(`A ${node.joinType} cannot be narrowed to a company`);
    const join = super.transformJoin(node);
    if (crossJoins.has(node.joinType)) return join;
    const conditions = this.#conditions([node.table]);
    if (!conditions.length) return join;
    return { ...join, on: OnNode.create(conjunction(conditions, join.on?.on)) };
  }

  protected override transformCommonTableExpression(node: CommonTableExpressionNode): CommonTableExpressionNode {
    const name = node.name.table.table.identifier.name;
    if (companyTables.has(name) || forbiddenSql.test(name))
      throw new ScopeError(`A common table expression cannot be called ${name}`);
    return super.transformCommonTableExpression(node);
  }

  protected override transformRaw(node: RawNode): RawNode {
    for (const fragment of node.sqlFragments)
      if (forbiddenSql.test(fragment)) throw new ScopeError(`Raw SQL cannot name a table: ${fragment.trim()}`);
    return super.transformRaw(node);
  }

  protected override transformTable(node: TableNode): TableNode {
    const parent = this.nodeStack.at(-2);
    if (parent && !allowedTableParents.has(parent.kind))
      throw new ScopeError(
        `The table ${node.table.identifier.name} stands in a ${parent.kind}, where it is not narrowed`,
      );
    return super.transformTable(node);
  }

  /** Runs `body` while the names of its `with` stand for themselves. */
  #withExpressions<T>(expressions: WithNode | undefined, body: () => T): T {
    if (!expressions) return body();
    this.#expressionNames.push(new Set(expressions.expressions.map((e) => e.name.table.table.identifier.name)));
    try {
      return body();
    } finally {
      this.#expressionNames.pop();
    }
  }

  /** `company_id = N` for each owned table among these sources of rows. */
  #conditions(sources: readonly OperationNode[] | undefined): OperationNode[] {
    return (sources ?? []).flatMap((source) => {
      if (ListNode.is(source)) return this.#conditions(source.items);
      if (FromNode.is(source)) return this.#conditions(source.froms);
      const name = this.#ownedName(source);
      return name ? [this.#isCompanyRow(name)] : [];
    });
  }

  #crossJoinConditions(joins: readonly JoinNode[] | undefined): OperationNode[] {
    return this.#conditions(joins?.filter((join) => crossJoins.has(join.joinType)).map((join) => join.table));
  }

  /** The name under which a source's columns are reached where it is an owned table; none for what is narrowed inside. */
  #ownedName(source: OperationNode): string | undefined {
    if (AliasNode.is(source)) {
      const inner = this.#ownedName(source.node);
      if (!inner) return undefined;
      if (!IdentifierNode.is(source.alias)) throw new ScopeError(`The alias of ${inner} is not a name`);
      return source.alias.name;
    }
    if (TableNode.is(source)) return this.#ownedTable(source);
    if (source.kind === 'SelectQueryNode' || source.kind === 'ValuesNode') return undefined;
    if (ParensNode.is(source)) return this.#ownedName(source.node);
    throw new ScopeError(`Rows cannot come from a ${source.kind}`);
  }

  #ownedTable({ table }: TableNode): string | undefined {
    const { name } = table.identifier;
    if (table.schema) throw new ScopeError(`The table ${name} is named with a schema`);
    if (this.#expressionNames.some((names) => names.has(name))) return undefined;
    if (!companyTables.has(name)) throw new ScopeError(`The table ${name} does not belong to a company`);
    return name;
  }

  #isCompanyRow(name: string): OperationNode {
    return BinaryOperationNode.create(
      ReferenceNode.create(ColumnNode.create(companyColumn), TableNode.create(name)),
      OperatorNode.create('='),
      ValueNode.create(this.#companyId),
    );
  }

  /** The company beside the values of every row to insert. */
  #withCompany(values: OperationNode): OperationNode {
    if (ValuesNode.is(values))
      return ValuesNode.create(
        values.values.map((row) =>
          row.kind === 'PrimitiveValueListNode'
            ? PrimitiveValueListNode.create([...row.values, this.#companyId])
            : ValueListNode.create([...row.values, ValueNode.create(this.#companyId)]),
        ),
      );
    if (values.kind === 'SelectQueryNode') return this.#selectWithCompany(values as SelectQueryNode);
    throw new ScopeError(`Rows to insert cannot come from a ${values.kind}`);
  }

  #selectWithCompany(query: SelectQueryNode): SelectQueryNode {
    return {
      ...query,
      selections: [
        ...(query.selections ?? []),
        // In a union PostgreSQL would take a value without a type for a text.
        SelectionNode.create(
          AliasNode.create(
            CastNode.create(ValueNode.create(this.#companyId), DataTypeNode.create('bigint')),
            IdentifierNode.create(companyColumn),
          ),
        ),
      ],
      setOperations: query.setOperations?.map((operation) => ({
        ...operation,
        expression: this.#withCompany(operation.expression),
      })),
    };
  }

  /** Keys begin with the company, but for the id, which is unique over all of them: there the row must be ours. */
  #scopeConflict(conflict: NonNullable<InsertQueryNode['onConflict']>, name: string): InsertQueryNode['onConflict'] {
    for (const update of conflict.updates ?? []) refuseHiddenColumn(update.column);
    const byId = !conflict.columns?.length || conflict.columns.some(({ column }) => column.name === 'id');
    return {
      ...conflict,
      columns: byId ? conflict.columns : [...(conflict.columns ?? []), ColumnNode.create(companyColumn)],
      updateWhere:
        conflict.updates && byId
          ? withConditions(conflict.updateWhere, [this.#isCompanyRow(name)])
          : conflict.updateWhere,
    };
  }
}

/** Where a table is narrowed, or only qualifies what it is narrowed for. */
const allowedTableParents: ReadonlySet<string> = new Set([
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

/** Joins that have no condition of their own. */
const crossJoins: ReadonlySet<string> = new Set(['CrossJoin', 'LateralCrossJoin']);

/** A right or full join also gives rows that its left side lacks, which a condition would drop. */
const narrowableJoins: ReadonlySet<string> = new Set([
  'InnerJoin',
  'LeftJoin',
  'LateralInnerJoin',
  'LateralLeftJoin',
  ...crossJoins,
]);

function refuseHiddenColumn(column: ColumnUpdateNode['column']): void {
  const name = ReferenceNode.is(column) ? column.column : column;
  if (ColumnNode.is(name) && name.column.name === companyColumn)
    throw new ScopeError('The company of a row is not for a query to set');
}

/** The conditions and, in parentheses, what stood there already. */
function conjunction(conditions: readonly OperationNode[], before: OperationNode | undefined): OperationNode {
  const parts = before ? [...conditions, ParensNode.create(before)] : conditions;
  return parts.reduce((left, right) => AndNode.create(left, right));
}

const withConditions = (where: WhereNode | undefined, conditions: readonly OperationNode[]): WhereNode | undefined =>
  conditions.length ? WhereNode.create(conjunction(conditions, where?.where)) : where;

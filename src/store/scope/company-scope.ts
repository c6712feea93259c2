import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  CastNode,
  ColumnNode,
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
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely';
import {
  allowedTableParents,
  assertNotAppendOnly,
  assertVisibleColumn,
  companyColumn,
  companyTables,
  conjunction,
  crossJoins,
  forbiddenSql,
  isRemovedInSteps,
  narrowableJoins,
  ScopeError,
  withConditions,
} from './company-scope-rules.ts';

interface OwnedSource {
  readonly table: string;
  /** The table's name or alias. */
  readonly name: string;
}

/**
 * Adds the company's condition to every query, and hides rows that are being removed. It throws for
 * a query that it cannot narrow, so none is forgotten.
 */
export class CompanyScope extends OperationNodeTransformer {
  readonly #companyId: number;
  /** The names of the common table expressions of a query and of those around it. */
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
        throw new ScopeError(
          `A company's handle runs select, insert, update and delete only, not ${node.kind}`,
        );
    }
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#withExpressions(node.with, () => {
      const query = super.transformSelectQuery(node);
      const isById = node.joins === undefined && looksUpIds(query.where);
      const conditions = [
        ...this.#conditions(node.from?.froms, isById),
        ...this.#crossJoinConditions(node.joins),
      ];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    return this.#withExpressions(node.with, () => {
      for (const update of node.updates ?? []) assertVisibleColumn(update.column);
      assertNotAppendOnly(node.table ? [node.table] : []);
      const query = super.transformUpdateQuery(node);
      const conditions = [
        ...this.#conditions(node.table && [node.table], looksUpIds(query.where)),
        ...this.#conditions(node.from?.froms),
        ...this.#crossJoinConditions(node.joins),
      ];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#withExpressions(node.with, () => {
      assertNotAppendOnly(node.from.froms);
      const query = super.transformDeleteQuery(node);
      const conditions = [
        // A removed row is hidden until it is deleted, so deleting must reach it.
        ...this.#ownedSources(node.from.froms).map(({ name }) =>
          this.#isCompanyRow(name, looksUpIds(query.where)),
        ),
        ...this.#conditions(node.using?.tables),
        ...this.#crossJoinConditions(node.joins),
      ];
      return { ...query, where: withConditions(query.where, conditions) };
    });
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    return this.#withExpressions(node.with, () => {
      const name = node.into && this.#ownedSource(node.into)?.name;
      if (!name || !node.columns || !node.values)
        throw new ScopeError('An insert must name a table of the company, columns and values');
      if (
        node.replace ||
        node.onDuplicateKey ||
        (node.orAction && node.orAction.action !== 'ignore')
      )
        throw new ScopeError('An insert may not replace rows: use `on conflict … do update`');

      for (const column of node.columns) assertVisibleColumn(column);
      const query = super.transformInsertQuery(node);
      return {
        ...query,
        columns: [...(query.columns ?? []), ColumnNode.create(companyColumn)],
        values: query.values && this.#withCompany(query.values),
        onConflict: query.onConflict && this.#scopeConflict(query.onConflict, name),
      };
    });
  }

  /**
   * The condition belongs to the join: in the where clause it would turn a left join into an inner
   * one.
   */
  protected override transformJoin(node: JoinNode): JoinNode {
    if (!narrowableJoins.has(node.joinType))
      throw new ScopeError(`A ${node.joinType} cannot be narrowed to a company`);
    const join = super.transformJoin(node);
    if (crossJoins.has(node.joinType)) return join;
    const conditions = this.#conditions([node.table]);
    if (!conditions.length) return join;
    return { ...join, on: OnNode.create(conjunction(conditions, join.on?.on)) };
  }

  protected override transformCommonTableExpression(
    node: CommonTableExpressionNode,
  ): CommonTableExpressionNode {
    const name = node.name.table.table.identifier.name;
    if (companyTables.has(name) || forbiddenSql.test(name))
      throw new ScopeError(`A common table expression cannot be called ${name}`);
    return super.transformCommonTableExpression(node);
  }

  protected override transformRaw(node: RawNode): RawNode {
    for (const fragment of node.sqlFragments)
      if (forbiddenSql.test(fragment))
        throw new ScopeError(`Raw SQL cannot name a table: ${fragment.trim()}`);
    return super.transformRaw(node);
  }

  protected override transformTable(node: TableNode): TableNode {
    const parent = this.nodeStack.at(-2);
    if (parent && !allowedTableParents.has(parent.kind))
      throw new ScopeError(
        `The table ${node.table.identifier.name} is used in a ${parent.kind}, where it is not narrowed`,
      );
    return super.transformTable(node);
  }

  #withExpressions<T>(expressions: WithNode | undefined, body: () => T): T {
    if (!expressions) return body();
    this.#expressionNames.push(
      new Set(expressions.expressions.map(({ name }) => name.table.table.identifier.name)),
    );
    try {
      return body();
    } finally {
      this.#expressionNames.pop();
    }
  }

  #conditions(sources: readonly OperationNode[] | undefined, isById = false): OperationNode[] {
    return this.#ownedSources(sources).flatMap(({ table, name }) =>
      isRemovedInSteps(table)
        ? [this.#isCompanyRow(name, isById), isNotRemoved(name)]
        : [this.#isCompanyRow(name, isById)],
    );
  }

  #ownedSources(sources: readonly OperationNode[] | undefined): OwnedSource[] {
    return (sources ?? []).flatMap((source) => {
      if (ListNode.is(source)) return this.#ownedSources(source.items);
      if (FromNode.is(source)) return this.#ownedSources(source.froms);
      return this.#ownedSource(source) ?? [];
    });
  }

  #crossJoinConditions(joins: readonly JoinNode[] | undefined): OperationNode[] {
    return this.#conditions(
      joins?.filter((join) => crossJoins.has(join.joinType)).map((join) => join.table),
    );
  }

  /** Undefined for a subquery, which is narrowed separately. */
  #ownedSource(source: OperationNode): OwnedSource | undefined {
    if (AliasNode.is(source)) {
      const inner = this.#ownedSource(source.node);
      if (!inner) return undefined;
      if (!IdentifierNode.is(source.alias))
        throw new ScopeError(`The alias of ${inner.name} is not a name`);
      return { table: inner.table, name: source.alias.name };
    }

    if (TableNode.is(source)) {
      const table = this.#ownedTable(source);
      return table === undefined ? undefined : { table, name: table };
    }

    if (source.kind === 'SelectQueryNode' || source.kind === 'ValuesNode') return undefined;
    if (ParensNode.is(source)) return this.#ownedSource(source.node);

    throw new ScopeError(`Rows cannot come from a ${source.kind}`);
  }

  #ownedTable({ table }: TableNode): string | undefined {
    const { name } = table.identifier;
    if (table.schema) throw new ScopeError(`The table ${name} is named with a schema`);
    if (this.#expressionNames.some((names) => names.has(name))) return undefined;
    if (!companyTables.has(name))
      throw new ScopeError(`The table ${name} does not belong to a company`);
    return name;
  }

  /**
   * Beside a list of ids, SQLite would take an index of the company for cheaper, and read all of
   * its rows; it uses none for a term with a plus. Source: sqlite.org/optoverview.html, 9.1.
   */
  #isCompanyRow(name: string, isById = false): OperationNode {
    const column = ReferenceNode.create(ColumnNode.create(companyColumn), TableNode.create(name));
    return BinaryOperationNode.create(
      isById ? RawNode.create(['+', ''], [column]) : column,
      OperatorNode.create('='),
      ValueNode.create(this.#companyId),
    );
  }

  #withCompany(values: OperationNode): OperationNode {
    if (ValuesNode.is(values))
      return ValuesNode.create(
        values.values.map((row) =>
          row.kind === 'PrimitiveValueListNode'
            ? PrimitiveValueListNode.create([...row.values, this.#companyId])
            : ValueListNode.create([...row.values, ValueNode.create(this.#companyId)]),
        ),
      );

    if (SelectQueryNode.is(values)) return this.#selectWithCompany(values);

    throw new ScopeError(`Rows to insert cannot come from a ${values.kind}`);
  }

  #selectWithCompany(query: SelectQueryNode): SelectQueryNode {
    return {
      ...query,
      selections: [
        ...(query.selections ?? []),
        // Without the cast PostgreSQL would treat the value as text in a union.
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

  /**
   * Unique keys include the company, except ids: for an id, only a row of this company may be
   * updated.
   */
  #scopeConflict(
    conflict: NonNullable<InsertQueryNode['onConflict']>,
    name: string,
  ): InsertQueryNode['onConflict'] {
    for (const update of conflict.updates ?? []) assertVisibleColumn(update.column);
    if (conflict.updates) assertNotAppendOnly([TableNode.create(name)]);

    const columns = conflict.columns ?? [];
    const isOnId = columns.length === 0 || columns.some(({ column }) => column.name === 'id');
    if (!isOnId) return { ...conflict, columns: [...columns, ColumnNode.create(companyColumn)] };
    if (!conflict.updates) return conflict;

    const isOwnRow = this.#isCompanyRow(name);
    return { ...conflict, updateWhere: withConditions(conflict.updateWhere, [isOwnRow]) };
  }
}

/** True for a condition, among others that hold too, that an id is one of several. */
function looksUpIds(where: OperationNode | undefined): boolean {
  if (where === undefined) return false;
  if (WhereNode.is(where)) return looksUpIds(where.where);
  if (ParensNode.is(where)) return looksUpIds(where.node);
  if (AndNode.is(where)) return looksUpIds(where.left) || looksUpIds(where.right);
  return (
    BinaryOperationNode.is(where) &&
    OperatorNode.is(where.operator) &&
    where.operator.operator === 'in' &&
    isIdColumn(where.leftOperand)
  );
}

const isIdColumn = (node: OperationNode): boolean =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) && node.column.column.name === 'id';

const isNotRemoved = (name: string): OperationNode =>
  BinaryOperationNode.create(
    ReferenceNode.create(ColumnNode.create('removed_at'), TableNode.create(name)),
    OperatorNode.create('is'),
    ValueNode.createImmediate(null),
  );

import {
  type BinaryOperationNode,
  InsertQueryNode,
  type OperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type ValuesNode,
} from 'kysely';
import { firstOf } from '../../domain/items.ts';
import type { ColumnKind } from '../../schema/tables/column.ts';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import { companyColumn } from '../scope/company-scope-rules.ts';
import { ColumnPlaceholder } from './placeholders.ts';

/** Fewer values are sent one by one. */
const MIN_VALUES_OF_ARRAY = 20;

const TYPES: Readonly<Record<ColumnKind, string>> = {
  integer: 'bigint',
  instant: 'bigint',
  flag: 'bigint',
  real: 'double precision',
  text: 'text',
  json: 'text',
};

/**
 * Sends the values of many rows, and those of a long list, as arrays: thousands of single
 * parameters take the server and the driver several times as long, while the write lock is held.
 */
export class ArrayQueryCompiler extends PostgresQueryCompiler {
  protected override visitValues(node: ValuesNode): void {
    const rows = node.values.flatMap((row) => (PrimitiveValueListNode.is(row) ? [row.values] : []));
    const isOfColumns = rows[0]?.some((value) => value instanceof ColumnPlaceholder) ?? false;
    const isMany = rows.length === node.values.length && rows.length >= MIN_VALUES_OF_ARRAY;
    const types = isOfColumns || isMany ? columnTypes(this.parentNode) : null;
    if (types === null) super.visitValues(node);
    else this.#appendColumns(rows, types);
  }

  #appendColumns(rows: readonly (readonly unknown[])[], types: readonly string[]): void {
    const first = firstOf(rows);
    const columns = types.map((_, index) => {
      const value = first[index];
      if (rows.length === 1) return { isArray: value instanceof ColumnPlaceholder, value };
      // Without an array among them there would be one row.
      const isArray = index === 0 || rows.some((row) => row[index] !== value);
      return { isArray, value: isArray ? rows.map((row) => row[index]) : value };
    });

    this.append('select ');
    for (const [index, { isArray, value }] of columns.entries()) {
      if (index > 0) this.append(', ');
      if (isArray) this.append('unnest(');
      this.appendValue(value);
      this.append(isArray ? `::${types[index]}[])` : `::${types[index]}`);
    }
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const values = PrimitiveValueListNode.is(rightOperand) ? rightOperand.values : [];
    const type = values.length < MIN_VALUES_OF_ARRAY ? null : typeOfAll(values);
    const isIn = OperatorNode.is(operator) && operator.operator === 'in';
    if (type === null || !isIn) {
      super.visitBinaryOperation(node);
      return;
    }

    this.visitNode(leftOperand);
    this.append(' = any(');
    this.appendValue(values);
    this.append(`::${type}[])`);
  }
}

/** Null unless the node inserts into a table of a company. */
function columnTypes(node: OperationNode | undefined): string[] | null {
  if (!node || !InsertQueryNode.is(node)) return null;
  const table = TABLES_BY_NAME.get(node.into?.table.identifier.name ?? '');
  if (!table || !node.columns) return null;

  return node.columns.map(({ column: { name } }) => {
    if (name === companyColumn) return 'bigint';
    const column = table.columns[name];
    if (!column) throw new Error(`The table has no column ${name}`);
    return TYPES[column.properties.kind];
  });
}

function typeOfAll(values: readonly unknown[]): string | null {
  if (values.every((value) => typeof value === 'string')) return 'text';
  return values.every(Number.isSafeInteger) ? 'bigint' : null;
}

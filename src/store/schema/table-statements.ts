import { entryOf, firstOf } from '../../domain/items.ts';
import type { ColumnKind, ColumnProperties } from '../../schema/tables/column.ts';
import { COMPANY_TABLES, TABLES_BY_NAME } from '../../schema/tables/index.ts';
import type { Table } from '../../schema/tables/table.ts';
import { TABLE_STORAGE, type TableStorage } from './table-storage.ts';

/** The differences between the databases in the statements that create tables. */
export interface SchemaDialect {
  readonly types: Readonly<Record<ColumnKind, string>>;
  /** The type of a generated id. */
  readonly sequence: string;
  /**
   * Keys and indexes begin with the company and are unique within it, so that tables can be
   * distributed over machines by company.
   */
  readonly isKeyedByCompany: boolean;
  /** When a computed column is computed: as it is read, or as it is written. */
  readonly computed: 'virtual' | 'stored';
  endOfTable(layout: { isClustered: boolean; partitionedBy: string | undefined }): string;
}

export interface StoredTable extends TableStorage, Pick<Table, 'columns' | 'key'> {
  readonly isStandalone?: boolean;
  /** False for a table of the whole store. */
  readonly isOfCompany?: boolean;
}

/** The tables of a new store, each after those to which it refers. */
export const createStoreStatements = (dialect: SchemaDialect): string[] =>
  [...TABLES_BY_NAME].flatMap(([name, table]) =>
    createTableStatements(
      name,
      { ...table, ...TABLE_STORAGE.get(name), isOfCompany: name in COMPANY_TABLES },
      dialect,
    ),
  );

/** A table and its indexes. */
export function createTableStatements(
  name: string,
  table: StoredTable,
  dialect: SchemaDialect,
): string[] {
  const layout = layoutOf(name, table, dialect);
  return [createTable(layout), ...createIndexes(layout)];
}

export function addColumnStatements(
  name: string,
  columns: StoredTable['columns'],
  dialect: SchemaDialect,
): string[] {
  const layout = layoutOf(name, { columns, key: ['id'] }, dialect);
  return layout.columns.map(
    ([column, properties]) =>
      `alter table ${quoted(name)} add column ${columnDefinition(layout, column, properties)}`,
  );
}

/** A table as a database stores it. */
interface Layout {
  readonly name: string;
  readonly table: StoredTable;
  readonly dialect: SchemaDialect;
  readonly isOfCompany: boolean;
  readonly columns: readonly (readonly [string, ColumnProperties])[];
  /** The column with the generated id, if there is one. */
  readonly sequence: string | undefined;
}

function layoutOf(name: string, table: StoredTable, dialect: SchemaDialect): Layout {
  const { isOfCompany = true } = table;
  const columns = Object.entries(table.columns).map(
    ([column, { properties }]) => [column, properties] as const,
  );
  const sequence = columns.find(([, { origin }]) => origin === 'sequence')?.[0];
  return { name, table, dialect, isOfCompany, columns, sequence };
}

const quoted = (name: string): string => `"${name}"`;

function createTable(layout: Layout): string {
  const { name, table, dialect, sequence } = layout;
  const { isClustered = sequence === undefined, partitionedBy } = table;
  const parts = [
    ...columnDefinitions(layout),
    ...primaryKey(layout),
    ...foreignKeys(layout),
    ...checks(layout),
  ];
  const end = dialect.endOfTable({ isClustered, partitionedBy });
  return `create table ${quoted(name)} (${parts.join(', ')}) ${end}`.trimEnd();
}

function columnDefinitions(layout: Layout): string[] {
  const { table, dialect, isOfCompany, columns } = layout;
  const definitions = columns.map(([column, properties]) =>
    columnDefinition(layout, column, properties),
  );
  if (!isOfCompany) return definitions;

  const reference = refersToCompany(table) ? ' references "companies" ("id")' : '';
  const company = `"company_id" ${dialect.types.integer} not null${reference}`;
  return [company, ...definitions];
}

/** Rows whose key begins with the row of another table refer to the company through it. */
function refersToCompany(table: StoredTable): boolean {
  const { isStandalone = false, key, columns } = table;
  // A table with one row for each company has no other key.
  const parent = key.length === 0 ? null : columns[firstOf(key)]?.properties.reference;
  return table.refersToCompany ?? (!isStandalone && !parent);
}

function columnDefinition(
  { table, dialect, isOfCompany }: Layout,
  name: string,
  properties: ColumnProperties,
): string {
  const { types, isKeyedByCompany } = dialect;
  const isKey = !isOfCompany && table.key.length === 1 && name === firstOf(table.key);
  const primaryKey = isKey ? ' primary key' : '';
  if (properties.origin === 'sequence')
    return `${quoted(name)} ${dialect.sequence}${isKeyedByCompany ? primaryKey : ''}`;

  const type = `${quoted(name)} ${types[properties.kind]}`;
  const computed = table.computed?.[name];
  if (computed !== undefined)
    return `${type} generated always as (${computed}) ${dialect.computed}`;

  const isUnique = properties.isUnique && !(isOfCompany && isKeyedByCompany);
  return [
    type,
    properties.defaultValue === null ? '' : ` default ${properties.defaultValue}`,
    properties.isNullable || isKey ? '' : ' not null',
    isUnique ? ' unique' : '',
    primaryKey,
  ].join('');
}

function primaryKey(layout: Layout): string[] {
  const { table, dialect, isOfCompany, sequence } = layout;
  if (sequence !== undefined)
    return isOfCompany && dialect.isKeyedByCompany
      ? [constraint(layout, 'key', `primary key ("company_id", ${quoted(sequence)})`)]
      : [];

  if (!isOfCompany && table.key.length === 1) return [];
  const columns = isOfCompany ? ['company_id', ...table.key] : table.key;
  return [constraint(layout, 'key', `primary key (${columns.map(quoted).join(', ')})`)];
}

function foreignKeys(layout: Layout): string[] {
  const { table, columns } = layout;
  if (table.isStandalone) return [];

  return columns.flatMap(([name, { reference }]) => {
    if (!reference?.isEnforced) return [];
    const parentKey = firstOf(entryOf(TABLES_BY_NAME, reference.table).key);
    const end = table.cascading?.includes(name) ? ' on delete cascade' : '';
    return [
      constraint(
        layout,
        constraintName(table, name),
        `foreign key ("company_id", ${quoted(name)})
          references ${quoted(reference.table)} ("company_id", "${parentKey}")${end}`,
      ),
    ];
  });
}

function checks(layout: Layout): string[] {
  const { table, columns } = layout;
  const { unchecked = [] } = table;
  const ofValues = columns.flatMap(([name, { values, isNullable }]) => {
    if (values === null || unchecked.includes(name)) return [];
    const isOneOf = `${name} in (${values.map((value) => `'${value}'`).join(', ')})`;
    const check = isNullable ? `${name} is null or ${isOneOf}` : isOneOf;
    return [[constraintName(table, name), check] as const];
  });
  // One that is written out takes the place of that of the values.
  const all = { ...Object.fromEntries(ofValues), ...table.checks };
  return Object.entries(all).map(([name, check]) => constraint(layout, name, `check (${check})`));
}

function constraintName({ constraintNames }: StoredTable, column: string): string {
  const name = column.endsWith('_id') ? column.slice(0, -'_id'.length) : column;
  return constraintNames?.[column] ?? name;
}

const constraint = ({ name: table }: Layout, name: string, requirement: string): string =>
  `constraint "${table}_${name}" ${requirement}`;

function createIndexes(layout: Layout): string[] {
  const { indexes = {}, foundAlone = [] } = layout.table;
  const statements: string[] = [];

  for (const [name, { on, where, isUnique, isAcrossCompanies }] of Object.entries(indexes)) {
    const columns = isAcrossCompanies ? on : ['company_id', ...on];
    if (!isUnique && isPrimaryKey(layout, columns)) continue;
    const end = where === undefined ? '' : ` where ${where}`;
    statements.push(createIndex(layout, name, columns, isUnique) + end);
  }

  if (layout.dialect.isKeyedByCompany)
    for (const column of foundAlone)
      statements.push(createIndex(layout, `by_${column}_alone`, [column, 'company_id'], true));
  return statements;
}

const isPrimaryKey = ({ dialect, sequence }: Layout, columns: readonly string[]): boolean =>
  dialect.isKeyedByCompany && columns.join() === ['company_id', sequence].join();

function createIndex(
  { name: tableName, table }: Layout,
  name: string,
  columns: readonly string[],
  isUnique = false,
): string {
  const expressions = columns.map((column) =>
    column === 'company_id' || column in table.columns ? quoted(column) : column,
  );
  return `create ${isUnique ? 'unique ' : ''}index "${tableName}_${name}"
    on ${quoted(tableName)} (${expressions.join(', ')})`;
}

import { entryOf, firstOf } from '../../domain/items.ts';
import type { ColumnFacts, ColumnKind } from '../../schema/tables/column.ts';
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
    new TableStatements(
      name,
      { ...table, ...TABLE_STORAGE.get(name), isOfCompany: name in COMPANY_TABLES },
      dialect,
    ).create(),
  );

const quoted = (name: string): string => `"${name}"`;

export class TableStatements {
  readonly #name: string;
  readonly #table: StoredTable;
  readonly #dialect: SchemaDialect;
  readonly #isOfCompany: boolean;
  readonly #columns: readonly (readonly [string, ColumnFacts])[];
  readonly #sequence: string | undefined;

  constructor(name: string, table: StoredTable, dialect: SchemaDialect) {
    this.#name = name;
    this.#table = table;
    this.#dialect = dialect;
    this.#isOfCompany = table.isOfCompany ?? true;
    this.#columns = Object.entries(table.columns).map(([column, { facts }]) => [column, facts]);
    this.#sequence = this.#columns.find(([, { origin }]) => origin === 'sequence')?.[0];
  }

  create(): string[] {
    return [this.#createTable(), ...this.#createIndexes()];
  }

  addColumns(): string[] {
    return this.#columns.map(
      ([name, facts]) =>
        `alter table ${quoted(this.#name)} add column ${this.#column(name, facts)}`,
    );
  }

  #createTable(): string {
    const { isClustered = this.#sequence === undefined, partitionedBy } = this.#table;
    const parts = [
      ...this.#columnDefinitions(),
      ...this.#primaryKey(),
      ...this.#foreignKeys(),
      ...this.#checks(),
    ];
    const end = this.#dialect.endOfTable({ isClustered, partitionedBy });
    return `create table ${quoted(this.#name)} (${parts.join(', ')}) ${end}`.trimEnd();
  }

  #columnDefinitions(): string[] {
    const definitions = this.#columns.map(([name, facts]) => this.#column(name, facts));
    if (!this.#isOfCompany) return definitions;

    const reference = this.#refersToCompany() ? ' references "companies" ("id")' : '';
    const company = `"company_id" ${this.#dialect.types.integer} not null${reference}`;
    return [company, ...definitions];
  }

  /** Rows whose key begins with the row of another table refer to the company through it. */
  #refersToCompany(): boolean {
    const { refersToCompany, isStandalone = false, key, columns } = this.#table;
    const parent = columns[firstOf(key)]?.facts.reference;
    return refersToCompany ?? (!isStandalone && !parent);
  }

  #column(name: string, facts: ColumnFacts): string {
    const { types, sequence, isKeyedByCompany } = this.#dialect;
    const isKey =
      !this.#isOfCompany && this.#table.key.length === 1 && name === firstOf(this.#table.key);
    const primaryKey = isKey ? ' primary key' : '';
    if (facts.origin === 'sequence')
      return `${quoted(name)} ${sequence}${isKeyedByCompany ? primaryKey : ''}`;

    const type = `${quoted(name)} ${types[facts.kind]}`;
    const computed = this.#table.computed?.[name];
    if (computed !== undefined)
      return `${type} generated always as (${computed}) ${this.#dialect.computed}`;

    const isUnique = facts.isUnique && !(this.#isOfCompany && isKeyedByCompany);
    return [
      type,
      facts.defaultValue === null ? '' : ` default ${facts.defaultValue}`,
      facts.isNullable || isKey ? '' : ' not null',
      isUnique ? ' unique' : '',
      primaryKey,
    ].join('');
  }

  #primaryKey(): string[] {
    const { key } = this.#table;
    if (this.#sequence !== undefined)
      return this.#isOfCompany && this.#dialect.isKeyedByCompany
        ? [this.#constraint('key', `primary key ("company_id", ${quoted(this.#sequence)})`)]
        : [];

    if (!this.#isOfCompany && key.length === 1) return [];
    const columns = this.#isOfCompany ? ['company_id', ...key] : key;
    return [this.#constraint('key', `primary key (${columns.map(quoted).join(', ')})`)];
  }

  #foreignKeys(): string[] {
    if (this.#table.isStandalone) return [];

    return this.#columns.flatMap(([name, { reference }]) => {
      if (!reference?.isEnforced) return [];
      const parentKey = firstOf(entryOf(TABLES_BY_NAME, reference.table).key);
      const end = this.#table.cascading?.includes(name) ? ' on delete cascade' : '';
      return [
        this.#constraint(
          this.#constraintName(name),
          `foreign key ("company_id", ${quoted(name)})
            references ${quoted(reference.table)} ("company_id", "${parentKey}")${end}`,
        ),
      ];
    });
  }

  #checks(): string[] {
    const { unchecked = [], checks = {} } = this.#table;
    const ofValues = this.#columns.flatMap(([name, { values, isNullable }]) => {
      if (values === null || unchecked.includes(name)) return [];
      const isOneOf = `${name} in (${values.map((value) => `'${value}'`).join(', ')})`;
      const check = isNullable ? `${name} is null or ${isOneOf}` : isOneOf;
      return [[this.#constraintName(name), check] as const];
    });
    // One that is written out takes the place of that of the values.
    return Object.entries({ ...Object.fromEntries(ofValues), ...checks }).map(([name, check]) =>
      this.#constraint(name, `check (${check})`),
    );
  }

  #constraintName(column: string): string {
    const name = column.endsWith('_id') ? column.slice(0, -'_id'.length) : column;
    return this.#table.constraintNames?.[column] ?? name;
  }

  #constraint(name: string, requirement: string): string {
    return `constraint "${this.#name}_${name}" ${requirement}`;
  }

  #createIndexes(): string[] {
    const { indexes = {}, foundAlone = [] } = this.#table;
    const { isKeyedByCompany } = this.#dialect;
    const statements: string[] = [];

    for (const [name, { on, where, isUnique, isAcrossCompanies }] of Object.entries(indexes)) {
      const columns = isAcrossCompanies ? on : ['company_id', ...on];
      if (!isUnique && this.#isPrimaryKey(columns)) continue;
      const end = where === undefined ? '' : ` where ${where}`;
      statements.push(this.#createIndex(name, columns, isUnique) + end);
    }

    if (isKeyedByCompany)
      for (const column of foundAlone)
        statements.push(this.#createIndex(`by_${column}_alone`, [column, 'company_id'], true));
    return statements;
  }

  #isPrimaryKey(columns: readonly string[]): boolean {
    const { isKeyedByCompany } = this.#dialect;
    return isKeyedByCompany && columns.join() === ['company_id', this.#sequence].join();
  }

  #createIndex(name: string, columns: readonly string[], isUnique = false): string {
    const expressions = columns.map((column) =>
      column === 'company_id' || column in this.#table.columns ? quoted(column) : column,
    );
    return `create ${isUnique ? 'unique ' : ''}index "${this.#name}_${name}"
      on ${quoted(this.#name)} (${expressions.join(', ')})`;
  }
}

import type { CreateIndexBuilder, CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export type TableBuilder = CreateTableBuilder<string, string>;

/** Creates the tables of a store; the databases differ in the column types alone. */
export class SchemaBuilder {
  readonly db: Kysely<unknown>;
  readonly types: ColumnTypes;

  constructor(db: Kysely<unknown>, types: ColumnTypes) {
    this.db = db;
    this.types = types;
  }

  /** A table of a company, with generated ids. */
  numbered(name: string): TableBuilder {
    return this.types
      .companyTable<TableBuilder>(this.db.schema.createTable(name), name, 'id')
      .addColumn('id', 'integer', this.types.companyRowId)
      .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'));
  }

  /** A table of a company whose ids are UUIDs. `seq` keeps the order of creation. */
  identified(name: string): TableBuilder {
    return this.types
      .companyTable<TableBuilder>(this.db.schema.createTable(name), name, 'seq')
      .addColumn('seq', 'integer', this.types.companyRowId)
      .addColumn('id', 'text', this.types.uniqueText)
      .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'));
  }

  /** A table of a company that is stored in the order of its key. */
  clustered(name: string): TableBuilder {
    return this.types
      .clusteredTable<TableBuilder>(this.db.schema.createTable(name))
      .addColumn('company_id', 'integer', (c) => c.notNull().references('companies.id'));
  }

  /** The same for rows that refer to the company through another table. */
  clusteredByParent(name: string): TableBuilder {
    return this.types
      .clusteredTable<TableBuilder>(this.db.schema.createTable(name))
      .addColumn('company_id', 'integer', (c) => c.notNull());
  }

  index(name: string, table: string, columns: readonly string[]): CreateIndexBuilder {
    return this.db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns]);
  }

  uniqueIndex(name: string, table: string, columns: readonly string[]): CreateIndexBuilder {
    return this.index(name, table, columns).unique();
  }

  indexAcrossCompanies(table: string, column = 'id'): Promise<void> {
    return this.types.indexAcrossCompanies(this.db, table, column);
  }
}

/** A reference of `column` to the id of a row of the same company. */
export const reference =
  (constraint: string, column: string, parent: string, parentKey = 'id') =>
  (table: TableBuilder): TableBuilder =>
    table.addForeignKeyConstraint(constraint, ['company_id', column], parent, [
      'company_id',
      parentKey,
    ]);

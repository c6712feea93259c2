import { type Kysely, sql } from 'kysely';
import type { Column } from '../../schema/tables/column.ts';
import { type SchemaDialect, type StoredTable, TableStatements } from './table-statements.ts';

/** What migrations change: tables and columns as descriptions, anything else as statements. */
export class SchemaChanges {
  readonly db: Kysely<unknown>;
  readonly #dialect: SchemaDialect;

  constructor(db: Kysely<unknown>, dialect: SchemaDialect) {
    this.db = db;
    this.#dialect = dialect;
  }

  /** The description is that of the migration: src/schema/tables may have another one by now. */
  async createTable(name: string, table: StoredTable): Promise<void> {
    for (const statement of new TableStatements(name, table, this.#dialect).create())
      await this.execute(statement);
  }

  async addColumns(table: string, columns: Readonly<Record<string, Column>>): Promise<void> {
    const statements = new TableStatements(table, { columns, key: ['id'] }, this.#dialect);
    for (const statement of statements.addColumns()) await this.execute(statement);
  }

  async execute(statement: string): Promise<void> {
    await sql.raw(statement).execute(this.db);
  }
}

import { type Kysely, sql } from 'kysely';
import type { Column } from '../../schema/tables/column.ts';
import {
  addColumnStatements,
  createTableStatements,
  type SchemaDialect,
  type StoredTable,
} from './table-statements.ts';

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
    for (const statement of createTableStatements(name, table, this.#dialect))
      await this.execute(statement);
  }

  async addColumns(table: string, columns: Readonly<Record<string, Column>>): Promise<void> {
    for (const statement of addColumnStatements(table, columns, this.#dialect))
      await this.execute(statement);
  }

  async execute(statement: string): Promise<void> {
    await sql.raw(statement).execute(this.db);
  }
}

import { type Kysely, sql } from 'kysely';
import type { Column } from '../../schema/tables/column.ts';
import {
  addColumnStatements,
  createTableStatements,
  type SchemaDialect,
  type StoredTable,
} from './table-statements.ts';

/** What a migration may do: add tables and columns by description, or execute any statement. */
export class SchemaChanges {
  readonly db: Kysely<unknown>;
  readonly #dialect: SchemaDialect;

  constructor(db: Kysely<unknown>, dialect: SchemaDialect) {
    this.db = db;
    this.#dialect = dialect;
  }

  /** A migration has its own description of the table: the one in src/schema/tables changes later. */
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

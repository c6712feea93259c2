import { type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, sql } from 'kysely';

/** Where the databases differ in how a table is declared. A second one comes with PostgreSQL. */
export interface ColumnTypes {
  /** Whole milliseconds since 1970 UTC. */
  instant: RawBuilder<unknown>;
  /** A binary64 floating point number. */
  real: RawBuilder<unknown>;
  /** An integer key that counts from 1 and is never given twice. */
  id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** What follows the columns of every table. */
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** What follows the columns of a table that is read along its primary key. */
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
}

/** Strict tables hold a column's type; without rowid the rows lie in the primary key itself. */
export const sqliteColumnTypes: ColumnTypes = {
  instant: sql`integer`,
  real: sql`real`,
  id: (column) => column.primaryKey().autoIncrement(),
  table: (table) => table.modifyEnd(sql`strict`) as typeof table,
  clusteredTable: (table) => table.modifyEnd(sql`without rowid, strict`) as typeof table,
};

import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';

/** Where the databases differ in how a table is declared. */
export interface ColumnTypes {
  /** Whole milliseconds since 1970 UTC. */
  instant: RawBuilder<unknown>;
  /** A binary64 floating point number. */
  real: RawBuilder<unknown>;
  /** An integer that counts from 1 over the whole store and is never given twice: the key of a table of no company. */
  id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** The same in a table of a company, whose key it is, with the company. */
  ownId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A text that is given once in the whole store. */
  ownName: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** What follows the columns of every table. */
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** What follows the columns of a table of a company whose rows are known by `ownId` in the column `key`. */
  ownTable: <B extends CreateTableBuilder<string, string>>(table: B, name: string, key: string) => B;
  /** What follows the columns of a table that is read along its primary key. */
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** The same, of a table that grows for as long as time goes on: it is cut along the instants in `column`. */
  endlessTable: <B extends CreateTableBuilder<string, string>>(table: B, column: string) => B;
  /** Lets a row of a company be found by an `ownId` or `ownName` alone, whosever it is. */
  findable: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
}

/** Strict tables hold a column's type; without rowid the rows lie in the primary key itself. */
const strict = sql`strict`;
const clustered = sql`without rowid, strict`;

export const sqliteColumnTypes: ColumnTypes = {
  instant: sql`integer`,
  real: sql`real`,
  id: (column) => column.primaryKey().autoIncrement(),
  ownId: (column) => column.primaryKey().autoIncrement(),
  ownName: (column) => column.notNull().unique(),
  table: (table) => table.modifyEnd(strict) as typeof table,
  ownTable: (table) => table.modifyEnd(strict) as typeof table,
  clusteredTable: (table) => table.modifyEnd(clustered) as typeof table,
  endlessTable: (table) => table.modifyEnd(clustered) as typeof table,
  // Its keys are unique by themselves.
  findable: async () => undefined,
};

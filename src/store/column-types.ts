import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';

/** Where the databases differ in how a table is declared. */
export interface ColumnTypes {
  /** Whole milliseconds since 1970 UTC. */
  instant: RawBuilder<unknown>;
  /** A binary64 floating point number. */
  real: RawBuilder<unknown>;
  /** An integer that counts from 1 over the whole store and is never given twice: the key of a table of no company. */
  id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** The same in a table of a company, whose key it is, with the company. */
  companyRowId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A text that is given once in the whole store. */
  uniqueText: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** What follows the columns of every table. */
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** What follows the columns of a table of a company whose rows are known by `ownId` in the column `key`. */
  companyTable: <B extends CreateTableBuilder<string, string>>(table: B, name: string, key: string) => B;
  /** What follows the columns of a table that is read along its primary key. */
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** The same, of a table that grows for as long as time goes on: it is cut along the instants in `column`. */
  partitionedTable: <B extends CreateTableBuilder<string, string>>(table: B, column: string) => B;
  /** Lets a row of a company be found by an `ownId` or `ownName` alone, whosever it is. */
  indexAcrossCompanies: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
}

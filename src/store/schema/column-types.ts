import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';

/** Adds constraints to the definition of a column. */
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export interface ColumnTypes {
  instant: RawBuilder<unknown>;
  real: RawBuilder<unknown>;
  /** A generated integer that is never reused: the key of a table without company. */
  id: Column;
  /** The same in a table with companies, where the key may consist of the company and the id. */
  companyRowId: Column;
  /** A text of which no two rows have the same, such as a UUID or a hash. */
  uniqueText: Column;
  /** An instant that the database computes from other columns of the row, by this SQL. */
  generatedInstant: (expression: string) => Column;
  /** Completes a table without company, or one whose key has no generated id. */
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** Completes a table with companies whose `companyRowId` or `uniqueText` is the column `key`. */
  companyTable: <B extends CreateTableBuilder<string, string>>(
    table: B,
    name: string,
    key: string,
  ) => B;
  /** Completes a table that is stored in the order of its key, where the database can do so. */
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** Creates a table that grows with time, partitioned by the instants in `column`. */
  partitionedTable: <B extends CreateTableBuilder<string, string>>(table: B, column: string) => B;
  /** Allows finding a row by a `companyRowId` or `uniqueText` without knowing the company. */
  indexAcrossCompanies: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
  /** Allows reading the rows of a company in the order of a `companyRowId`. */
  indexWithinCompany: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
}

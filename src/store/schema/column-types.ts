import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

export interface ColumnTypes {
  instant: RawBuilder<unknown>;
  real: RawBuilder<unknown>;
  /** A generated integer that is never reused: the key of a table without company. */
  id: Column;
  /** The same in a table with companies, whose key consists of the company and the id. */
  companyRowId: Column;
  uniqueText: Column;
  /** An instant that the database computes from other columns of the row, by this SQL. */
  generatedInstant: (expression: string) => Column;
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** Completes a table with companies whose `companyRowId` or `uniqueText` is the column `key`. */
  companyTable: <B extends CreateTableBuilder<string, string>>(
    table: B,
    name: string,
    key: string,
  ) => B;
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** Creates a table that grows with time, partitioned by the instants in `column`. */
  partitionedTable: <B extends CreateTableBuilder<string, string>>(table: B, column: string) => B;
  /** Allows finding a row by a `companyRowId` or `uniqueText` without knowing the company. */
  indexAcrossCompanies: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
  /** Allows reading the rows of a company in the order of a `companyRowId`. */
  indexWithinCompany: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
}

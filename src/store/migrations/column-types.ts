import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely';

export interface ColumnTypes {
  instant: RawBuilder<unknown>;
  real: RawBuilder<unknown>;
  /** A generated integer that is never reused: the key of a table without company. */
  id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** The same in a table with companies, whose key consists of the company and the id. */
  companyRowId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  uniqueText: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  table: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** Completes a table with companies whose `companyRowId` or `uniqueText` is the column `key`. */
  companyTable: <B extends CreateTableBuilder<string, string>>(
    table: B,
    name: string,
    key: string,
  ) => B;
  clusteredTable: <B extends CreateTableBuilder<string, string>>(table: B) => B;
  /** For a table that grows with time, partitioned by the instants in `column`. */
  partitionedTable: <B extends CreateTableBuilder<string, string>>(table: B, column: string) => B;
  /**
   * Adds instants that the database computes from other columns of the row, by their expressions.
   */
  addGeneratedInstants: (
    db: Kysely<unknown>,
    table: string,
    columns: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Allows finding a row by a `companyRowId` or `uniqueText` without knowing the company. */
  indexAcrossCompanies: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
  /** Allows reading the rows of a company in the order of a `companyRowId`. */
  indexWithinCompany: (db: Kysely<unknown>, table: string, column: string) => Promise<void>;
}

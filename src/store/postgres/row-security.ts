import type { ClientBase } from 'pg';
import { companyTables } from '../company-scope.ts';

/** Whose rows are seen and touched: those of one company, or of all. */
export type RowScope = number | 'all';

/** The setting of a transaction that the policies ask. */
const COMPANY_SETTING = 'acequia.company';

/** Makes the rest of the transaction see and touch the rows of one company, or of all. */
export const setCompanyStatement = (rowScope: RowScope): string =>
  `select set_config('${COMPANY_SETTING}', '${rowScope}', true)`;

/** Asked once for a query, not for each row. Where nobody said for whom it is, no row is anybody's. */
const currentCompany = `(select current_setting('${COMPANY_SETTING}', true))`;
const isVisibleRow = (column: string): string => `(${currentCompany} = 'all' or ${column} =
  (select nullif(nullif(current_setting('${COMPANY_SETTING}', true), ''), 'all')::bigint))`;

const policyStatements = (table: string, column: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy of_company on ${table} using ${isVisibleRow(column)}`,
];

/** A wall of its own for a table that holds rows of a company, also against its owner. */
export const rowSecurityPolicies = (table: string): string[] => policyStatements(table, 'company_id');

/**
 * A second wall behind the narrowing of every query: the server itself shows and takes the rows of that company alone
 * which a transaction is for. Gives it to every table that has none yet.
 */
export async function enableRowSecurity(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and not c.relforcerowsecurity and c.relname = any($1)`,
    [[...companyTables, 'companies']],
  );
  for (const { name } of rows)
    for (const statement of policyStatements(name, name === 'companies' ? 'id' : 'company_id'))
      await client.query(statement);
}

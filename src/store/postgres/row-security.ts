import type { ClientBase } from 'pg';
import { companyTables } from '../scope/company-scope-rules.ts';

export type RowScope = number | 'all';

const COMPANY_SETTING = 'acequia.company';

/**
 * Confines the following statements to one company, and forbids them to scan whole tables: a plan
 * that is made without values expects an equal part of the rows for each company, so it would read
 * those of a large company to find the few of a small one. Every table has an index that begins
 * with the company.
 */
export function setCompanyStatement(rowScope: RowScope): string {
  const allowsTableScans = rowScope === 'all' ? 'on' : 'off';
  return `select set_config('${COMPANY_SETTING}', '${rowScope}', true),
    set_config('enable_seqscan', '${allowsTableScans}', true)`;
}

/**
 * A subquery is evaluated once per query, not per row. It is null without the setting, so that no
 * row is visible. After the first transaction of a session the setting is empty; neither that nor
 * `all` can be cast to a number.
 */
const currentCompany = `(select current_setting('${COMPANY_SETTING}', true))`;
const isVisibleRow = (column: string): string => `(${currentCompany} = 'all' or ${column} =
  (select nullif(nullif(current_setting('${COMPANY_SETTING}', true), ''), 'all')::bigint))`;

const policyStatements = (table: string, column: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy of_company on ${table} using ${isVisibleRow(column)}`,
];

export const rowSecurityPolicies = (table: string): string[] =>
  policyStatements(table, 'company_id');

/**
 * In addition to CompanyScope the server confines a transaction to its company, even for the owner
 * of the tables.
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

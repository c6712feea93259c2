import type { CompanyTables } from '../tables.ts';

/**
 * Rows that no answer about a farm shows, or that are computed from others in the same transaction.
 */
const UNCOUNTED: ReadonlySet<string> = new Set<keyof CompanyTables>([
  'idempotency',
  'outbox',
  'api_keys',
  'sessions',
  'pull_marks',
  'change_counts',
]);

export const isCountedTable = (table: string): boolean => !UNCOUNTED.has(table);

/**
 * Raised once in each transaction that changed rows of the company, unless it deleted the company.
 */
export const COUNT_CHANGE = (parameter: string): string =>
  `insert into change_counts (company_id, count) select id, 1 from companies where id = ${parameter}
    on conflict (company_id) do update set count = change_counts.count + 1`;

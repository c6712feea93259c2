import { randomUUID } from 'node:crypto';
import type { StoreAdapter } from '../store-adapter.ts';
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

const SENSOR_TABLES: ReadonlySet<string> = new Set<keyof CompanyTables>(['modules', 'sensors']);

export const isCountedTable = (table: string): boolean => !UNCOUNTED.has(table);

/** Notes that the transaction has changed rows of the table, for its count. */
export function noteChange(
  { changedCompanies, companiesWithChangedSensors }: StoreAdapter,
  companyId: number,
  table: string,
): void {
  if (isCountedTable(table)) changedCompanies.add(companyId);
  if (SENSOR_TABLES.has(table)) companiesWithChangedSensors.add(companyId);
}

/**
 * Runs once in each transaction that changed rows of the company, unless it deleted the company.
 * `marker` is what the database writes before the number of a parameter. A new version replaces
 * the stored one if modules or sensors changed.
 */
export const countChangeStatement = (marker: '$' | '?'): string =>
  `insert into change_counts (company_id, count, sensors_version)
    select id, 1, cast(${marker}2 as text) from companies where id = ${marker}1
    on conflict (company_id) do update set
      count = change_counts.count + 1,
      sensors_version = case
        when ${marker}3 = 1 or change_counts.sensors_version is null
        then excluded.sensors_version
        else change_counts.sensors_version
      end`;

/** The parameters of the statement. */
export const countedChange = (
  { companiesWithChangedSensors }: StoreAdapter,
  companyId: number,
): [companyId: number, newVersion: string, hasChangedSensors: 0 | 1] => [
  companyId,
  randomUUID(),
  companiesWithChangedSensors.has(companyId) ? 1 : 0,
];

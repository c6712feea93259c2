import { randomUUID } from 'node:crypto';
import { entryOf } from '../../domain/items.ts';
import { TABLES_BY_NAME } from '../../schema/tables/index.ts';
import type { StoreAdapter } from '../store-adapter.ts';

// The table change_counts has the number of transactions that have changed rows of a company, so
// that what was computed from its rows can be kept in memory until the number changes.

export const isCountedTable = (table: string): boolean => entryOf(TABLES_BY_NAME, table).isCounted;

/** Call it for each table of which the transaction changes rows. */
export function markCompanyChanged(
  { changedCompanies, companiesWithChangedProbes }: StoreAdapter,
  companyId: number,
  table: string,
): void {
  const { isCounted, describesProbes } = entryOf(TABLES_BY_NAME, table);
  if (isCounted) changedCompanies.add(companyId);
  if (describesProbes) companiesWithChangedProbes.add(companyId);
}

/**
 * Adds 1 to the count of a company, unless the transaction deleted the company. Runs once for each
 * changed company before the commit. `marker` is what the database writes before the number of a
 * parameter: 1 is the company, 2 a new version of its probes, 3 whether rows that describe them
 * changed (1 or 0). Only if they changed does the new version replace a stored one.
 */
export const addToChangeCount = (marker: '$' | '?'): string =>
  `insert into change_counts (company_id, count, probes_version)
    select id, 1, cast(${marker}2 as text) from companies where id = ${marker}1
    on conflict (company_id) do update set
      count = change_counts.count + 1,
      probes_version = case
        when ${marker}3 = 1 or change_counts.probes_version is null
        then excluded.probes_version
        else change_counts.probes_version
      end`;

/** The parameters of `addToChangeCount`. */
export const changeCountParameters = (
  { companiesWithChangedProbes }: StoreAdapter,
  companyId: number,
): [companyId: number, newVersion: string, hasChangedProbes: 0 | 1] => [
  companyId,
  randomUUID(),
  companiesWithChangedProbes.has(companyId) ? 1 : 0,
];

import { JOB_RUNNERS } from '../../domain/alerts/job-rounds.ts';
import { BACKUP_FAILURES } from '../../domain/backups/failures.ts';
import { entryOf } from '../../domain/items.ts';
import { UNIT_SYSTEMS } from '../../domain/units.ts';
import { accessTables } from './access.ts';
import { alertTables } from './alerts.ts';
import { changeTables } from './changes.ts';
import { flag, instant, oneOf, sequence, text } from './column.ts';
import { farmTables } from './farm.ts';
import { ingestTables } from './ingest.ts';
import { irrigationTables } from './irrigation.ts';
import { moistureTables } from './moisture.ts';
import { type Table, table } from './table.ts';
import { weatherTables } from './weather.ts';

/**
 * The tables of companies. Each also has the column `company_id`, with which its key and its unique
 * columns begin and which a company's handle (`CompanyDb`) hides.
 */
export const COMPANY_TABLES = {
  ...farmTables,
  ...moistureTables,
  ...irrigationTables,
  ...weatherTables,
  ...alertTables,
  ...ingestTables,
  ...accessTables,
  ...changeTables,
};

/** All tables of a store. */
export const TABLES = {
  companies: table(
    {
      id: sequence,
      name: text.unique,
      legal_name: text.orNull,
      country_code: text.orNull,
      currency: text.orNull,
      city: text.orNull,
      postal_code: text.orNull,
      region: text.orNull,
      timezone: text.orNull,
      units: oneOf(UNIT_SYSTEMS).orNull,
    },
    { changes: { kind: 'company', readScope: 'company:read', about: 'farm' } },
  ),
  ...COMPANY_TABLES,
  /** Says which process may run which jobs until when, in real time. */
  leases: table(
    { name: text, holder: text, expires_at: instant },
    { key: ['name'], isCopied: false, changes: null },
  ),
  /** The last rounds of the background jobs, in real time: at most two of each kind of process. */
  job_rounds: table(
    {
      runner: oneOf(JOB_RUNNERS),
      has_mail_server: flag,
      ran_at: instant,
      delivered_at: instant.orNull,
      failed_at: instant.orNull,
      tried_at: instant.orNull,
      stopped_at: instant.orNull,
    },
    { key: ['runner', 'has_mail_server'], isCopied: false, isStandalone: true, changes: null },
  ),
  /** What is known of the copies of this store in each folder. Times are real. */
  backup_folders: table(
    {
      folder: text,
      /** The same in each row. It tells the copies of this store from those of others. */
      store_id: text,
      copied_at: instant.orNull,
      checked_at: instant.orNull,
      drilled_at: instant.orNull,
      /** Of the last attempt, if it failed. */
      failed_at: instant.orNull,
      failure: oneOf(BACKUP_FAILURES).orNull,
    },
    { key: ['folder'], isCopied: false, isStandalone: true, changes: null },
  ),
  /** Secrets of the service, shared by all processes. */
  secrets: table({ name: text, value: text }, { key: ['name'], isStandalone: true, changes: null }),
};

export type TableName = keyof typeof TABLES;
export type CompanyTableName = keyof typeof COMPANY_TABLES;

/** The tables whose rows changes record. */
export type ChangedTable = {
  [Name in TableName]: (typeof TABLES)[Name]['changes'] extends null ? never : Name;
}[TableName];

export type ChangedKind = NonNullable<(typeof TABLES)[ChangedTable]['changes']['kind']>;

/** Each table follows those to which it refers. */
export const TABLES_BY_NAME: ReadonlyMap<string, Table> = inOrderOfReferences(
  new Map(Object.entries(TABLES)),
);

function inOrderOfReferences(tables: ReadonlyMap<string, Table>): Map<string, Table> {
  const ordered = new Map<string, Table>();

  const add = (name: string, table: Table): void => {
    for (const { properties } of Object.values(table.columns)) {
      const parent = properties.reference?.table ?? name;
      if (parent !== name && !ordered.has(parent)) add(parent, entryOf(tables, parent));
    }
    ordered.set(name, table);
  };

  for (const [name, table] of tables) if (!ordered.has(name)) add(name, table);
  return ordered;
}

export const isChangedTable = (name: string): name is ChangedTable =>
  (TABLES_BY_NAME.get(name)?.changes ?? null) !== null;

/** Each follows those to which it refers. */
export const CHANGED_TABLES = [...TABLES_BY_NAME.keys()].filter(isChangedTable);

/** The names of the rows of these tables in lists of changes. */
export const CHANGED_KINDS = CHANGED_TABLES.flatMap((name) => TABLES[name].changes.kind ?? []);

import type { QueryResult } from 'pg';
import { MIGRATION_COUNT } from '../schema/migrations.ts';
import { type RowScope, setCompanyStatement } from './row-security.ts';

/**
 * The locks of a transaction against writers in every process: `none`, nothing for a read of a
 * snapshot; `unlocked`, nothing for a write; a company's id, that company; `all`, every company.
 */
export type LockScope = 'none' | 'unlocked' | 'all' | number;

/**
 * First keys of our advisory locks, chosen so that other programs in the database are unlikely to
 * use them.
 */
const LOCK_CLASSES = {
  all: 1_094_927_700,
  company: 1_094_927_701,
  migrations: 1_094_927_702,
  partitions: 1_094_927_703,
} as const;

export const LOCK_PARTITIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.partitions}, 0)`;

/** False while a transaction of another process writes rows of every company. */
export const TRY_LOCK_OF_ALL = `pg_try_advisory_xact_lock_shared(${LOCK_CLASSES.all}, 0)`;

/** Makes the commit wait for the disk, even if the server's default does not. */
const REQUIRE_SYNCHRONOUS_COMMIT = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`;

/** Waits for every transaction that writes, in every process, and keeps new ones waiting. */
export const BEGIN_MIGRATION = [
  'begin isolation level read committed',
  REQUIRE_SYNCHRONOUS_COMMIT,
  `select pg_advisory_xact_lock(${LOCK_CLASSES.migrations}, 0)`,
  setCompanyStatement('all'),
].join('; ');

/**
 * Begins a transaction in one message. For a read, `set_config` takes the snapshot, since `begin`
 * alone takes none. A write takes its locks; each later statement then sees everything that was
 * committed before it, and the last one whether a newer program has migrated the store.
 */
export function beginStatement(lockScope: LockScope, rowScope: RowScope): string {
  const setCompany = setCompanyStatement(rowScope);
  if (lockScope === 'none')
    return ['begin isolation level repeatable read read only', setCompany].join('; ');

  return [
    'begin isolation level read committed',
    REQUIRE_SYNCHRONOUS_COMMIT,
    `select ${locksOf(lockScope).join(', ')}`,
    `${setCompany}, ${IS_NEWER} as "isNewer"`,
  ].join('; ');
}

/** More migrations are applied than this program knows. */
const IS_NEWER = `exists (select from kysely_migration offset ${MIGRATION_COUNT})`;

export const isBegunOnNewerStore = (results: QueryResult | readonly QueryResult[]): boolean =>
  [results].flat().at(-1)?.rows[0]?.isNewer === 1;

function locksOf(lockScope: Exclude<LockScope, 'none'>): string[] {
  const noMigration = `pg_advisory_xact_lock_shared(${LOCK_CLASSES.migrations}, 0)`;
  if (lockScope === 'unlocked') return [noMigration];
  if (lockScope === 'all') return [noMigration, `pg_advisory_xact_lock(${LOCK_CLASSES.all}, 0)`];
  return [
    noMigration,
    `pg_advisory_xact_lock_shared(${LOCK_CLASSES.all}, 0)`,
    // The second key has 32 bits. Companies with the same key merely wait for each other.
    `pg_advisory_xact_lock(${LOCK_CLASSES.company}, ${lockScope % 2 ** 31})`,
  ];
}

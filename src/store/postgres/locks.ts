import { type RowScope, setCompanyStatement } from './row-security.ts';

/**
 * What a transaction locks against other writers, in every process. `none`: nothing, it only reads a snapshot. A company's
 * id: that company. `all`: every company. `unlocked`: nothing, though it writes.
 */
export type LockScope = 'none' | 'unlocked' | 'all' | number;

/** First keys of our advisory locks, chosen so that other programs in the database are unlikely to use them. */
const LOCK_CLASSES = {
  all: 1_094_927_700,
  company: 1_094_927_701,
  tables: 1_094_927_702,
  months: 1_094_927_703,
} as const;

export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.tables}, 0)`;
export const LOCK_PARTITIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.months}, 0)`;

/** Has the commit wait for the disk, also where the server's default would not. */
const REQUIRE_SYNCHRONOUS_COMMIT = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`;

/**
 * Begins a transaction in one message. A read's snapshot is taken here by `set_config`, since `begin` alone takes none. A
 * write takes its locks here; each of its statements then sees everything that was committed before it.
 */
export function beginStatement(lockScope: LockScope, rowScope: RowScope): string {
  const statements =
    lockScope === 'none'
      ? ['begin isolation level repeatable read read only']
      : ['begin isolation level read committed', REQUIRE_SYNCHRONOUS_COMMIT, ...lockStatements(lockScope)];
  return [...statements, setCompanyStatement(rowScope)].join('; ');
}

function lockStatements(lockScope: Exclude<LockScope, 'none'>): string[] {
  if (lockScope === 'unlocked') return [];
  if (lockScope === 'all') return [`select pg_advisory_xact_lock(${LOCK_CLASSES.all}, 0)`];
  return [
    `select pg_advisory_xact_lock_shared(${LOCK_CLASSES.all}, 0)`,
    // The second key has 32 bits; companies that share one only wait for each other.
    `select pg_advisory_xact_lock(${LOCK_CLASSES.company}, ${lockScope % 2 ** 31})`,
  ];
}

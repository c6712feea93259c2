import { type RowScope, setCompanyStatement } from './row-security.ts';

/**
 * What a transaction locks against writers in every process: `none`, nothing for a read of a
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

export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.migrations}, 0)`;
export const LOCK_PARTITIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.partitions}, 0)`;

/** Makes the commit wait for the disk, even if the server's default does not. */
const REQUIRE_SYNCHRONOUS_COMMIT = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`;

/**
 * Begins a transaction in one message. For a read, `set_config` takes the snapshot, since `begin`
 * alone takes none. A write takes its locks; each later statement then sees everything that was
 * committed before it.
 */
export function beginStatement(lockScope: LockScope, rowScope: RowScope): string {
  const statements =
    lockScope === 'none'
      ? ['begin isolation level repeatable read read only']
      : [
          'begin isolation level read committed',
          REQUIRE_SYNCHRONOUS_COMMIT,
          ...lockStatements(lockScope),
        ];
  return [...statements, setCompanyStatement(rowScope)].join('; ');
}

function lockStatements(lockScope: Exclude<LockScope, 'none'>): string[] {
  if (lockScope === 'unlocked') return [];
  if (lockScope === 'all') return [`select pg_advisory_xact_lock(${LOCK_CLASSES.all}, 0)`];
  return [
    `select pg_advisory_xact_lock_shared(${LOCK_CLASSES.all}, 0)`,
    // The second key has 32 bits. Companies with the same key merely wait for each other.
    `select pg_advisory_xact_lock(${LOCK_CLASSES.company}, ${lockScope % 2 ** 31})`,
  ];
}

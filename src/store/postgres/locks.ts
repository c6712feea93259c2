import { type RowScope, setCompanyStatement } from './row-security.ts';

/**
 * Whose turn a transaction takes. `none`: a snapshot that only reads. A company's id: the turn of that company, one after
 * the other over every process. `all`: nobody else's turn meanwhile. `beside`: no turn at all.
 */
export type LockScope = 'none' | 'beside' | 'all' | number;

/** Advisory locks of ours are told by their first number from those of others in the same database. */
const LOCK_CLASSES = {
  all: 1_094_927_700,
  company: 1_094_927_701,
  tables: 1_094_927_702,
  months: 1_094_927_703,
} as const;

/** Held by whoever changes tables, to the end of its transaction. */
export const LOCK_MIGRATIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.tables}, 0)`;
/** Held by whoever makes a part of the readings, to the end of its transaction. */
export const LOCK_PARTITIONS = `select pg_advisory_xact_lock(${LOCK_CLASSES.months}, 0)`;

/** Second numbers of a lock are 32 bits wide; companies that share one only wait for each other. */
const companyLocks = (companyId: number): string[] => [
  `select pg_advisory_xact_lock_shared(${LOCK_CLASSES.all}, 0)`,
  `select pg_advisory_xact_lock(${LOCK_CLASSES.company}, ${companyId % 2 ** 31})`,
];

/** An answered write is on disk, also where the server's own default would not wait for that. */
const REQUIRE_SYNCHRONOUS_COMMIT = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`;

/** A snapshot is taken by the first query, whatever that asks, and lasts to the end of the transaction. */
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/**
 * What a transaction begins with. One that writes sees at each statement what was committed by then, and its turn is taken
 * first: so it sees all that those before it wrote, and nobody writes to its rows meanwhile.
 */
export function transactionPreamble(turn: LockScope, owner: RowScope): string[] {
  if (turn === 'none') return [BEGIN_SNAPSHOT, setCompanyStatement(owner)];
  const locks =
    turn === 'beside'
      ? []
      : turn === 'all'
        ? [`select pg_advisory_xact_lock(${LOCK_CLASSES.all}, 0)`]
        : companyLocks(turn);
  return ['begin isolation level read committed', REQUIRE_SYNCHRONOUS_COMMIT, ...locks, setCompanyStatement(owner)];
}

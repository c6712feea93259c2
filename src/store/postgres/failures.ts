import { argument } from '../../domain/text/program-names.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { AcequiaError, storeUnavailableError } from '../../schema/error.ts';
import { newerStoreError, StoreMigrated } from '../store-state-errors.ts';

/** An error that pg throws. */
interface Failure extends Error {
  /** The SQLSTATE of the server, or a Node error code of the connection. */
  readonly code?: string;
  readonly severity?: string;
  readonly routine?: string;
}

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlState = {
  notSupported: '0A000',
  checkViolation: '23514',
  readOnly: '25006',
  idleInTransaction: '25P03',
  unknownDatabase: '3D000',
  cardinalityViolation: '21000',
  unknownStatement: '26000',
  serialization: '40001',
  deadlock: '40P01',
  privilege: '42501',
  diskFull: '53100',
  outOfMemory: '53200',
  tooManyConnections: '53300',
  lockTimeout: '55P03',
  cancelled: '57014',
} as const;

const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && !(error instanceof AcequiaError);

/** Messages of pg 8.23, which gives these errors no code. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;
const SERVER_SILENT =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout|Query read timeout)/;
const UNREACHABLE_CODES: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EPIPE',
  // These come from a server that is reached by the path of a socket.
  'ENOENT',
  'EACCES',
]);

export const isCardinalityViolation = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.cardinalityViolation;

/** No answer came in time, although nothing reported an error. */
export const isServerSilent = (error: unknown): boolean =>
  isFailure(error) && SERVER_SILENT.test(error.message);

export const isConnectionLost = (error: unknown): boolean =>
  isFailure(error) &&
  (CONNECTION_LOST.test(error.message) ||
    isServerSilent(error) ||
    (error.severity === undefined && UNREACHABLE_CODES.has(error.code)) ||
    // Class 08: connection exceptions. 57P01 to 57P05: the server shuts down, restarts or ends the
    // session.
    /^(?:08|57P)/.test(error.code ?? '') ||
    error.code === sqlState.idleInTransaction);

/**
 * The connection has a plan from before another program migrated the database. A new connection has
 * no plans.
 */
const isPlanOutdated = (error: unknown): boolean =>
  isFailure(error) &&
  error.code === sqlState.notSupported &&
  error.routine === 'RevalidateCachedQuery';

/**
 * After a switchover, the connection may lead to the former primary, which accepts no writes any
 * more. At the same address a new connection leads to the new one.
 */
const isServerReadOnly = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.readOnly;

/** A statement that the session has prepared is missing: the session is shared with others. */
const isSessionShared = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.unknownStatement;

/** The next transaction on this connection would fail as well. */
export const needsNewConnection = (error: unknown): boolean =>
  isConnectionLost(error) ||
  isSessionShared(error) ||
  isServerReadOnly(error) ||
  isPlanOutdated(error) ||
  error instanceof CommitOutcomeUnknown;

export const isTransactionRetryable = (error: unknown): boolean =>
  isFailure(error) &&
  (isPlanOutdated(error) ||
    isServerReadOnly(error) ||
    error.code === sqlState.serialization ||
    error.code === sqlState.deadlock ||
    error.code === sqlState.tooManyConnections ||
    lacksPartition(error) ||
    // After a timeout a retry would only wait as long again.
    (isConnectionLost(error) &&
      !isServerSilent(error) &&
      error.code !== sqlState.idleInTransaction));

const lacksPartition = ({ code, routine }: Failure): boolean =>
  code === sqlState.checkViolation && routine === 'ExecFindPartition';

export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';

  constructor(cause: unknown) {
    super('The transaction was aborted by an earlier failure', { cause });
  }
}

/** The connection was lost during a commit, which may or may not have happened. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';

  constructor(cause: unknown) {
    super('The connection was lost during a commit', { cause });
  }
}

/**
 * Returns AcequiaErrors, violated constraints and wrong queries unchanged. `location` must not
 * contain a password.
 */
export function postgresStoreError(error: unknown, location: string): unknown {
  if (error instanceof CommitOutcomeUnknown)
    return storeUnavailableError(
      say`The connection to ${verbatim(location)} was lost while the change was being saved; it may have been saved.`,
      say`Repeat the call with the same ${argument('idempotencyKey')}, which saves it only once; without one, check first whether it was saved.`,
      { mayBeWritten: true },
    );

  if (error instanceof StoreMigrated) return newerStoreError(location);
  if (!isFailure(error)) return error;
  const message = messageFor(error);
  if (message === undefined) return error;

  const [problem, hint, reason] = message;
  return storeUnavailableError(problem(verbatim(location), error), hint, { reason });
}

type StoreMessage = readonly [
  problem: (location: Name, error: Failure) => Text,
  hint: Text,
  reason?: string,
];

const rejectedUser: StoreMessage = [
  (location) => say`${location} rejected the user name or password.`,
  say`Check the user and password in --db or ACEQUIA_DB (or PGPASSWORD), and pg_hba.conf on the server.`,
];
const busy: StoreMessage = [
  (location) => say`${location} was too busy with other writes.`,
  say`Nothing was written. Try again.`,
];

const sharedSession = [
  (location: Name) =>
    say`${location} is reached through a pooler that is not in session mode: sessions share connections to the server.`,
  say`Set the pooler to session mode (pool_mode = session in PgBouncer), or connect to the server directly.`,
  'a pooler in front of it is not in session mode',
] as const satisfies StoreMessage;

const locked = [
  (location: Name) =>
    say`Rows of ${location} have been locked by another program for more than 30 seconds.`,
  say`Nothing was written. Wait for the import or maintenance that locks them, or stop it, then try again.`,
  'another program has locked it',
] as const satisfies StoreMessage;

const readOnly = [
  (location: Name) => say`${location} accepts no writes: it is a standby or read-only.`,
  say`Name the primary server with --db or ACEQUIA_DB, or make this one accept writes; Acequia need not be restarted.`,
  'it is read-only',
] as const satisfies StoreMessage;

const storeMessages: Readonly<Record<string, StoreMessage>> = {
  '28000': rejectedUser,
  '28P01': rejectedUser,
  [sqlState.unknownDatabase]: [
    (location) => say`The server has no database with the name in ${location}.`,
    say`Create it with "createdb", owned by the user that Acequia connects as, or name another with --db or ACEQUIA_DB.`,
  ],
  [sqlState.unknownStatement]: sharedSession,
  [sqlState.tooManyConnections]: [
    (location) => say`${location} accepts no more connections.`,
    say`Nothing was written. Try again, or raise max_connections of the server: each Acequia process uses up to 21.`,
    'its server accepts no more connections',
  ],
  [sqlState.readOnly]: readOnly,
  [sqlState.privilege]: [
    (location, { message }) =>
      say`The user lacks a privilege in ${location}: ${verbatim(message)}.`,
    say`Connect as the owner of the database and its tables, or have the owner grant the privilege.`,
  ],
  [sqlState.lockTimeout]: locked,
  [sqlState.cancelled]: [
    (location) => say`A query in ${location} timed out or was cancelled on the server.`,
    say`Nothing was written. Try again; if it persists, check the load of the server.`,
  ],
  [sqlState.diskFull]: [
    (location) => say`There is no space left to write to ${location}.`,
    say`Nothing of this call was written. Free some space on the server's disk, then try again; reading still works.`,
    'its disk is full',
  ],
  [sqlState.outOfMemory]: [
    (location) => say`There is not enough memory on the server of ${location}.`,
    say`Nothing of this call was written. Try again; if it persists, check the memory settings of the server.`,
  ],
  [sqlState.serialization]: busy,
  [sqlState.deadlock]: busy,
};
const internalError: StoreMessage = [
  (location, { message }) =>
    say`The server of ${location} reported an internal error: ${verbatim(message)}.`,
  say`Nothing of this call was written. Check the log and the disks of the server.`,
];
const unreachable: StoreMessage = [
  (location) => say`${location} cannot be reached, or ended the connection.`,
  say`Nothing was written. Check that PostgreSQL runs and accepts connections at that address; the next call tries again.`,
  'its server cannot be reached',
];
/** A server that stops says so, and a pooler says what it does not accept. */
const endedConnection: StoreMessage = [
  (location, { message }) => say`${location} ended the connection: ${verbatim(message)}.`,
  say`Nothing was written. If a pooler said this, correct its settings (docs/scale.md); the next call tries again.`,
  'its server cannot be reached',
];

export const readOnlyServerError = (location: string): AcequiaError => {
  const [problem, hint, reason] = readOnly;
  return storeUnavailableError(problem(verbatim(location)), hint, { reason });
};

export const isServerDiskFull = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.diskFull;

/** True if another transaction holds a lock that this one needs. */
export const isLocked = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.lockTimeout;

export const lockedRowsError = (location: string): AcequiaError => {
  const [problem, hint, reason] = locked;
  return storeUnavailableError(problem(verbatim(location)), hint, { reason });
};

export const sharedSessionError = (location: string): AcequiaError => {
  const [problem, hint, reason] = sharedSession;
  return storeUnavailableError(problem(verbatim(location)), hint, { reason });
};

export const noSchemaError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`The search_path of the user names no schema that exists in ${verbatim(location)}.`,
    say`Create one that belongs to the user, such as "create schema acequia authorization acequia", or correct the path.`,
  );

export const ambiguousSchemaError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`Several schemas of ${verbatim(location)} hold tables of Acequia, and the search_path of the user names none of them.`,
    say`Name the right one: alter role … set search_path = …; or remove the others.`,
  );

export const noSessionError = (location: string): AcequiaError =>
  storeUnavailableError(
    say`${verbatim(location)} accepted a connection, and then did not answer for 5 seconds.`,
    say`If it is a pooler, it has no free connection to the server: let it open 21 for each process of Acequia (default_pool_size in PgBouncer).`,
  );

function messageFor(error: Failure): StoreMessage | undefined {
  const { code = '' } = error;
  // Class 58: errors of the server's operating system. XX: internal errors and damaged data.
  if (/^(?:58|XX)/.test(code)) return internalError;
  const message = storeMessages[code];
  if (message !== undefined) return message;
  if (error.severity === 'FATAL') return endedConnection;
  return isConnectionLost(error) ? unreachable : undefined;
}

export function postgresConnectError(error: unknown, location: string): unknown {
  if (!isFailure(error) || error.severity !== undefined || isConnectionLost(error)) return error;
  return storeUnavailableError(
    say`No connection to ${verbatim(location)} could be made: ${verbatim(error.message)}.`,
    say`Check the user, the password (or PGPASSWORD) and sslmode in --db or ACEQUIA_DB.`,
  );
}

import { AcequiaError, storeUnavailable } from '../../schema/error.ts';

/** What the driver throws: `code` is the server's SQLSTATE, or the system's word for what befell the connection. */
interface Failure extends Error {
  readonly code?: string;
  /** The server's; absent where the failure is not its answer. */
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
  serialization: '40001',
  deadlock: '40P01',
  privilege: '42501',
  diskFull: '53100',
  outOfMemory: '53200',
  tooManyConnections: '53300',
  lockTimeout: '55P03',
  cancelled: '57014',
} as const;

const isFailure = (error: unknown): error is Failure => error instanceof Error && !(error instanceof AcequiaError);

/** Words of the driver for a connection that is gone and for a server that does not answer; it gives them no code. */
const CONNECTION_LOST = /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;
const SERVER_SILENT =
  /^(?:timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout|Query read timeout)/;
/** The system's words for the same. */
const UNREACHABLE_CODES: ReadonlySet<string | undefined> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EPIPE'],
  ...['ENOENT', 'EACCES', 'ENETDOWN', 'EHOSTDOWN'],
]);

/** The connection is gone, was ended by the server, or could not be had: nothing that was not committed stands. */
export const isConnectionLost = (error: unknown): boolean =>
  isFailure(error) &&
  (CONNECTION_LOST.test(error.message) ||
    SERVER_SILENT.test(error.message) ||
    (error.severity === undefined && UNREACHABLE_CODES.has(error.code)) ||
    // Class 08, connection exceptions; 57P01 to 57P05, a server that ends, restarts or was told to end a session.
    /^(?:08|57P)/.test(error.code ?? '') ||
    error.code === sqlState.idleInTransaction);

/** The connection keeps a plan from before a newer program changed the tables; another connection does not. */
export const isPlanOutdated = (error: unknown): boolean =>
  isFailure(error) && error.code === sqlState.notSupported && error.routine === 'RevalidateCachedQuery';

/** The same transaction, run again, has every prospect. */
export const isTransactionRetryable = (error: unknown): boolean =>
  isFailure(error) &&
  (isPlanOutdated(error) ||
    error.code === sqlState.serialization ||
    error.code === sqlState.deadlock ||
    error.code === sqlState.tooManyConnections ||
    lacksPartition(error) ||
    (isConnectionLost(error) && !SERVER_SILENT.test(error.message) && error.code !== sqlState.idleInTransaction));

/** No part of a partitioned table takes the row. */
const lacksPartition = ({ code, routine }: Failure): boolean =>
  code === sqlState.checkViolation && routine === 'ExecFindPartition';

/** What is asked behind a query that failed; `cause` is what that failed with. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionEnded';

  constructor(cause: unknown) {
    super('The transaction has ended by an earlier failure', { cause });
  }
}

/** The connection was lost while a transaction was being made sure: whether it was, nobody can tell from here. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitUnknown';

  constructor(cause: unknown) {
    super('The connection was lost during a commit', { cause });
  }
}

/**
 * A failure of the server, or of the way to it, as the one error that clients see; anything else (our own refusals,
 * broken constraints, mistakes in a query) as it is. `place` names the store without a password.
 */
export function postgresStoreError(error: unknown, place: string): unknown {
  if (error instanceof CommitOutcomeUnknown)
    return storeUnavailable(
      `The connection to ${place} was lost while the entry was being kept: it may have been made.`,
      'Repeat the call with the same idempotencyKey, which makes it once; without one, look first whether it was made.',
    );
  if (!isFailure(error)) return error;
  return storeErrorFor(error, place) ?? error;
}

function storeErrorFor(error: Failure, place: string): AcequiaError | undefined {
  const { code } = error;
  if (code === '28000' || code === '28P01')
    return storeUnavailable(
      `${place} does not let this user in.`,
      'Check user and password in --db or ACEQUIA_DB (PGPASSWORD serves too), and the pg_hba.conf of the server.',
    );
  switch (code) {
    case sqlState.unknownDatabase:
      return storeUnavailable(
        `The server has no database of the name in ${place}.`,
        'Make it with "createdb", owned by the user that Acequia connects as, or name another with --db or ACEQUIA_DB.',
      );
    case sqlState.tooManyConnections:
      return storeUnavailable(
        `${place} takes no more connections.`,
        'Nothing was written. Try again, or raise max_connections of the server: each process of Acequia takes up to 10.',
      );
    case sqlState.readOnly:
      return storeUnavailable(
        `${place} takes no writes: it is a standby, or set to read only.`,
        'Name the server that is written to with --db or ACEQUIA_DB.',
      );
    case sqlState.privilege:
      return storeUnavailable(
        `This user may not do in ${place} what is needed: ${error.message}.`,
        'Connect as the owner of the database and its tables, or have it grant what is missing.',
      );
    case sqlState.lockTimeout:
      return storeUnavailable(
        `The rows of ${place} have been held by another program for more than 30 seconds.`,
        'Nothing was written. Wait for the import or the maintenance that holds them, or end it, then try again.',
      );
    case sqlState.cancelled:
      return storeUnavailable(
        `A query of ${place} took longer than the server is given, or was ended there.`,
        'Nothing was written. Try again; if it stays, look at the load of the server.',
      );
    case sqlState.diskFull:
      return storeUnavailable(
        `There is no room left to write to ${place}.`,
        "Nothing of this call was written. Free some space on the server's disk, then try again; reading goes on.",
      );
    case sqlState.outOfMemory:
      return storeUnavailable(
        `There is not enough memory on the server of ${place}.`,
        'Nothing of this call was written. Try again; if it stays, look at the memory settings of the server.',
      );
    case sqlState.serialization:
    case sqlState.deadlock:
      return storeUnavailable(`${place} was too busy with other writes.`, 'Nothing was written. Try again.');
  }
  // Class 58, failures of the server's system; XX, its data or itself broken.
  if (/^(?:58|XX)/.test(code ?? ''))
    return storeUnavailable(
      `The server of ${place} failed inside: ${error.message}.`,
      'Nothing of this call was written. Look at the log and the disks of the server.',
    );
  if (isConnectionLost(error))
    return storeUnavailable(
      `${place} cannot be reached, or ended the connection.`,
      'Nothing was written. Check that PostgreSQL runs and takes connections at that address; the next call tries again.',
    );
  return undefined;
}

/** Why no connection was made: what the driver alone knows, as a missing password or a certificate, is told in its words. */
export function postgresConnectError(error: unknown, place: string): unknown {
  if (!isFailure(error) || error.severity !== undefined || isConnectionLost(error)) return error;
  return storeUnavailable(
    `${place} cannot be connected to: ${error.message}.`,
    'Check user, password (PGPASSWORD serves too) and sslmode in --db or ACEQUIA_DB.',
  );
}

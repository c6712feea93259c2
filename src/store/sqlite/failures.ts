import { say, verbatim } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { type AcequiaError, storeUnavailableError } from '../../schema/error.ts';
import { newerStoreError, StoreMigrated } from '../store-state-errors.ts';

/**
 * An error that the binding throws. `errcode` is SQLite's extended result code, `systemErrno` the
 * error number of the system. Both are missing if reading rows failed, including those of
 * `returning`; then only the message identifies the error.
 */
interface SqliteFailure extends Error {
  code: 'ERR_SQLITE_ERROR';
  errcode?: number;
  systemErrno?: number;
}

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const resultCode = {
  perm: 3,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

const codeByMessage: Readonly<Record<string, number>> = {
  'database is locked': resultCode.busy,
  'database table is locked': resultCode.locked,
  'out of memory': resultCode.noMemory,
  'attempt to write a readonly database': resultCode.readOnly,
  'disk I/O error': resultCode.io,
  'database disk image is malformed': resultCode.corrupt,
  'database or disk is full': resultCode.full,
  'unable to open database file': resultCode.cannotOpen,
  'locking protocol': resultCode.protocol,
  'file is not a database': resultCode.notADatabase,
  // SQLite reports a damaged schema format as an error in SQL.
  'unsupported file format': resultCode.corrupt,
};

const isSqliteFailure = (error: unknown): error is SqliteFailure =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

/** The low byte of an extended code is the primary one. */
const primaryCode = ({ errcode, message }: SqliteFailure): number | undefined =>
  codeByMessage[message] ?? (errcode === undefined ? undefined : errcode & 0xff);

export function isBusy(error: unknown): boolean {
  if (!isSqliteFailure(error)) return false;
  const primary = primaryCode(error);
  return (
    primary === resultCode.busy || primary === resultCode.locked || primary === resultCode.protocol
  );
}

export function isDiskFull(error: unknown): boolean {
  if (!isSqliteFailure(error)) return false;
  const primary = primaryCode(error);
  return primary === resultCode.full || primary === resultCode.io;
}

export const isReadOnly = (error: unknown): boolean =>
  isSqliteFailure(error) && primaryCode(error) === resultCode.readOnly;

export const lockedFileError = (file: string): AcequiaError => {
  const [problem, hint, reason] = locked;
  return storeUnavailableError(problem(verbatim(file)), hint, { reason });
};

export const diskFullError = (file: string): AcequiaError => {
  const [problem, hint, reason] = diskFull;
  return storeUnavailableError(problem(verbatim(file)), hint, { reason });
};

export const notWritableError = (file: string): AcequiaError => {
  const [problem, hint, reason] = notWritable;
  return storeUnavailableError(problem(verbatim(file)), hint, { reason });
};

/** Returns AcequiaErrors, violated constraints and wrong queries unchanged. */
export function sqliteStoreError(error: unknown, file: string): unknown {
  if (error instanceof StoreMigrated) return newerStoreError(file);
  if (!isSqliteFailure(error)) return error;
  const code = primaryCode(error);
  const message = code === undefined ? undefined : storeMessages[code];
  if (message === undefined) return error;

  const [problem, hint, reason] = message;
  return storeUnavailableError(problem(verbatim(file), error), hint, { reason });
}

type StoreMessage = readonly [
  problem: (file: Name, error: SqliteFailure) => Text,
  hint: Text,
  reason?: string,
];

const locked = [
  (file: Name) =>
    say`The store ${file} has been locked by another program for more than 30 seconds.`,
  say`Nothing was written. Wait for the import or backup that locks it, or stop it, then try again.`,
  'another program has locked it',
] as const satisfies StoreMessage;
const diskFull = [
  (file: Name) => say`There is no space left to write to the store ${file}.`,
  say`Nothing of this call was written. Free some space on that disk, then try again; reading still works.`,
  'its disk is full',
] as const satisfies StoreMessage;
const notWritable = [
  (file: Name) => say`The store ${file} is not writable.`,
  say`Allow this user to write the file, its -wal and -shm and its folder, or name another file with --db or ACEQUIA_DB.`,
  'it is read-only',
] as const satisfies StoreMessage;

const storeMessages: Readonly<Record<number, StoreMessage>> = {
  [resultCode.busy]: locked,
  [resultCode.locked]: locked,
  [resultCode.protocol]: locked,
  [resultCode.notADatabase]: [
    (file) => say`The file ${file} is not an Acequia store.`,
    say`Name another file with --db or ACEQUIA_DB, or move this one away; a missing file is created.`,
  ],
  [resultCode.corrupt]: [
    (file) => say`The store ${file} is damaged.`,
    say`Stop every program that uses it and replace it by a backup; keep the damaged file.`,
    'it is damaged',
  ],
  [resultCode.full]: diskFull,
  [resultCode.io]: [
    (file, error) =>
      say`The system failed while reading or writing the store ${file}${errnoSuffix(error)}.`,
    say`Nothing of this call was written. Check the disk, its free space and any limit on file size, then try again.`,
    'its disk reported a failure',
  ],
  [resultCode.readOnly]: notWritable,
  [resultCode.perm]: notWritable,
  [resultCode.cannotOpen]: [
    (file, error) => say`The store ${file} cannot be opened${errnoSuffix(error)}.`,
    say`Check that it is a file and that this user may read and write it and its folder, or name another with --db or ACEQUIA_DB.`,
  ],
  [resultCode.noMemory]: [
    (file) => say`There is not enough memory to work with the store ${file}.`,
    say`Nothing of this call was written. Close other programs, then try again.`,
  ],
};

const errnoNames: Readonly<Record<number, Text>> = {
  1: say`not permitted`,
  2: say`no such file or folder`,
  5: say`input or output error`,
  13: say`permission denied`,
  20: say`a part of the path is not a folder`,
  21: say`it is a folder`,
  27: say`the file would grow over the size limit`,
  28: say`no space left`,
  30: say`the file system is read-only`,
};

const errnoSuffix = ({ systemErrno }: SqliteFailure): Text | null => {
  const reason = systemErrno === undefined ? undefined : errnoNames[systemErrno];
  return reason ? say`: ${reason}` : null;
};

const folderReasons: Readonly<Record<string, Text>> = {
  EACCES: say`permission denied`,
  EPERM: say`not permitted`,
  EROFS: say`the file system is read-only`,
  ENOTDIR: say`a part of the path is not a folder`,
  EEXIST: say`a part of the path is not a folder`,
  ENOSPC: say`no space left`,
  ENAMETOOLONG: say`the name is too long`,
  ENOENT: say`there is no such folder`,
};

export function folderError(error: unknown, file: string): AcequiaError {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === undefined ? say`the system refuses it` : (folderReasons[code] ?? verbatim(code));
  return storeUnavailableError(
    say`The folder of the store ${verbatim(file)} cannot be created: ${reason}.`,
    say`Make the folder writable for this user, or name another file with --db or ACEQUIA_DB.`,
  );
}

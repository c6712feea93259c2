import { existsSync } from 'node:fs';

const POSTGRES_URL = /^postgres(?:ql)?:\/\//i;

/** Whether a store is named by the URL of a database, and not by the path of a file. */
export const isPostgresUrl = (db: string): boolean => POSTGRES_URL.test(db);

/** Whether no store can be at a place. Of a database a server alone can tell. */
export const isMissingFile = (db: string): boolean => !isPostgresUrl(db) && !existsSync(db);

/** A place as it may be shown: of a URL the user, the host and the database, never a password. */
export function redactedLocation(db: string): string {
  if (!isPostgresUrl(db)) return db;
  // A text that is no URL may hold a password anywhere.
  if (!URL.canParse(db)) return 'postgres://…';
  const { username, host, pathname } = new URL(db);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}

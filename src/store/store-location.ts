import { existsSync } from 'node:fs';

const POSTGRES_URL = /^postgres(?:ql)?:\/\//i;

export const isPostgresUrl = (db: string): boolean => POSTGRES_URL.test(db);

export const isMissingFile = (db: string): boolean => !isPostgresUrl(db) && !existsSync(db);

/** A URL may carry its password before the host or as any of many parameters. */
export const mayHoldPassword = (db: string): boolean =>
  isPostgresUrl(db) &&
  (!URL.canParse(db) || new URL(db).password !== '' || new URL(db).search !== '');

export function redactedLocation(db: string): string {
  if (!isPostgresUrl(db)) return db;
  // An invalid URL may contain a password anywhere.
  if (!URL.canParse(db)) return 'postgres://…';
  const { username, host, pathname } = new URL(db);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}

import { existsSync } from 'node:fs';
import type { StoreDialect } from './store-adapter.ts';

const POSTGRES_URL = /^postgres(?:ql)?:\/\//i;

export const dialectOf = (db: string): StoreDialect =>
  POSTGRES_URL.test(db) ? 'postgres' : 'sqlite';

/** False for the path of a file. */
export const isServerUrl = (db: string): boolean => dialectOf(db) !== 'sqlite';

export const isMissingFile = (db: string): boolean => !isServerUrl(db) && !existsSync(db);

/** A URL may carry its password before the host or as any of many parameters. */
export const mayHoldPassword = (db: string): boolean =>
  isServerUrl(db) &&
  (!URL.canParse(db) || new URL(db).password !== '' || new URL(db).search !== '');

export function redactedLocation(db: string): string {
  if (!isServerUrl(db)) return db;
  // An invalid URL may contain a password anywhere.
  if (!URL.canParse(db)) return 'postgres://…';
  const { username, host, pathname } = new URL(db);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}

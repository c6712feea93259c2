import { existsSync } from 'node:fs';
import type { StoreDialect } from './store-adapter.ts';

const POSTGRES_URL = /^postgres(?:ql)?:\/\//i;

export const dialectOf = (location: string): StoreDialect =>
  POSTGRES_URL.test(location) ? 'postgres' : 'sqlite';

/** False for the path of a file. */
export const isServerUrl = (location: string): boolean => dialectOf(location) !== 'sqlite';

export const isMissingFile = (location: string): boolean =>
  !isServerUrl(location) && !existsSync(location);

/** The password of a URL stands before the host, or in one of many query parameters. */
export const mayHoldPassword = (location: string): boolean =>
  isServerUrl(location) &&
  (!URL.canParse(location) || new URL(location).password !== '' || new URL(location).search !== '');

export function redactedLocation(location: string): string {
  if (!isServerUrl(location)) return location;
  // An invalid URL may contain a password anywhere.
  if (!URL.canParse(location)) return 'postgres://…';
  const { username, host, pathname } = new URL(location);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}

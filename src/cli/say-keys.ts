import { quoted } from '../operation/names.ts';
import type { ListedKey, MadeKey } from '../service/key-register.ts';
import { isoOf, isoOrNull } from '../service/wire.ts';

/** A key that was made, in words for a terminal; the key itself is told elsewhere. */
export const sayMade = ({ id, user, scopes, expiresAt }: MadeKey): string =>
  `Key #${id}, ${user === null ? 'for no user' : `for ${quoted(user)}`}${expiresAt === null ? '' : `, until ${isoOf(expiresAt)}`}: ${scopes.join(', ')}.\nIt is shown this once: keep it where it is needed.\n`;

const HEADINGS = ['ID', 'STATE', 'COMPANY', 'USER', 'SURFACE', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES'];

/** Keys as a table, instants in UTC to the minute. */
export function sayKeys(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'There is no key yet: "acequia keys create" makes one.\n';
  const rows = [HEADINGS, ...keys.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const cells = (key: ListedKey): string[] => [
  String(key.id),
  key.state,
  `${quoted(key.company.name).slice(1, -1)} (#${key.company.id})`,
  key.user === null ? 'none' : `${quoted(key.user.email ?? '').slice(1, -1)} (#${key.user.id})`,
  key.surface,
  minute(key.createdAt),
  key.expiresAt === null ? 'never' : minute(key.expiresAt),
  key.lastUsedAt === null ? 'never' : minute(key.lastUsedAt),
  key.scopes.join(','),
];

const minute = (at: number): string => `${isoOf(at).slice(0, 16)}Z`;

/** The same as JSON, for programs. */
export const keysAsJson = (keys: readonly ListedKey[]): string =>
  `${JSON.stringify(
    keys.map(({ createdAt, expiresAt, revokedAt, lastUsedAt, ...key }) => ({
      ...key,
      createdAt: isoOf(createdAt),
      expiresAt: isoOrNull(expiresAt),
      revokedAt: isoOrNull(revokedAt),
      lastUsedAt: isoOrNull(lastUsedAt),
    })),
    null,
    2,
  )}\n`;

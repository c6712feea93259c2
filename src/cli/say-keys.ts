import { quote } from '../operation/names.ts';
import type { CreatedKey, KeyListing } from '../service/key-register.ts';
import { toIso, toIsoOrNull } from '../service/wire.ts';

/** A key that was made, in words for a terminal; the key itself is told elsewhere. */
export const formatNewKey = ({ id, user, scopes, expiresAt }: CreatedKey): string =>
  `Key #${id}, ${user === null ? 'for no user' : `for ${quote(user)}`}${expiresAt === null ? '' : `, until ${toIso(expiresAt)}`}: ${scopes.join(', ')}.\nIt is shown this once: keep it where it is needed.\n`;

const HEADINGS = ['ID', 'STATE', 'COMPANY', 'USER', 'SURFACE', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES'];

/** Keys as a table, instants in UTC to the minute. */
export function formatKeyTable(keys: readonly KeyListing[]): string {
  if (keys.length === 0) return 'There is no key yet: "acequia keys create" makes one.\n';
  const rows = [HEADINGS, ...keys.map(keyCells)];
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

const keyCells = (key: KeyListing): string[] => [
  String(key.id),
  key.state,
  `${quote(key.company.name).slice(1, -1)} (#${key.company.id})`,
  key.user === null ? 'none' : `${quote(key.user.email ?? '').slice(1, -1)} (#${key.user.id})`,
  key.surface,
  formatUtcMinute(key.createdAt),
  key.expiresAt === null ? 'never' : formatUtcMinute(key.expiresAt),
  key.lastUsedAt === null ? 'never' : formatUtcMinute(key.lastUsedAt),
  key.scopes.join(','),
];

const formatUtcMinute = (at: number): string => `${toIso(at).slice(0, 16)}Z`;

/** The same as JSON, for programs. */
export const formatKeysJson = (keys: readonly KeyListing[]): string =>
  `${JSON.stringify(
    keys.map(({ createdAt, expiresAt, revokedAt, lastUsedAt, ...key }) => ({
      ...key,
      createdAt: toIso(createdAt),
      expiresAt: toIsoOrNull(expiresAt),
      revokedAt: toIsoOrNull(revokedAt),
      lastUsedAt: toIsoOrNull(lastUsedAt),
    })),
    null,
    2,
  )}\n`;

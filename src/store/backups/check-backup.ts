import { statSync } from 'node:fs';
import { BackupError } from '../../domain/backups/failures.ts';
import type { TableFigures } from '../../schema/backups/manifest.ts';
import { type StoredBackup, writeManifest } from './backup-folder.ts';
import { damageIn, differencesOf, figuresOf, migrationsIn, sha256Of } from './file-contents.ts';
import { withCopy } from './snapshot.ts';

const bytesCount = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;

/** What is wrong with a copy, in the order in which it was found. Empty for an intact one. */
export async function problemsOf({ manifest, path }: StoredBackup): Promise<string[]> {
  const problems: string[] = [];
  const { size } = statSync(path);
  if (size !== manifest.bytes)
    problems.push(`it has ${bytesCount(size)}, and had ${bytesCount(manifest.bytes)}`);
  else if ((await sha256Of(path)) !== manifest.sha256) problems.push('its bytes have changed');

  try {
    const differences = await withCopy(path, async (database) => {
      const damage = damageIn(database);
      if (damage !== null) problems.push(damage);
      if (migrationsIn(database).join() !== manifest.migrations.join())
        problems.push('its migrations have changed');
      return differencesOf(manifest.tables, await figuresOf(database));
    });
    for (const { table, expected, found } of differences)
      problems.push(`${table} has ${found ?? 'no'} rows, and had ${expected ?? 'none'}`);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    problems.push('it cannot be read');
  }
  return problems;
}

/** Throws a `BackupError` for a damaged copy, and notes the damage beside it. */
export async function assertIntact(stored: StoredBackup): Promise<void> {
  const problems = await problemsOf(stored);
  if (problems.length === 0) return;
  await markDamaged(stored, problems.join('; '));
}

export async function markDamaged(
  { manifest, manifestPath, path }: StoredBackup,
  damage: string,
): Promise<never> {
  // Copies on a disk that cannot be written are checked, too.
  await writeManifest(manifestPath, { ...manifest, damage }).catch(() => undefined);
  throw new BackupError('copy_damaged', `${path}: ${damage}`);
}

export const rowCountOf = (tables: readonly TableFigures[]): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

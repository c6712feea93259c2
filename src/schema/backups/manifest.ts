import { z } from 'zod';

export const MANIFEST_FORMAT = 1;

const tableFigures = z.object({
  table: z.string(),
  rows: z.number().int().nonnegative(),
  /** SHA-256 of the rows, in hex. */
  checksum: z.string(),
});

/**
 * What stands beside each copy, as JSON. Later programs may add fields. Instants are in ms since
 * 1970 UTC.
 */
export const backupManifest = z.object({
  format: z.literal(MANIFEST_FORMAT),
  /** Copies before a migration are kept by a rule of their own. */
  kind: z.enum(['regular', 'before_migration']),
  store: z.object({
    /** Null if the store had no id yet. */
    id: z.string().nullable(),
    path: z.string(),
  }),
  /** The name of the file beside this one. */
  file: z.string().regex(/^[^/\\]+$/),
  /** The store was like this from the one instant to the other, as far as copies know. */
  firstAt: z.number().int(),
  at: z.number().int(),
  checkedAt: z.number().int(),
  drilledAt: z.number().int().nullable(),
  /** What a later check found. */
  damage: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  /** SHA-256 of the file, in hex. */
  sha256: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(tableFigures),
});

export type TableFigures = z.infer<typeof tableFigures>;
export type BackupManifest = z.infer<typeof backupManifest>;
export type BackupKind = BackupManifest['kind'];

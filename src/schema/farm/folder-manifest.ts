import { z } from 'zod/v3';

export const FOLDER_FORMAT = 'acequia-export';
/** Goes up when the files are written in another way; their columns follow the migrations. */
export const FOLDER_VERSION = 1;

const folderFile = z.object({
  name: z.string(),
  /** Null for the farm file. */
  rows: z.number().int().nonnegative().nullable(),
  bytes: z.number().int().nonnegative(),
  /** In hex. */
  sha256: z.string(),
});

/** Written last: a folder without it is not complete. */
export const folderManifest = z.object({
  format: z.literal(FOLDER_FORMAT),
  version: z.literal(FOLDER_VERSION),
  /** The version of Acequia that wrote it. */
  program: z.string(),
  exportedAt: z.string(),
  company: z.object({ id: z.number().int().positive(), name: z.string() }),
  /** The store had applied them, which decides the columns and what they mean. */
  migrations: z.array(z.string()),
  /** By table, so that an import generates no id that a deleted row had. */
  lastIds: z.record(z.number().int().positive()),
  files: z.array(folderFile),
});

export type FolderManifest = z.infer<typeof folderManifest>;
export type FolderFile = z.infer<typeof folderFile>;

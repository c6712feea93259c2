import { dirname, join, resolve } from 'node:path';

export const defaultBackupFolder = (storeFile: string): string =>
  join(dirname(resolve(storeFile)), 'backups');

/** In the place of a folder: this store, a demo, makes no copies by itself. */
export const NO_FOLDER = 'off';

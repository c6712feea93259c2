import { dirname, join, resolve } from 'node:path';

export const defaultBackupFolder = (storeFile: string): string =>
  join(dirname(resolve(storeFile)), 'backups');

import { defaultBackupFolder } from '../../store/backups/backup-location.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { parsePath } from '../process/option-parsers.ts';

const VARIABLE = 'ACEQUIA_BACKUPS';

/** Null for no copies: the variable says "off", or the store is no file. */
export function backupFolderOf(db: string): string | null {
  if (isServerUrl(db) || areBackupsOff()) return null;
  const named = process.env[VARIABLE]?.trim() ?? '';
  return named === '' ? defaultBackupFolder(db) : parsePath(named);
}

export const areBackupsOff = (): boolean => isOff(process.env[VARIABLE] ?? '');

export const isOff = (value: string): boolean =>
  ['off', 'false', 'no', '0'].includes(value.trim().toLowerCase());

import { dirname, join, resolve } from 'node:path';

export const defaultBackupFolder = (storeFile: string): string =>
  join(dirname(resolve(storeFile)), 'backups');

let areMade = true;

/** Whether a store of an earlier version is copied before it is upgraded, in this process. */
export function makeCopiesBeforeMigrations(isOn: boolean): void {
  areMade = isOn;
}

export const areCopiesMadeBeforeMigrations = (): boolean => areMade;

// What this process does when it upgrades a store. Loaded when the program starts, so it imports
// nothing.

let areMade = true;

/** Whether a file of an earlier version is copied before it is upgraded. */
export function makeCopiesBeforeMigrations(isOn: boolean): void {
  areMade = isOn;
}

export const areCopiesMadeBeforeMigrations = (): boolean => areMade;

let announce = (_name: string): void => undefined;

/** `listener` hears the name of each migration of a database, of which no copy is made. */
export function announceMigrations(listener: (name: string) => void): void {
  announce = listener;
}

export const announceMigration = (name: string): void => announce(name);

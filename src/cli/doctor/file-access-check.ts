import { firstOf } from '../../domain/items.ts';
import { type FilePermissions, filesOpenToOthers } from '../../store/sqlite/store-file.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/** Only the owner of the file should have access: it holds everything that the keys protect. */
export function checkFileAccess(file: string): DoctorFinding {
  const newFinding = findingsAbout('access');
  const files = filesOpenToOthers(file);
  const figures = figuresOf(files);
  if (files.length === 0)
    return newFinding.good(`only the owner of ${file} may read and write it`, figures);

  return newFinding.bad(
    describeOpenFiles(files),
    adviceOn(closingCommand(files), firstOf(files).ownerId),
    figures,
  );
}

const figuresOf = (files: readonly FilePermissions[]) => ({
  openFiles: files.map(({ path, mode }) => ({ path, mode: mode.toString(8) })),
});

const describeOpenFiles = (files: readonly FilePermissions[]): string => {
  const modes = files.map(({ path, mode }) => `${path} (mode ${mode.toString(8)})`);
  return `other users of this machine have access to ${modes.join(', ')}`;
};

const closingCommand = (files: readonly FilePermissions[]): string =>
  `chmod 600 ${files.map(({ path }) => shellWord(path)).join(' ')}`;

/** Checks a file of an assistant that holds a key. */
export function checkAccessToKey(file: string): DoctorFinding[] {
  const files = filesOpenToOthers(file);
  if (files.length === 0) return [];
  return [
    findingsAbout('access').bad(
      `${describeOpenFiles(files)}, which holds a key`,
      `Run: ${closingCommand(files)}. If others may have read the key, make another with "acequia keys rotate".`,
      figuresOf(files),
    ),
  ];
}

function adviceOn(command: string, ownerId: number): string {
  // Windows has no `getuid`, but `filesOpenToOthers` finds no files there.
  const userId = process.getuid!();
  if (userId !== 0 && userId !== ownerId)
    return `Its owner, the user with the id ${ownerId}, runs: ${command}. Opening the store as that user does the same.`;
  return `Run: ${command}. Opening the store does the same. If the mode stays as it is, the file system has no modes: move the store to one that has.`;
}

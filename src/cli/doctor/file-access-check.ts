import { firstOf } from '../../domain/items.ts';
import { filesOpenToOthers } from '../../store/sqlite/store-file.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/** Only the owner of the file should have access: it holds everything that the keys protect. */
export function checkFileAccess(file: string): DoctorFinding {
  const newFinding = findingsAbout('access');
  const files = filesOpenToOthers(file);
  if (files.length === 0) return newFinding.good(`only the owner of ${file} may read and write it`);

  const modes = files.map(({ path, mode }) => `${path} (mode ${mode.toString(8)})`);
  const command = `chmod 600 ${files.map(({ path }) => shellWord(path)).join(' ')}`;
  return newFinding.bad(
    `other users of this machine have access to ${modes.join(', ')}`,
    adviceOn(command, firstOf(files).ownerId),
  );
}

function adviceOn(command: string, ownerId: number): string {
  // Windows has no `getuid`, but `filesOpenToOthers` finds no files there.
  const userId = process.getuid!();
  if (userId !== 0 && userId !== ownerId)
    return `Its owner, the user with the id ${ownerId}, runs: ${command}. Opening the store as that user does the same.`;
  return `Run: ${command}. Opening the store does the same. If the mode stays as it is, the file system has no modes: move the store to one that has.`;
}

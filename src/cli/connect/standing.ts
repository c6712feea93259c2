import { type AcequiaError, invalidInput } from '../../schema/error.ts';
import {
  type EntryFields,
  isEntryFields,
  parseClientFile,
  parseEntry,
  startsAcequia,
  UnreadableFileError,
} from '../doctor/client-entries.ts';
import type { ClientFile } from '../doctor/client-files.ts';

/** The name that we go by in every file. */
export const ENTRY_NAME = 'acequia';

/** The entry under our name. */
export interface ExistingEntry {
  readonly fields: EntryFields;
  /** Whether it starts Acequia; else it is another hand's. */
  readonly isOurs: boolean;
}

/** The entry under our name, or null. Throws where the file cannot be read, or holds something else where entries stand. */
export function findExistingEntry(file: ClientFile, content: string): ExistingEntry | null {
  const path = [...file.serverPaths[0]!, ENTRY_NAME];
  let found: unknown = readClientDocument(file, content);
  for (const [depth, step] of path.entries()) {
    if (!isEntryFields(found)) throw unexpectedShape(file, path.slice(0, depth));
    if (!Object.hasOwn(found, step)) return null;
    found = found[step];
  }
  const isOurs = isEntryFields(found) && startsAcequia(parseEntry(ENTRY_NAME, found));
  return { fields: isEntryFields(found) ? found : {}, isOurs };
}

/** What a file holds. Throws with the place where its program stops reading. */
export function readClientDocument(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw invalidInput('INVALID_CLIENT_FILE', `${file.client} cannot read ${file.path}: ${error.message}.`, {
      hint: 'Nothing was written. Mend the file there first; until then it starts no server at all.',
    });
  }
}

function unexpectedShape({ client, path: file }: ClientFile, path: readonly string[]): AcequiaError {
  const where = path.length === 0 ? 'its root' : path.join('.');
  return invalidInput('INVALID_CLIENT_FILE', `${file} holds at ${where} something else than named values.`, {
    hint: `Nothing was written. ${client} expects its servers there; mend the file first.`,
  });
}

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../schema/error.ts';
import {
  ENTRY_NAME,
  type EntryFields,
  findExistingEntry,
  isEntryFields,
  parseClientFile,
  readClientDocument,
  UnreadableFileError,
} from './client-entries.ts';
import type { ClientFile } from './client-files.ts';
import { setJsonEntry } from './json-edit.ts';
import { setTomlEntry } from './toml-edit.ts';

/**
 * The content with this entry under our name, or without one where it is null. All else stays as it is written, which is
 * proved by reading the outcome: where it would not hold, an error says what to write by hand.
 */
export function setEntry(file: ClientFile, content: string, entry: EntryFields | null): string {
  const existing = findExistingEntry(file, content);
  if (isDeepStrictEqual(toPlainJson(existing?.fields ?? null), toPlainJson(entry))) return content;
  const edit = file.format === 'toml' ? setTomlEntry : setJsonEntry;
  const path = [...file.serverPaths[0]!, ENTRY_NAME];
  const changed = edit(content, path, entry, existing);
  const expected = setAtPath(readClientDocument(file, content), path, entry);
  if (isDeepStrictEqual(comparable(file, parseOrUndefined(file, changed)), comparable(file, expected))) return changed;
  throw invalidInput(
    'INVALID_CLIENT_FILE',
    `${file.path} says ${path.join('.')} in a form that is not changed without touching the rest of it.`,
    { hint: 'Nothing was written. Change it by hand; "acequia connect --print" shows what is to stand there.' },
  );
}

/** The outcome of an edit; undefined, which equals nothing, where it cannot be read. */
function parseOrUndefined(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

/** A document with one value set or taken out, whatever else it holds. */
function setAtPath(document: unknown, [step, ...rest]: readonly string[], entry: EntryFields | null): unknown {
  if (step === undefined) return entry;
  const fields = isEntryFields(document) ? document : {};
  if (rest.length > 0 || entry !== null) return { ...fields, [step]: setAtPath(fields[step], rest, entry) };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
}

/** A document as plain values, since the readers give objects of different kinds. TOML need not name servers where there is none. */
function comparable({ format, serverPaths }: ClientFile, document: unknown): unknown {
  if (document === undefined) return undefined;
  const values = toPlainJson(document) as Record<string, unknown>;
  const [name] = serverPaths[0]!;
  if (format === 'toml' && isDeepStrictEqual(values[name!], {})) delete values[name!];
  return values;
}

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

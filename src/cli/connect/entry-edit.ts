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

/** A null `entry` removes ours. Everything else stays as written: the result is parsed again to prove it. */
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
    `${file.path} says ${path.join('.')} in a form that cannot be changed without touching the rest of the file.`,
    { hint: 'Nothing was written. Change it by hand; "acequia connect --print" shows the entry.' },
  );
}

function parseOrUndefined(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

function setAtPath(document: unknown, [step, ...rest]: readonly string[], entry: EntryFields | null): unknown {
  if (step === undefined) return entry;
  const fields = isEntryFields(document) ? document : {};
  if (rest.length > 0 || entry !== null) return { ...fields, [step]: setAtPath(fields[step], rest, entry) };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
}

/** As plain values: the parsers return different kinds of objects, and TOML omits an empty table of servers. */
function comparable({ format, serverPaths }: ClientFile, document: unknown): unknown {
  if (document === undefined) return undefined;
  const values = toPlainJson(document) as Record<string, unknown>;
  const [name] = serverPaths[0]!;
  if (format === 'toml' && isDeepStrictEqual(values[name!], {})) delete values[name!];
  return values;
}

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

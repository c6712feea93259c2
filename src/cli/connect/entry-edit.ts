import { isDeepStrictEqual } from 'node:util';
import { firstOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import { parseClientFile, parseOrRefuse, UnreadableFileError } from './client-document.ts';
import { type EntryFields, entryPath, findExistingEntry } from './client-entries.ts';
import type { ClientFile } from './client-files.ts';
import { INVALID_FILE } from './config-file.ts';
import { formatJsonEntry, setJsonEntry } from './json-edit.ts';
import { formatTomlEntry, setTomlEntry } from './toml-edit.ts';

/**
 * Writes our entry, or removes it if `entry` is null. Everything else stays as written: the result is
 * parsed again to prove it.
 */
export function setEntry(file: ClientFile, content: string, entry: EntryFields | null): string {
  const existing = findExistingEntry(file, content);
  if (isDeepStrictEqual(toPlainJson(existing?.fields ?? null), toPlainJson(entry))) return content;

  const edit = file.format === 'toml' ? setTomlEntry : setJsonEntry;
  const path = entryPath(file);
  const changed = edit(content, path, entry, existing);
  const expected = setAtPath(parseOrRefuse(file, content), path, entry);
  const actual = parseOrUndefined(file, changed);
  if (isDeepStrictEqual(comparable(file, actual), comparable(file, expected))) return changed;

  throw new RefusalInWords(INVALID_FILE, ({ connection }) =>
    connection.refusals.fixedForm(file.path, path.join('.')),
  );
}

export function formatEntry(file: ClientFile, entry: EntryFields): string {
  const path = entryPath(file);
  return file.format === 'toml' ? formatTomlEntry(path, entry) : formatJsonEntry(path, entry);
}

function parseOrUndefined(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

function setAtPath(
  document: unknown,
  [step, ...rest]: readonly string[],
  entry: EntryFields | null,
): unknown {
  if (step === undefined) return entry;
  const fields = isRecord(document) ? document : {};
  if (rest.length > 0 || entry !== null)
    return { ...fields, [step]: setAtPath(fields[step], rest, entry) };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
}

/**
 * Converts to plain values, because the parsers return different kinds of objects and TOML omits an
 * empty table of servers.
 */
function comparable({ format, serverPaths }: ClientFile, document: unknown): unknown {
  if (document === undefined) return undefined;
  const values = toPlainJson(document) as Record<string, unknown>;
  const name = firstOf(firstOf(serverPaths));
  if (format === 'toml' && isDeepStrictEqual(values[name], {})) delete values[name];
  return values;
}

const toPlainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'smol-toml';
import { firstOf, itemAt } from '../../domain/items.ts';
import { invalidInputError } from '../../schema/error.ts';
import {
  ENTRY_NAME,
  type EntryFields,
  type ExistingEntry,
  findExistingEntry,
  isEntryFields,
  parseClientFile,
  readClientDocument,
  UnreadableFileError,
} from './client-entries.ts';
import type { ClientFile } from './client-files.ts';
import { formatJsonEntry, setJsonEntry } from './json-edit.ts';

/**
 * A null `entry` removes ours. Everything else stays as written: the result is parsed again to
 * prove it.
 */
export function setEntry(file: ClientFile, content: string, entry: EntryFields | null): string {
  const existing = findExistingEntry(file, content);
  if (isDeepStrictEqual(toPlainJson(existing?.fields ?? null), toPlainJson(entry))) return content;

  const edit = file.format === 'toml' ? setTomlEntry : setJsonEntry;
  const path = [...firstOf(file.serverPaths), ENTRY_NAME];
  const changed = edit(content, path, entry, existing);
  const expected = setAtPath(readClientDocument(file, content), path, entry);
  const found = parseOrUndefined(file, changed);
  if (isDeepStrictEqual(comparable(file, found), comparable(file, expected))) return changed;

  throw invalidInputError(
    'INVALID_CLIENT_FILE',
    `${file.path} writes ${path.join('.')} in a form that cannot be changed without touching the rest of the file.`,
    { hint: 'Nothing was written. Change it by hand; "acequia connect --print" shows the entry.' },
  );
}

export function formatEntry({ format, serverPaths }: ClientFile, entry: EntryFields): string {
  const path = [...firstOf(serverPaths), ENTRY_NAME];
  return format === 'toml' ? formatTomlEntry(path, entry) : formatJsonEntry(path, entry);
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
  const fields = isEntryFields(document) ? document : {};
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

/**
 * Finds a table by the lines of its headings; the caller parses the result and refuses a wrong one.
 */
function setTomlEntry(
  content: string,
  path: readonly string[],
  entry: EntryFields | null,
  existing: ExistingEntry | null,
): string {
  const end = content.includes('\r\n') ? '\r\n' : '\n';
  const lines = content.split(/\r?\n/);
  const table = entry === null ? [] : formatTomlEntry(path, entry).trimEnd().split('\n');
  if (existing === null) {
    const before = content.trimEnd();
    return `${before}${before === '' ? '' : end + end}${table.join(end)}${end}`;
  }

  const isOwnLine = markTableLines(lines, path);
  const firstOwnLine = isOwnLine.indexOf(true);
  const edited: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === firstOwnLine) edited.push(...table);
    if (!isOwnLine[index]) edited.push(line);
  }

  return (entry === null ? collapseBlankLines(edited, firstOwnLine) : edited).join(end);
}

const formatTomlEntry = (path: readonly string[], entry: EntryFields): string =>
  stringify(path.reduceRight<EntryFields>((inner, name) => ({ [name]: inner }), entry));

/** Comments before a heading belong to that heading. */
function markTableLines(lines: readonly string[], path: readonly string[]): boolean[] {
  const isOwnLine: boolean[] = [];
  let isOurs = false;

  for (const line of lines) {
    const heading = parseHeading(line);
    if (heading !== null) isOurs = path.every((name, depth) => heading[depth] === name);
    isOwnLine.push(isOurs);
  }

  for (const [index, isOwn] of isOwnLine.entries()) {
    if (!isOwn || isOwnLine[index + 1]) continue;
    for (let last = index; last >= 0 && /^\s*(#.*)?$/.test(itemAt(lines, last)); last--)
      isOwnLine[last] = false;
  }

  return isOwnLine;
}

/** The names in the heading of a table or of a list of tables, such as [servers."my farm"]. */
function parseHeading(line: string): string[] | null {
  const inner = /^\s*\[\[?\s*((?:"[^"]*"|'[^']*'|[^"'#[\]])+?)\s*\]\]?\s*(#.*)?$/.exec(line)?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, basic, literal, bare]) => basic ?? literal ?? bare!,
  );
}

function collapseBlankLines(lines: readonly string[], line: number): readonly string[] {
  const isEmpty = (index: number): boolean => lines[index]?.trim() === '';
  return line > 0 && isEmpty(line - 1) && isEmpty(line) ? lines.toSpliced(line, 1) : lines;
}

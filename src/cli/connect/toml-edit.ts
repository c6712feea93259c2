import { stringify } from 'smol-toml';
import { itemAt } from '../../domain/items.ts';
import type { EntryFields, ExistingEntry } from './client-entries.ts';

/**
 * Finds the tables of an entry by their headings, without parsing the values between them. The
 * caller parses the result and refuses a wrong one.
 */
export function setTomlEntry(
  content: string,
  path: readonly string[],
  entry: EntryFields | null,
  existing: ExistingEntry | null,
): string {
  const lineEnd = content.includes('\r\n') ? '\r\n' : '\n';
  const lines = content.split(/\r?\n/);
  const table = entry === null ? [] : formatTomlEntry(path, entry).trimEnd().split('\n');
  if (existing === null) {
    const before = content.trimEnd();
    return `${before}${before === '' ? '' : lineEnd + lineEnd}${table.join(lineEnd)}${lineEnd}`;
  }

  const isEntryLine = markEntryLines(lines, path);
  const firstEntryLine = isEntryLine.indexOf(true);
  const edited: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === firstEntryLine) edited.push(...table);
    if (!isEntryLine[index]) edited.push(line);
  }

  return (entry === null ? collapseBlankLines(edited, firstEntryLine) : edited).join(lineEnd);
}

export const formatTomlEntry = (path: readonly string[], entry: EntryFields): string =>
  stringify(path.reduceRight<EntryFields>((inner, name) => ({ [name]: inner }), entry));

/** Blank lines and comments before the next heading belong to that heading. */
function markEntryLines(lines: readonly string[], path: readonly string[]): boolean[] {
  const isEntryLine: boolean[] = [];
  let isInEntry = false;

  for (const line of lines) {
    const heading = parseHeading(line);
    if (heading !== null) isInEntry = path.every((name, depth) => heading[depth] === name);
    isEntryLine.push(isInEntry);
  }

  for (const [index, isEntry] of isEntryLine.entries()) {
    const isLast = isEntry && !isEntryLine[index + 1];
    if (!isLast) continue;
    for (let last = index; last >= 0 && /^\s*(#.*)?$/.test(itemAt(lines, last)); last--)
      isEntryLine[last] = false;
  }

  return isEntryLine;
}

/** The names in the heading of a table or of a list of tables, such as [servers."my farm"]. */
function parseHeading(line: string): string[] | null {
  const inner = /^\s*\[\[?((?:"[^"]*"|'[^']*'|[^"'#[\]])+)\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, basic, literal, bare]) => basic ?? literal ?? bare!,
  );
}

function collapseBlankLines(lines: readonly string[], line: number): readonly string[] {
  const isEmpty = (index: number): boolean => lines[index]?.trim() === '';
  return line > 0 && isEmpty(line - 1) && isEmpty(line) ? lines.toSpliced(line, 1) : lines;
}

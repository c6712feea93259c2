import { stringify } from 'smol-toml';
import type { EntryFields, ExistingEntry } from './client-entries.ts';

/** Finds a table by the lines of its headings; the caller parses the result and refuses a wrong one. */
export function setTomlEntry(
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
  const place = isOwnLine.indexOf(true);
  const edited = lines.flatMap((line, index) => [
    ...(index === place ? table : []),
    ...(isOwnLine[index] ? [] : [line]),
  ]);
  return collapseBlankLines(edited, entry === null ? place : -1).join(end);
}

export const formatTomlEntry = (path: readonly string[], entry: EntryFields): string =>
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
    for (let last = index; last >= 0 && /^\s*(#.*)?$/.test(lines[last]!); last--) isOwnLine[last] = false;
  }
  return isOwnLine;
}

function parseHeading(line: string): string[] | null {
  const inner = /^\s*\[\[?\s*((?:"[^"]*"|'[^']*'|[^"'#[\]])+?)\s*\]\]?\s*(#.*)?$/.exec(line)?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, basic, literal, bare]) => basic ?? literal ?? bare!,
  );
}

function collapseBlankLines(lines: readonly string[], place: number): readonly string[] {
  const isEmpty = (index: number): boolean => lines[index]?.trim() === '';
  return place > 0 && isEmpty(place - 1) && isEmpty(place) ? lines.toSpliced(place, 1) : lines;
}

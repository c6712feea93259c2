import { stringify } from 'smol-toml';
import type { Fields } from '../doctor/client-entries.ts';
import type { Standing } from './standing.ts';

/**
 * TOML with one table set or taken out, together with the tables below it. It is found by the lines of its headings; a
 * file that says it otherwise, or has such lines within a text, comes out wrong and is refused by who reads it again.
 */
export function withTomlEntry(
  content: string,
  way: readonly string[],
  entry: Fields | null,
  standing: Standing | null,
): string {
  const end = content.includes('\r\n') ? '\r\n' : '\n';
  const lines = content.split(/\r?\n/);
  const table = entry === null ? [] : tomlOf(way, entry).trimEnd().split('\n');
  if (standing === null) {
    const before = content.trimEnd();
    return `${before}${before === '' ? '' : end + end}${table.join(end)}${end}`;
  }
  const ours = ownLines(lines, way);
  const place = ours.indexOf(true);
  const kept = lines.flatMap((line, index) => [...(index === place ? table : []), ...(ours[index] ? [] : [line])]);
  return withoutHole(kept, entry === null ? place : -1).join(end);
}

/** A file with this table alone. */
export const tomlOf = (way: readonly string[], entry: Fields): string =>
  stringify(way.reduceRight<Fields>((inner, name) => ({ [name]: inner }), entry));

/** Which lines belong to the table; what precedes the next heading, comments too, belongs to that one. */
function ownLines(lines: readonly string[], way: readonly string[]): boolean[] {
  const ours: boolean[] = [];
  let isOurs = false;
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== null) isOurs = way.every((name, depth) => heading[depth] === name);
    ours.push(isOurs);
  }
  for (const [index, isOwn] of ours.entries()) {
    if (!isOwn || ours[index + 1]) continue;
    for (let last = index; last >= 0 && /^\s*(#.*)?$/.test(lines[last]!); last--) ours[last] = false;
  }
  return ours;
}

/** The names of a table's heading; null for any other line. */
function headingOf(line: string): string[] | null {
  const inner = /^\s*\[\[?\s*((?:"[^"]*"|'[^']*'|[^"'#[\]])+?)\s*\]\]?\s*(#.*)?$/.exec(line)?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, basic, literal, bare]) => basic ?? literal ?? bare!,
  );
}

/** Lines without the empty one that stood before a table taken out at `place`, where one stands after it too. */
function withoutHole(lines: readonly string[], place: number): readonly string[] {
  const isEmpty = (index: number): boolean => lines[index]?.trim() === '';
  return place > 0 && isEmpty(place - 1) && isEmpty(place) ? lines.toSpliced(place, 1) : lines;
}

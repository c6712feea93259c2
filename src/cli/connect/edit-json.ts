import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type Edit, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { Fields } from '../doctor/client-entries.ts';
import { commaAfter, type Manner, mannerOf, valueText } from './json-manner.ts';
import type { Standing } from './standing.ts';

const MARK = '\uFEFF';

/** JSON with one entry set or taken out. Not a character of anything else is touched, comments and all. */
export function withJsonEntry(
  content: string,
  way: readonly string[],
  entry: Fields | null,
  standing: Standing | null,
): string {
  const mark = content.startsWith(MARK) ? MARK : '';
  const text = content.slice(mark.length);
  if (text.trim() === '' && entry !== null) return mark + jsonOf(way, entry);
  if (entry === null) return mark + without(text, way);
  // An entry of ours is changed field by field, so that what was written between its fields stays.
  if (standing?.isOurs !== true) return mark + withValue(text, way, entry);
  const names = [...new Set([...Object.keys(standing.fields), ...Object.keys(entry)])];
  const changed = names.filter((name) => !isDeepStrictEqual(plain(standing.fields[name]), plain(entry[name])));
  return mark + changed.reduce((before, name) => withField(before, [...way, name], entry[name]), text);
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** A whole file with this entry alone. */
export const jsonOf = (way: readonly string[], entry: Fields): string =>
  `${JSON.stringify(nested(way, entry), null, 2)}\n`;

const nested = (way: readonly string[], value: unknown): unknown =>
  way.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

const withField = (text: string, way: readonly string[], value: unknown): string =>
  value === undefined ? without(text, way) : withValue(text, way, value);

const treeOf = (text: string): Node => parseTree(text, [], { allowTrailingComma: true })!;

/** Sets a value: in the place of the one that stands, else at the end of the innermost object that is there. */
function withValue(text: string, way: readonly string[], value: unknown): string {
  const tree = treeOf(text);
  const manner = mannerOf(text);
  const standing = findNodeAtLocation(tree, [...way]);
  if (standing) {
    const { offset, length } = standing;
    const isOneLine = manner.isOneLine || !text.slice(offset, offset + length).includes('\n');
    const content = valueText(value, { ...manner, isOneLine }, indentAt(text, offset));
    return applyEdits(text, [{ offset, length, content }]);
  }
  const depth = way.findLastIndex((_, index) => findNodeAtLocation(tree, way.slice(0, index)) !== undefined);
  const parent = findNodeAtLocation(tree, way.slice(0, depth))!;
  return applyEdits(text, appended(text, parent, way[depth]!, nested(way.slice(depth + 1), value), manner));
}

/** The leading space of the line that a place is on. */
const indentAt = (text: string, offset: number): string =>
  /^[^\S\r\n]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];

/** The edits that put a member at the end of an object. */
function appended(text: string, parent: Node, name: string, value: unknown, manner: Manner): Edit[] {
  const close = parent.offset + parent.length - 1;
  const last = parent.children!.at(-1);
  const lastEnd = last ? last.offset + last.length : parent.offset + 1;
  const comma = last ? commaAfter(text, lastEnd) : null;
  const isInLine = manner.isOneLine || (last !== undefined && !text.slice(parent.offset, close).includes('\n'));
  const edits: Edit[] = last && comma === null ? [{ offset: lastEnd, length: 0, content: ',' }] : [];
  const space = /\s*$/.exec(text.slice(parent.offset + 1, close))![0];
  const member = (indent: string): string =>
    `${JSON.stringify(name)}:${manner.gap}${valueText(value, { ...manner, isOneLine: isInLine }, indent)}${comma === null ? '' : ','}`;
  if (isInLine) {
    const lead = last ? manner.gap : space;
    return [...edits, { offset: close - space.length, length: 0, content: `${lead}${member('')}` }];
  }
  const outer = indentAt(text, close);
  const indent =
    last && /(^|\n)[^\S\n]*$/.test(text.slice(0, last.offset)) ? indentAt(text, last.offset) : outer + manner.unit;
  const content = `${manner.end}${indent}${member(indent)}${manner.end}${outer}`;
  return [...edits, { offset: close - space.length, length: space.length, content }];
}

/** Takes a member out, with the comma and the line that it alone needed. */
function without(text: string, way: readonly string[]): string {
  const member = findNodeAtLocation(treeOf(text), [...way])?.parent;
  if (!member) return text;
  const siblings = member.parent!.children!;
  const before = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const edits: Edit[] = [];
  if (comma === null && before) {
    const place = commaAfter(text, before.offset + before.length);
    if (place !== null) edits.push({ offset: place, length: 1, content: '' });
  }
  const stop = (comma ?? end - 1) + 1;
  const lead = /[^\S\r\n]*$/.exec(text.slice(0, member.offset))![0].length;
  const rest = /^[^\S\r\n]*(\/\/[^\r\n]*)?(\r?\n)/.exec(text.slice(stop));
  const isOwnLine = rest !== null && /(^|\n)$/.test(text.slice(0, member.offset - lead));
  const offset = member.offset - lead;
  return applyEdits(text, [
    ...edits,
    { offset, length: stop - offset + (isOwnLine ? rest[0].length : 0), content: '' },
  ]);
}

import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  type Node,
  parseTree,
} from 'jsonc-parser';
import { itemAt } from '../../domain/items.ts';
import type { EntryFields, ExistingEntry } from './client-entries.ts';

interface JsonFormatting {
  readonly unit: string;
  readonly end: string;
  readonly gap: string;
  readonly isOneLine: boolean;
}

function detectJsonFormatting(text: string): JsonFormatting {
  const trimmed = text.trim();
  return {
    unit: /^[^\S\r\n]+(?=["}{[])/m.exec(text)?.[0] ?? '  ',
    end: text.includes('\r\n') ? '\r\n' : '\n',
    gap: /":\S/.test(text) ? '' : ' ',
    isOneLine: !trimmed.includes('\n') && !/^\{\s*\}$/.test(trimmed),
  };
}

function formatJsonValue(
  value: unknown,
  { unit, end, gap, isOneLine }: JsonFormatting,
  indent: string,
): string {
  if (!isOneLine) return JSON.stringify(value, null, unit).replaceAll('\n', end + indent);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = { unit, end, gap, isOneLine };
  if (Array.isArray(value))
    return `[${value.map((each) => formatJsonValue(each, inner, '')).join(`,${gap}`)}]`;
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${gap}${formatJsonValue(each, inner, '')}`,
  );
  return `{${gap}${members.join(`,${gap}`)}${gap}}`;
}

function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const position = scanner.getTokenOffset();
  return text[position] === ',' ? position : null;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Sets or removes one entry. Every other character stays, comments included. */
export function setJsonEntry(
  content: string,
  path: readonly string[],
  entry: EntryFields | null,
  existing: ExistingEntry | null,
): string {
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = content.slice(mark.length);
  if (text.trim() === '' && entry !== null) return mark + formatJsonEntry(path, entry);
  if (entry === null) return mark + removeMember(text, path);
  // Our own entry is changed field by field, so that comments between its fields stay.
  if (existing?.isOurs !== true) return mark + setValue(text, path, entry);

  const names = [...new Set([...Object.keys(existing.fields), ...Object.keys(entry)])];
  const changed = names.filter(
    (name) => !isDeepStrictEqual(toPlainJson(existing.fields[name]), toPlainJson(entry[name])),
  );

  return (
    mark + changed.reduce((before, name) => setField(before, [...path, name], entry[name]), text)
  );
}

const toPlainJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

export const formatJsonEntry = (path: readonly string[], entry: EntryFields): string =>
  `${JSON.stringify(nested(path, entry), null, 2)}\n`;

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

const setField = (text: string, path: readonly string[], value: unknown): string =>
  value === undefined ? removeMember(text, path) : setValue(text, path, value);

const parseJsonTree = (text: string): Node => parseTree(text, [], { allowTrailingComma: true })!;

function setValue(text: string, path: readonly string[], value: unknown): string {
  const tree = parseJsonTree(text);
  const formatting = detectJsonFormatting(text);
  const existing = findNodeAtLocation(tree, [...path]);
  if (existing) {
    const { offset, length } = existing;
    const isOneLine = formatting.isOneLine || !text.slice(offset, offset + length).includes('\n');
    const content = formatJsonValue(value, { ...formatting, isOneLine }, indentAt(text, offset));
    return applyEdits(text, [{ offset, length, content }]);
  }

  const depth = path.findLastIndex(
    (_, index) => findNodeAtLocation(tree, path.slice(0, index)) !== undefined,
  );
  const parent = findNodeAtLocation(tree, path.slice(0, depth))!;

  return applyEdits(
    text,
    appendMember(
      text,
      parent,
      itemAt(path, depth),
      nested(path.slice(depth + 1), value),
      formatting,
    ),
  );
}

const indentAt = (text: string, offset: number): string =>
  /^[^\S\r\n]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];

function appendMember(
  text: string,
  parent: Node,
  name: string,
  value: unknown,
  formatting: JsonFormatting,
): Edit[] {
  const close = parent.offset + parent.length - 1;
  const last = parent.children!.at(-1);
  const lastEnd = last ? last.offset + last.length : parent.offset + 1;
  const comma = last ? commaAfter(text, lastEnd) : null;
  const isInLine =
    formatting.isOneLine ||
    (last !== undefined && !text.slice(parent.offset, close).includes('\n'));
  const edits: Edit[] =
    last && comma === null ? [{ offset: lastEnd, length: 0, content: ',' }] : [];

  const space = /\s*$/.exec(text.slice(parent.offset + 1, close))![0];
  const member = (indent: string): string =>
    `${JSON.stringify(name)}:${formatting.gap}${formatJsonValue(value, { ...formatting, isOneLine: isInLine }, indent)}${comma === null ? '' : ','}`;

  if (isInLine) {
    const lead = last ? formatting.gap : space;
    return [...edits, { offset: close - space.length, length: 0, content: `${lead}${member('')}` }];
  }

  const outer = indentAt(text, close);
  const indent =
    last && /(^|\n)[^\S\n]*$/.test(text.slice(0, last.offset))
      ? indentAt(text, last.offset)
      : outer + formatting.unit;
  const content = `${formatting.end}${indent}${member(indent)}${formatting.end}${outer}`;

  return [...edits, { offset: close - space.length, length: space.length, content }];
}

function removeMember(text: string, path: readonly string[]): string {
  const member = findNodeAtLocation(parseJsonTree(text), [...path])?.parent;
  if (!member) return text;

  const siblings = member.parent!.children!;
  const before = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const edits: Edit[] = [];

  if (comma === null && before) {
    const commaBefore = commaAfter(text, before.offset + before.length);
    if (commaBefore !== null) edits.push({ offset: commaBefore, length: 1, content: '' });
  }

  const stop = (comma ?? end - 1) + 1;
  const lead = /[^\S\r\n]*$/.exec(text.slice(0, member.offset))![0].length;
  const lineEnd = /^[^\S\r\n]*(\/\/[^\r\n]*)?(\r?\n)/.exec(text.slice(stop));
  const isOwnLine = lineEnd !== null && /(^|\n)$/.test(text.slice(0, member.offset - lead));
  const offset = member.offset - lead;

  return applyEdits(text, [
    ...edits,
    { offset, length: stop - offset + (isOwnLine ? lineEnd[0].length : 0), content: '' },
  ]);
}

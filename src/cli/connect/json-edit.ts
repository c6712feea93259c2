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
  /** One level of indentation. */
  readonly indentUnit: string;
  readonly lineEnd: string;
  /** The space after a colon, or nothing. */
  readonly gap: string;
  readonly isOneLine: boolean;
}

function detectJsonFormatting(text: string): JsonFormatting {
  const trimmed = text.trim();
  return {
    indentUnit: /(?<![^\r\n])[ \t]+(?=["}{[])/.exec(text)?.[0] ?? '  ',
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    gap: /":\S/.test(text) ? '' : ' ',
    isOneLine: !trimmed.includes('\n') && !/^\{\s*\}$/.test(trimmed),
  };
}

function formatJsonValue(
  value: unknown,
  { indentUnit, lineEnd, gap, isOneLine }: JsonFormatting,
  indent: string,
): string {
  if (!isOneLine) return JSON.stringify(value, null, indentUnit).replaceAll('\n', lineEnd + indent);
  return formatInLine(value, gap);
}

function formatInLine(value: unknown, gap: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => formatInLine(item, gap)).join(`,${gap}`)}]`;

  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${gap}${formatInLine(member, gap)}`,
  );
  return `{${gap}${members.join(`,${gap}`)}${gap}}`;
}

/** Position of the comma that is the next token after `offset`, comments aside. */
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
  if (entry === null) return mark + removeMember(text, path);
  if (text.trim() === '') return mark + formatJsonEntry(path, entry);
  if (existing?.isOurs) return mark + updateFields(text, path, existing.fields, entry);
  return mark + setValue(text, path, entry);
}

/** Changes an entry field by field, so that comments between its fields stay. */
function updateFields(
  text: string,
  path: readonly string[],
  before: EntryFields,
  after: EntryFields,
): string {
  let edited = text;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value = after[name];
    if (isDeepStrictEqual(toPlainJson(before[name]), toPlainJson(value))) continue;
    const field = [...path, name];
    edited = value === undefined ? removeMember(edited, field) : setValue(edited, field, value);
  }

  return edited;
}

const toPlainJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

export const formatJsonEntry = (path: readonly string[], entry: EntryFields): string =>
  `${JSON.stringify(wrapInPath(path, entry), null, 2)}\n`;

/** Wraps the value in one object for each name of the path. */
const wrapInPath = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

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

  // How many names of the path lead to an object that exists. The rest is added to that object.
  const depth = path.findLastIndex(
    (_, index) => findNodeAtLocation(tree, path.slice(0, index)) !== undefined,
  );
  const parent = findNodeAtLocation(tree, path.slice(0, depth))!;

  const inner = wrapInPath(path.slice(depth + 1), value);
  return applyEdits(text, appendMember(text, parent, itemAt(path, depth), inner, formatting));
}

/** The blanks at the start of the line that holds `offset`. */
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
  const separators: Edit[] =
    last && comma === null ? [{ offset: lastEnd, length: 0, content: ',' }] : [];

  const inside = text.slice(parent.offset + 1, close);
  const spaceBeforeClose = inside.slice(inside.trimEnd().length);
  // A list that ends with a comma still does.
  const trailingComma = comma === null ? '' : ',';
  const formatMember = (indent: string): string => {
    const valueText = formatJsonValue(value, { ...formatting, isOneLine: isInLine }, indent);
    return `${JSON.stringify(name)}:${formatting.gap}${valueText}${trailingComma}`;
  };

  if (isInLine) {
    const lead = last ? formatting.gap : spaceBeforeClose;
    return [
      ...separators,
      { offset: close - spaceBeforeClose.length, length: 0, content: `${lead}${formatMember('')}` },
    ];
  }

  const parentIndent = indentAt(text, close);
  // Indented like the last member, if that begins its line.
  const indent =
    last && /(^|\n)[^\S\n]*$/.test(text.slice(0, last.offset))
      ? indentAt(text, last.offset)
      : parentIndent + formatting.indentUnit;
  const content = `${formatting.lineEnd}${indent}${formatMember(indent)}${formatting.lineEnd}${parentIndent}`;

  return [
    ...separators,
    { offset: close - spaceBeforeClose.length, length: spaceBeforeClose.length, content },
  ];
}

function removeMember(text: string, path: readonly string[]): string {
  const member = findNodeAtLocation(parseJsonTree(text), [...path])?.parent;
  if (!member) return text;

  const siblings = member.parent!.children!;
  const before = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const edits: Edit[] = [];

  // With the last member goes the comma of the member before it.
  if (comma === null && before) {
    const commaBefore = commaAfter(text, before.offset + before.length);
    if (commaBefore !== null) edits.push({ offset: commaBefore, length: 1, content: '' });
  }

  const indentLength = /(?<![ \t])[ \t]+$/.exec(text.slice(0, member.offset))?.[0].length ?? 0;
  const offset = member.offset - indentLength;
  let endOffset = comma === null ? end : comma + 1;
  // A member that begins its line is removed with the comment and the line break behind it.
  const restOfLine = /^[^\S\r\n]*(\/\/[^\r\n]*)?(\r?\n)/.exec(text.slice(endOffset));
  if (restOfLine !== null && /(^|\n)$/.test(text.slice(0, offset)))
    endOffset += restOfLine[0].length;

  edits.push({ offset, length: endOffset - offset, content: '' });
  return applyEdits(text, edits);
}

import { createScanner } from 'jsonc-parser';

/** How a hand writes JSON. */
export interface JsonFormatting {
  /** One step of indentation. */
  readonly unit: string;
  /** How lines end. */
  readonly end: string;
  /** What stands behind a colon or a comma within a line. */
  readonly gap: string;
  /** Whether all is on one line. */
  readonly isOneLine: boolean;
}

/** The manner of a text, by its first indented line and its first colon; two spaces where it tells nothing. */
export function detectJsonFormatting(text: string): JsonFormatting {
  const trimmed = text.trim();
  return {
    unit: /^[^\S\r\n]+(?=["}{[])/m.exec(text)?.[0] ?? '  ',
    end: text.includes('\r\n') ? '\r\n' : '\n',
    gap: /":\S/.test(text) ? '' : ' ',
    isOneLine: !trimmed.includes('\n') && !/^\{\s*\}$/.test(trimmed),
  };
}

/** A value in that manner, its further lines indented like the line that it begins on. */
export function formatJsonValue(value: unknown, { unit, end, gap, isOneLine }: JsonFormatting, indent: string): string {
  if (!isOneLine) return JSON.stringify(value, null, unit).replaceAll('\n', end + indent);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = { unit, end, gap, isOneLine };
  if (Array.isArray(value)) return `[${value.map((each) => formatJsonValue(each, inner, '')).join(`,${gap}`)}]`;
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${gap}${formatJsonValue(each, inner, '')}`,
  );
  return `{${gap}${members.join(`,${gap}`)}${gap}}`;
}

/** Where the comma behind a place is, with nothing but space and comments between; null where there is none. */
export function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const place = scanner.getTokenOffset();
  return text[place] === ',' ? place : null;
}

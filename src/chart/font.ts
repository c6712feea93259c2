import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FONT_FILE = 'DejaVuSansCondensed.ttf';

/** The font lies beside the built program; run from its sources, it is in its npm package. */
export function fontFilePath(): string {
  const bundledPath = fileURLToPath(new URL(FONT_FILE, import.meta.url));
  return existsSync(bundledPath)
    ? bundledPath
    : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FONT_FILE}`);
}

interface CharacterRange {
  readonly first: number;
  readonly last: number;
}

export function canDraw(text: string): boolean {
  return [...text].every((character) => hasGlyph(character.codePointAt(0)!));
}

let ranges: readonly CharacterRange[] | undefined;

function hasGlyph(codePoint: number): boolean {
  ranges ??= readCharacterRanges(readFileSync(fontFilePath()));
  return ranges.some(({ first, last }) => codePoint >= first && codePoint <= last);
}

/** The format of a cmap subtable that lists ranges of characters. */
const FORMAT_OF_RANGES = 12;

/**
 * Offsets are in bytes. Source: OpenType 1.9, "Table directory", "cmap" and "Format 12: Segmented
 * coverage".
 */
function readCharacterRanges(font: Buffer): CharacterRange[] {
  const tableRecords = offsetsFrom(12, font.readUInt16BE(4), 16);
  const cmapRecord = tableRecords.find(
    (offset) => font.toString('latin1', offset, offset + 4) === 'cmap',
  )!;
  const cmap = font.readUInt32BE(cmapRecord + 8);

  const subtableRecords = offsetsFrom(cmap + 4, font.readUInt16BE(cmap + 2), 8);
  const subtable = subtableRecords
    .map((offset) => cmap + font.readUInt32BE(offset + 4))
    .find((offset) => font.readUInt16BE(offset) === FORMAT_OF_RANGES);
  if (subtable === undefined) throw new Error('The font has no cmap subtable of format 12');

  const groups = offsetsFrom(subtable + 16, font.readUInt32BE(subtable + 12), 12);
  return groups.map((offset) => ({
    first: font.readUInt32BE(offset),
    last: font.readUInt32BE(offset + 4),
  }));
}

/** The offsets of consecutive records of one length. */
const offsetsFrom = (start: number, count: number, length: number): number[] =>
  Array.from({ length: count }, (_, index) => start + length * index);

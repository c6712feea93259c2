import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FONT_FILE = 'DejaVuSansCondensed.ttf';

/** Beside the built program, or in the font's package. */
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

const CMAP_FORMAT_GROUPS = 12;
const CMAP_GROUPS_OFFSET = 16;
const CMAP_GROUP_BYTES = 12;

/** Format: OpenType, "cmap", subtable format 12 (segmented coverage). */
function readCharacterRanges(font: Buffer): CharacterRange[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8);
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + 8 * index);
  const segmented = subtables
    .map((at) => cmap + font.readUInt32BE(at + 4))
    .find((at) => font.readUInt16BE(at) === CMAP_FORMAT_GROUPS);
  if (segmented === undefined) throw new Error('The font has no cmap subtable of format 12');
  return Array.from({ length: font.readUInt32BE(segmented + 12) }, (_, index) => {
    const at = segmented + CMAP_GROUPS_OFFSET + CMAP_GROUP_BYTES * index;
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4) };
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The family of the bundled font: it covers Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. */
export const FONT = 'DejaVu Sans Condensed';

const FONT_FILE = 'DejaVuSansCondensed.ttf';

/** The font's file: it stands beside the built program; for the sources it is that of its package. */
export function fontFilePath(): string {
  const beside = fileURLToPath(new URL(FONT_FILE, import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FONT_FILE}`);
}

/** Characters from `first` to `last`. */
interface CharacterRange {
  readonly first: number;
  readonly last: number;
}

/** Whether the bundled font has a sign for each character of a text; what it lacks would be drawn as a box. */
export function canDraw(text: string): boolean {
  return [...text].every((sign) => isInvisible(sign) || hasGlyph(sign.codePointAt(0)!));
}

/** Joiners and marks of direction leave no pixel. */
const isInvisible = (sign: string): boolean => /\p{Cf}/u.test(sign);

let ranges: readonly CharacterRange[] | undefined;

function hasGlyph(character: number): boolean {
  ranges ??= readCharacterRanges(readFileSync(fontFilePath()));
  return ranges.some(({ first, last }) => character >= first && character <= last);
}

/** Table of characters in groups of 32 bits. */
const CMAP_FORMAT_GROUPS = 12;
const CMAP_GROUPS_OFFSET = 16;
const CMAP_GROUP_BYTES = 12;

/** The characters of a font, from its table "cmap". Format: OpenType, cmap, subtable format 12. */
function readCharacterRanges(font: Buffer): CharacterRange[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8);
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + 8 * index);
  const grouped = subtables
    .map((at) => cmap + font.readUInt32BE(at + 4))
    .find((at) => font.readUInt16BE(at) === CMAP_FORMAT_GROUPS);
  if (grouped === undefined) throw new Error('The font has no table of its characters in groups');
  return Array.from({ length: font.readUInt32BE(grouped + 12) }, (_, index) => {
    const at = grouped + CMAP_GROUPS_OFFSET + CMAP_GROUP_BYTES * index;
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4) };
  });
}

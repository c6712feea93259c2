import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FONT_FAMILY, PIXEL_RATIO } from './layout.ts';
import { lineHeight, type Mark, type Scene, type TextMark } from './scene.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Height of the middle of letters above the baseline, as a share of the font size. */
const MIDDLE_ABOVE_BASELINE = 0.3;

const TEXT_ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;

export function toSvg({ width, height, background, fontFamily, marks }: Scene): string {
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  };

  return element('svg', { ...root, 'font-family': fontFamily, fill: 'none' }, [
    element('rect', { width, height, fill: background }),
    ...marks.map(markElement),
  ]);
}

function markElement(mark: Mark): string {
  switch (mark.kind) {
    case 'line':
      return element('path', {
        d: `M${mark.points.map(({ x, y }) => `${toCoordinate(x)},${toCoordinate(y)}`).join('L')}`,
        stroke: mark.stroke,
        'stroke-width': mark.strokeWidth,
        'stroke-linejoin': 'round',
        'stroke-linecap': 'round',
      });
    case 'dot':
      return element('circle', { cx: mark.x, cy: mark.y, r: mark.radius, fill: mark.fill });
    case 'rect': {
      const { x, y, width, height, fill, opacity, stroke, strokeWidth } = mark;
      return element('rect', {
        x,
        y,
        width,
        height,
        fill,
        opacity,
        stroke,
        'stroke-width': strokeWidth,
      });
    }
    case 'rule': {
      const { from, to, stroke, strokeWidth, dashes } = mark;
      const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
      return element('line', {
        ...ends,
        stroke,
        'stroke-width': strokeWidth,
        'stroke-dasharray': dashes?.join(' '),
      });
    }
    case 'text':
      return textElement(mark);
  }
}

function textElement({ lines, x, y, fill, size, align = 'left' }: TextMark): string {
  const step = lineHeight(size);
  const first = y - ((lines.length - 1) * step) / 2 + Math.round(MIDDLE_ABOVE_BASELINE * size);
  return element(
    'text',
    { fill, 'font-size': size, 'text-anchor': TEXT_ANCHORS[align] },
    lines.map((line, index) => element('tspan', { x, y: first + index * step }, [escapeXml(line)])),
  );
}

function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const textOf = (value: string | number) =>
    typeof value === 'number' ? toCoordinate(value) : escapeXml(value);
  const pairs = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : ` ${key}="${textOf(value)}"`,
  );
  const start = `<${name}${pairs.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

const toCoordinate = (value: number): number => Math.round(value * 1000) / 1000;

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => XML_ENTITIES[character]!);

/** Uses only the bundled font, so that a picture is the same on every machine. */
export async function renderPng(scene: Scene): Promise<Uint8Array> {
  // Native code, loaded for the first picture.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(toSvg(scene), {
    font: { fontFiles: [fontFilePath()], loadSystemFonts: false, defaultFontFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: PIXEL_RATIO },
  });
  return image.asPng();
}

const FONT_FILE = 'DejaVuSansCondensed.ttf';

/** The font is beside the built program, or else in its package. */
function fontFilePath(): string {
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
  const cmap = font.readUInt32BE(
    tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8,
  );
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + 4 + 8 * index,
  );
  const segmented = subtables
    .map((at) => cmap + font.readUInt32BE(at + 4))
    .find((at) => font.readUInt16BE(at) === CMAP_FORMAT_GROUPS);
  if (segmented === undefined) throw new Error('The font has no cmap subtable of format 12');

  return Array.from({ length: font.readUInt32BE(segmented + 12) }, (_, index) => {
    const at = segmented + CMAP_GROUPS_OFFSET + CMAP_GROUP_BYTES * index;
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4) };
  });
}

import { escapeXml } from '../domain/strings.ts';
import { fontFilePath } from './font.ts';
import { FONT_FAMILY, PIXEL_RATIO } from './layout.ts';
import { lineHeight, type Mark, type Scene, type TextMark } from './scene.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** SVG places text by its baseline. As a share of the font size. */
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
  const firstBaseline =
    y - ((lines.length - 1) * step) / 2 + Math.round(MIDDLE_ABOVE_BASELINE * size);
  return element(
    'text',
    { fill, 'font-size': size, 'text-anchor': TEXT_ANCHORS[align] },
    lines.map((line, index) =>
      element('tspan', { x, y: firstBaseline + index * step }, [escapeXml(line)]),
    ),
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

/** Uses only the bundled font, so that a picture is the same on every machine. */
export async function renderPng(scene: Scene): Promise<Uint8Array> {
  // Loaded only when a picture is drawn, because it is native code.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(toSvg(scene), {
    font: { fontFiles: [fontFilePath()], loadSystemFonts: false, defaultFontFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: PIXEL_RATIO },
  });
  return image.asPng();
}

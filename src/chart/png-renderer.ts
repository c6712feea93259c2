import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { renderAsync } from '@resvg/resvg-js';
import { logger, parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT, fontFilePath } from './font.ts';
import { PIXEL_RATIO } from './frame.ts';

/** Pixels in rows from the top, four bytes each: red, green, blue, and how opaque. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Eight bits each of red, green and blue. */
const PNG_COLOUR_TYPE = [8, 2, 0, 0, 0];

/**
 * An opaque picture as PNG. Its rows are not filtered: large even areas deflate better and quicker as they are. Format:
 * PNG, third edition, sections 5 and 11.2.
 */
export async function encodePng({ width, height, pixels }: RgbaImage): Promise<Uint8Array> {
  const rowLength = 1 + 3 * width;
  const rows = new Uint8Array(height * rowLength);
  let to = 0;
  for (let from = 0; from < pixels.length; from += 4) {
    // Each row begins with the byte of its filter, which is none.
    if (to % rowLength === 0) to++;
    rows[to++] = pixels[from]!;
    rows[to++] = pixels[from + 1]!;
    rows[to++] = pixels[from + 2]!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(PNG_COLOUR_TYPE, 8);
  const data = await promisify(deflate)(rows);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** Neither library may say anything on the output. */
const silentLogger = logger(0);

/** A chart as PNG. The bundled font alone is used, so that a picture is the same on every machine. */
export async function renderPng(chart: TopLevelSpec): Promise<Uint8Array> {
  const { spec } = compile(chart, { logger: silentLogger });
  const view = new View(parse(spec), { renderer: 'none', logger: silentLogger });
  try {
    const image = await renderAsync(await view.toSVG(), {
      font: { fontFiles: [fontFilePath()], loadSystemFonts: false, defaultFontFamily: FONT, sansSerifFamily: FONT },
      fitTo: { mode: 'zoom', value: PIXEL_RATIO },
    });
    return await encodePng(image);
  } finally {
    view.finalize();
  }
}

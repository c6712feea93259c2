import { renderAsync } from '@resvg/resvg-js';
import { logger, parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT, fontFile } from './font.ts';
import { SCALE } from './frame.ts';
import { pngOf } from './png.ts';

/** Neither library may say anything on the output. */
const silent = logger(0);

/** A chart as PNG. The bundled font alone is used, so that a picture is the same on every machine. */
export async function render(described: TopLevelSpec): Promise<Uint8Array> {
  const { spec } = compile(described, { logger: silent });
  const view = new View(parse(spec), { renderer: 'none', logger: silent });
  try {
    const image = await renderAsync(await view.toSVG(), {
      font: { fontFiles: [fontFile()], loadSystemFonts: false, defaultFontFamily: FONT, sansSerifFamily: FONT },
      fitTo: { mode: 'zoom', value: SCALE },
    });
    return await pngOf(image);
  } finally {
    view.finalize();
  }
}

import { renderAsync } from '@resvg/resvg-js';
import { logger, parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT, fontFilePath } from './font.ts';
import { PIXEL_RATIO } from './frame.ts';
import { encodePng } from './png.ts';

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

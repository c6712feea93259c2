import { fontFilePath } from './font.ts';
import { FONT_FAMILY, PIXEL_RATIO } from './layout.ts';
import type { Scene } from './scene.ts';
import { toSvg } from './svg.ts';

/** The bundled font alone, so that a picture is the same on every machine. */
export async function renderPng(scene: Scene): Promise<Uint8Array> {
  // Native code, loaded for the first picture.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(toSvg(scene), {
    font: { fontFiles: [fontFilePath()], loadSystemFonts: false, defaultFontFamily: FONT_FAMILY },
    fitTo: { mode: 'zoom', value: PIXEL_RATIO },
  });
  return image.asPng();
}

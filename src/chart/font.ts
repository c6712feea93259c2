import { existsSync } from 'node:fs';
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

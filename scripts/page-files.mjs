// Builds dist/page/: what a browser needs beside the page to install it, and to show it without a connection.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

const COLOUR = '#117a95';

/** Systems cut a maskable icon to a shape of their own, so the drawing is inside a circle of 80 %, on a full square. */
function squareIcon(drawing) {
  const shapes = drawing.slice(drawing.indexOf('/>') + 2, drawing.lastIndexOf('</svg>'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" fill="${COLOUR}"/><g transform="translate(2 2) scale(0.75)">${shapes}</g></svg>`;
}

const ICONS = [
  ['icon-180.png', 180, 'maskable'],
  ['icon-192.png', 192, 'any'],
  ['icon-512.png', 512, 'any'],
  ['icon-maskable-512.png', 512, 'maskable'],
];

const manifest = {
  name: 'Acequia',
  short_name: 'Acequia',
  id: './',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: COLOUR,
  icons: ICONS.filter(([, size]) => size !== 180).map(([src, size, purpose]) => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
};

export async function buildPageFiles(root, dist) {
  const folder = join(dist, 'page');
  await mkdir(folder);
  const drawing = await readFile(join(root, 'docs', 'icon.svg'), 'utf8');
  for (const [name, size, kind] of ICONS) {
    const picture = new Resvg(kind === 'maskable' ? squareIcon(drawing) : drawing, {
      fitTo: { mode: 'width', value: size },
    });
    await writeFile(join(folder, name), picture.render().asPng());
  }
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify(manifest));
  await copyFile(join(root, 'docs', 'icon.svg'), join(folder, 'icon.svg'));
  await copyFile(join(root, 'src', 'http', 'page', 'service-worker.js'), join(folder, 'sw.js'));
}

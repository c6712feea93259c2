import { readFileSync } from 'node:fs';
import type { ResponseHeaders } from '../reply.ts';
import { type RouteHandler, staticReply } from '../router.ts';
import { PAGE_HEADER } from './page-access.ts';

/** Content-Type of each file that the page loads. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  'manifest.webmanifest': 'application/manifest+json',
  'sw.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icon-180.png': 'image/png',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
};

/** For the page in a browser tab; in a chat there is nothing to install. */
const INSTALL_LINKS = `<link rel="manifest" href="manifest.webmanifest"><link rel="icon" type="image/svg+xml" href="icon.svg"><link rel="apple-touch-icon" href="icon-180.png">`;

export const HTML_TYPE = 'text/html; charset=utf-8';

/** A kind of source that `sources` does not name is not allowed. */
const contentPolicy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, source]) => `${directive} ${source}`)
    .join('; ');

export const pageHeaders = (policy: Readonly<Record<string, string>>): ResponseHeaders => ({
  'Content-Security-Policy': contentPolicy({ 'form-action': "'none'", ...policy }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
});

const FILE_HEADERS = pageHeaders({ 'connect-src': "'self'" });

export const pageFile = (folder: URL, name: string, type: string): RouteHandler =>
  staticReply(readFileSync(new URL(`page/${name}`, folder)), type, FILE_HEADERS);

export function livePage(folder: URL): RouteHandler {
  const { script, style } = JSON.parse(readFileSync(new URL('page.json', folder), 'utf8'));
  const html = readFileSync(new URL('page.html', folder), 'utf8').replace(
    '<!-- head -->',
    INSTALL_LINKS,
  );

  return staticReply(html, HTML_TYPE, {
    ...pageHeaders({
      'script-src': `'${script}'`,
      'style-src': `'${style}'`,
      'connect-src': "'self'",
      'img-src': "'self' data:",
      'manifest-src': "'self'",
      'worker-src': "'self'",
    }),
    // The service worker stores no page without it.
    [PAGE_HEADER]: '1',
  });
}

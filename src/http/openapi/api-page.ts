import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { HttpApp } from '../router.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The viewer embeds its icons as data URLs. */
const viewerHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // The service itself does not speak TLS.
  strictTransportSecurity: false,
});

/** Serves the viewer of the OpenAPI document from the folder of its files. */
export function addApiPage(app: HttpApp, folder: string): void {
  const serveFile = async (context: Context, name: string) => {
    const content = await readFile(join(folder, name)).catch(() => null);
    if (content === null) return context.notFound();
    return context.body(content, 200, {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    });
  };

  app.get('/docs', viewerHeaders, (context) => serveFile(context, 'index.html'));
  // Without a slash or a leading dot, a name cannot leave the folder.
  app.get('/docs/:file{[A-Za-z][\\w.-]*}', viewerHeaders, (context) =>
    serveFile(context, context.req.param('file')),
  );
}

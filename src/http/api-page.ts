import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { App } from './router.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The viewer has its icons as data URLs. The service itself does not speak TLS. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: false,
});

export function apiPageRoutes(app: App, folder: URL | string): void {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;

  const fileOf = async (context: Context, name: string) => {
    const content = await readFile(join(root, name)).catch(() => null);
    if (content === null) return context.notFound();
    return context.body(content, 200, {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    });
  };
  app.get('/docs', pageHeaders, (context) => fileOf(context, 'index.html'));
  // Without a slash or a leading dot, a name cannot leave the folder.
  app.get('/docs/:file{[A-Za-z][\\w.-]*}', pageHeaders, (context) => fileOf(context, context.req.param('file')));
}

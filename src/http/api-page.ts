import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Env, Hono } from 'hono';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing is fetched from elsewhere, nothing runs that is not a file of ours; the viewer draws its arrows as data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the page that shows the OpenAPI document at `/`, and its files, from the folder that the build made. */
export function apiPageRoutes<E extends Env>(app: Hono<E>, folder: URL | string): void {
  const root = folder instanceof URL ? fileURLToPath(folder) : folder;

  const fileOf = async (context: Context<E>, name: string) => {
    const content = await readFile(join(root, name)).catch(() => null);
    if (content === null) return context.notFound();
    return context.body(content, 200, {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
  };
  app.get('/', (context) => fileOf(context, 'index.html'));
  // No slash and no leading dot: nothing outside the folder has such a name.
  app.get('/page/:file{[A-Za-z][\\w.-]*}', (context) => fileOf(context, context.req.param('file')));
}

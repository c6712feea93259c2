import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { NOOP_OBSERVER, type Observer, observedStore } from '../observe/observer.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError, type ErrorReporter } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type AdmissionOptions, admission } from './admission.ts';
import { type AllowedHosts, dnsRebindingGuard } from './dns-rebinding-guard.ts';
import { type McpHandler, mcpEndpoint } from './mcp-endpoint.ts';
import { oauthRoutes } from './oauth/oauth-addresses.ts';
import { type PageOptions, pageRoutes } from './page/page-routes.ts';
import { jsonReply } from './reply.ts';
import { keyQueue } from './request-queues.ts';
import { restEndpoint } from './rest-endpoint.ts';
import {
  createRouter,
  type HttpApp,
  type Route,
  type RouteHandler,
  staticReply,
  traceHeadersOf,
} from './router.ts';
import { storeUnavailableForClients } from './store-for-clients.ts';
import { type WebhookOptions, webhookEndpoint } from './webhook-endpoint.ts';

interface AppOptions extends WebhookOptions, AdmissionOptions {
  readonly report: ErrorReporter;
  readonly observer?: Observer;
  readonly openApiDocument: string;
  /** Folder of the built API documentation. */
  readonly apiPage?: URL;
  readonly page?: PageOptions;
  readonly mcp?: { readonly handler: McpHandler; readonly allowedHosts: AllowedHosts };
}

export function createApp(options: AppOptions): HttpApp {
  const { store, operations, openApiDocument, report, mcp, observer = NOOP_OBSERVER } = options;
  const { app, addRoute } = createRouter(observer, report);
  const admit = admission({ ...options, pageAccess: options.page?.access });
  const queue = keyQueue(options.limits.burst);
  const rest = restEndpoint(options, admit, queue);

  const routeOf = (operation: AnyOperation): Route => ({
    operation: operation.name,
    handler: (headers, { req, env }, trace) =>
      rest(
        operation,
        // Long reads alone are cancelled when their client has gone.
        {
          incoming: env.incoming,
          path: req.param(),
          trace,
          signal: operation.load?.isLong && req.raw.signal,
        },
        headers,
      ),
  });

  for (const [path, operationsOfPath] of operationsByPath(operations.values()))
    addRoute(
      `/v1${path}`,
      Object.fromEntries(operationsOfPath.map((each) => [each.endpoint.method, routeOf(each)])),
    );

  const webhook = webhookEndpoint(options, admit, queue);

  const webhookRoute = (
    nameOrKeyOf: (parameters: Readonly<Record<string, string>>) => string,
  ): Route => ({
    operation: 'ingest',
    handler: (headers, { req, env }, trace) =>
      webhook({ incoming: env.incoming, nameOrKey: nameOrKeyOf(req.param()), trace }, headers),
  });

  addRoute('/v1/ingest/{map}', { POST: webhookRoute(({ map }) => map!) });
  addRoute('/v1/ingest/{network}/{device}', {
    POST: webhookRoute(({ network, device }) => `${network}/${device}`),
  });

  const addGet = (path: string, handler: RouteHandler): void =>
    addRoute(path, { GET: { operation: null, handler } });

  addGet('/health', async () => jsonReply(200, { status: 'ok' }));
  addGet('/ready', readinessHandler(store, report));
  addGet('/v1/openapi.json', staticReply(openApiDocument, 'application/json'));

  if (mcp) {
    const endpoint = mcpEndpoint(options, admit, queue, mcp.handler);

    const handler: RouteHandler = (headers, { req, env }, trace) => {
      const traceHeaders = { ...traceHeadersOf(req), requestId: trace.requestId };
      return endpoint(
        { incoming: env.incoming, trace, traceHeaders, signal: req.raw.signal },
        headers,
      );
    };

    const guard = dnsRebindingGuard(mcp.allowedHosts);
    addRoute('/mcp', { POST: { operation: null, handler } }, guard);
    for (const [path, methods] of oauthRoutes(options.oauth ?? null))
      addRoute(path, methods, guard);
  }

  if (options.page)
    for (const [path, methods] of pageRoutes(options.page, options, admit))
      addRoute(path, methods, options.page.access.guard);

  if (options.apiPage) addApiPage(app, fileURLToPath(options.apiPage));
  return app;
}

/**
 * Ready while the store accepts writes: one on a standby reads, but whoever logs a watering needs
 * another.
 */
const readinessHandler =
  (store: Store, report: ErrorReporter): RouteHandler =>
  async (_, __, trace) => {
    await observedStore(store, trace)
      .checkWritable()
      .catch(async (error) => {
        // An AcequiaError was logged where it was thrown.
        if (error instanceof AcequiaError) throw error;
        const reference = await report(error, trace.requestId);
        throw storeUnavailableForClients(reference);
      });
    return jsonReply(200, { status: 'ready' });
  };

function operationsByPath(operations: Iterable<AnyOperation>): Map<string, AnyOperation[]> {
  const paths = new Map<string, AnyOperation[]>();
  for (const each of operations)
    paths.set(each.endpoint.path, [...(paths.get(each.endpoint.path) ?? []), each]);
  return paths;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The viewer embeds its icons as data URLs. HSTS is off, because the service itself does not speak
 * TLS.
 */
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

function addApiPage(app: HttpApp, folder: string): void {
  const serveFile = async (context: Context, name: string) => {
    const content = await readFile(join(folder, name)).catch(() => null);
    if (content === null) return context.notFound();
    return context.body(content, 200, {
      'content-type': CONTENT_TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    });
  };

  app.get('/docs', pageHeaders, (context) => serveFile(context, 'index.html'));
  // Without a slash or a leading dot, a name cannot leave the folder.
  app.get('/docs/:file{[A-Za-z][\\w.-]*}', pageHeaders, (context) =>
    serveFile(context, context.req.param('file')),
  );
}

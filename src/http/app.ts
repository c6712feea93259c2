import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { NOOP_OBSERVER, type Observer, observedStore } from '../observe/observer.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError, type ErrorReporter } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type AdmissionOptions, type Admit, admission } from './admission/admission.ts';
import { type AllowedHosts, dnsRebindingGuard } from './admission/dns-rebinding-guard.ts';
import { keyQueue, type RunQueued } from './admission/key-queue.ts';
import { type McpHandler, mcpEndpoint } from './mcp-endpoint.ts';
import { oauthRoutes } from './oauth/oauth-addresses.ts';
import { type PageOptions, pageRoutes } from './page/page-routes.ts';
import { jsonReply } from './reply.ts';
import { RestEndpoint } from './rest/rest-endpoint.ts';
import { type WebhookOptions, webhookEndpoint } from './rest/webhook-endpoint.ts';
import {
  type HttpApp,
  type Route,
  type RouteHandler,
  Router,
  staticReply,
  traceHeadersOf,
} from './router.ts';
import { storeUnavailableForClients } from './store-for-clients.ts';

interface AppOptions extends WebhookOptions, AdmissionOptions {
  readonly report: ErrorReporter;
  readonly observer?: Observer;
  readonly openApiDocument: string;
  /** Folder of the built API documentation. */
  readonly apiPage?: URL;
  readonly page?: PageOptions;
  readonly mcp?: { readonly handler: McpHandler; readonly allowedHosts: AllowedHosts };
}

type PathParameters = Readonly<Record<string, string>>;

/** What the routes of one service share. */
interface RouteSetting {
  readonly options: AppOptions;
  readonly admit: Admit;
  readonly queue: RunQueued;
}

export function createApp(options: AppOptions): HttpApp {
  const { report, observer = NOOP_OBSERVER, apiPage } = options;
  const router = new Router(observer, report);
  const setting: RouteSetting = {
    options,
    admit: admission({ ...options, pageAccess: options.page?.access }),
    queue: keyQueue(options.limits.burst),
  };

  addRestRoutes(router, setting);
  addWebhookRoutes(router, setting);
  addServiceRoutes(router, options);
  addMcpRoutes(router, setting);
  addPageRoutes(router, setting);
  if (apiPage) addApiPage(router.app, fileURLToPath(apiPage));

  return router.app;
}

function addRestRoutes(router: Router, { options, admit, queue }: RouteSetting): void {
  const rest = new RestEndpoint(options, admit, queue);

  const routeOf = (operation: AnyOperation): Route => ({
    operation: operation.name,
    handler: (headers, { req, env }, trace) => {
      // Long reads alone are cancelled when their client has gone.
      const signal = operation.load?.isLong && req.raw.signal;
      const request = { incoming: env.incoming, path: req.param(), trace, signal };
      return rest.answer(operation, request, headers);
    },
  });

  for (const [path, operations] of operationsByPath(options.operations.values())) {
    const routes = operations.map((each) => [each.endpoint.method, routeOf(each)] as const);
    router.add(`/v1${path}`, Object.fromEntries(routes));
  }
}

function addWebhookRoutes(router: Router, { options, admit, queue }: RouteSetting): void {
  const webhook = webhookEndpoint(options, admit, queue);

  const route = (nameOrKeyOf: (path: PathParameters) => string): Route => ({
    operation: 'ingest',
    handler: (headers, { req, env }, trace) =>
      webhook({ incoming: env.incoming, nameOrKey: nameOrKeyOf(req.param()), trace }, headers),
  });

  router.add('/v1/ingest/{map}', { POST: route(({ map = '' }) => map) });
  router.add('/v1/ingest/{network}/{device}', {
    POST: route(({ network, device }) => `${network}/${device}`),
  });
}

/** Routes that need no key. */
function addServiceRoutes(router: Router, { store, report, openApiDocument }: AppOptions): void {
  const addGet = (path: string, handler: RouteHandler): void =>
    router.add(path, { GET: { operation: null, handler } });

  addGet('/health', async () => jsonReply(200, { status: 'ok' }));
  addGet('/ready', readinessHandler(store, report));
  addGet('/v1/openapi.json', staticReply(openApiDocument, 'application/json'));
}

function addMcpRoutes(router: Router, { options, admit, queue }: RouteSetting): void {
  const { mcp, oauth = null } = options;
  if (!mcp) return;

  const endpoint = mcpEndpoint(options, admit, queue, mcp.handler);
  const handler: RouteHandler = (headers, { req, env }, trace) => {
    const traceHeaders = { ...traceHeadersOf(req), requestId: trace.requestId };
    const { signal } = req.raw;
    return endpoint({ incoming: env.incoming, trace, traceHeaders, signal }, headers);
  };

  const guard = dnsRebindingGuard(mcp.allowedHosts);
  router.add('/mcp', { POST: { operation: null, handler } }, guard);
  for (const [path, methods] of oauthRoutes(oauth)) router.add(path, methods, guard);
}

function addPageRoutes(router: Router, { options, admit }: RouteSetting): void {
  const { page } = options;
  if (!page) return;
  for (const [path, methods] of pageRoutes(page, options, admit))
    router.add(path, methods, page.access.guard);
}

/**
 * Ready while the store accepts writes. A standby only reads, so that a watering could not be
 * logged.
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
  for (const operation of operations) {
    const { path } = operation.endpoint;
    const ofPath = paths.get(path) ?? [];
    paths.set(path, ofPath);
    ofPath.push(operation);
  }
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

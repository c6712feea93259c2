import { fileURLToPath } from 'node:url';
import {
  type CallTrace,
  NOOP_OBSERVER,
  type Observer,
  observedStore,
} from '../observe/observer.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { isWrite } from '../operation/operation-kind.ts';
import { AcequiaError, type ErrorReporter } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { type AdmissionOptions, type Admit, admission } from './admission/admission.ts';
import { type AllowedHosts, dnsRebindingGuard } from './admission/dns-rebinding-guard.ts';
import { ServiceShares } from './admission/service-shares.ts';
import { McpEndpoint, type McpHandler } from './mcp-endpoint.ts';
import { oauthRoutes } from './oauth/oauth-addresses.ts';
import { addApiPage } from './openapi/api-page.ts';
import { type PageOptions, pageRoutes } from './page/page-routes.ts';
import { Readiness } from './readiness.ts';
import { jsonReply } from './reply.ts';
import { readQueryMessage } from './rest/query-message.ts';
import { RestEndpoint } from './rest/rest-endpoint.ts';
import { WebhookEndpoint, type WebhookOptions } from './rest/webhook-endpoint.ts';
import {
  type HttpApp,
  type Route,
  type RouteHandler,
  Router,
  staticReply,
  traceHeadersOf,
} from './router.ts';
import { type ServerCardOptions, serverCardRoutes } from './server-card.ts';
import { storeUnavailableForClients } from './store-for-clients.ts';

interface AppOptions extends WebhookOptions, AdmissionOptions {
  /** Shared with the server that listens; default: those of the limits. */
  readonly shares?: ServiceShares;
  readonly report: ErrorReporter;
  readonly observer?: Observer;
  readonly openApiDocument: string;
  /** Folder of the built API documentation. */
  readonly apiPage?: URL;
  readonly page?: PageOptions;
  readonly mcp?: McpOptions;
}

interface McpOptions {
  readonly handler: McpHandler;
  readonly allowedHosts: AllowedHosts;
  readonly card: ServerCardOptions;
}

type PathParameters = Readonly<Record<string, string>>;

/** The objects that the routes of one service share. */
interface RouteContext {
  readonly options: AppOptions;
  readonly admit: Admit;
}

export function createApp(options: AppOptions): HttpApp {
  const { report, observer = NOOP_OBSERVER, apiPage } = options;
  const { shares = new ServiceShares(options.limits) } = options;
  const router = new Router(observer, report, shares);
  const context: RouteContext = {
    options,
    admit: admission({ ...options, pageAccess: options.page?.access }, shares.callers),
  };

  addRestRoutes(router, context);
  addWebhookRoutes(router, context);
  addServiceRoutes(router, options);
  addMcpRoutes(router, context);
  addPageRoutes(router, context);
  if (apiPage) addApiPage(router.app, fileURLToPath(apiPage));

  return router.app;
}

function addRestRoutes(router: Router, { options, admit }: RouteContext): void {
  const rest = new RestEndpoint(options, admit);

  const routeOf = (operation: AnyOperation): Route => ({
    operation: operation.name,
    handler: (headers, { req, env }, trace) => {
      // Loggers hang up early, so a write is finished all the same.
      const signal = isWrite(operation) ? undefined : req.raw.signal;
      const request = { incoming: env.incoming, path: req.param(), trace, signal };
      return rest.answer(operation, request, headers);
    },
  });

  for (const [path, operations] of operationsByPath(options.operations.values())) {
    const methods: Record<string, Route> = {};
    for (const operation of operations) methods[operation.endpoint.method] = routeOf(operation);
    router.add(`/v1${path}`, methods);
  }
}

function addWebhookRoutes(router: Router, { options, admit }: RouteContext): void {
  const webhook = new WebhookEndpoint(options, admit);

  const route = (nameOrKeyOf: (path: PathParameters) => string): Route => ({
    operation: 'ingest',
    handler: (headers, { req, env }, trace) =>
      webhook.answer(
        { incoming: env.incoming, nameOrKey: nameOrKeyOf(req.param()), trace },
        headers,
      ),
  });

  const queryRoute: Route = {
    operation: 'ingest',
    handler: (headers, { req, env }, trace) => {
      const { key: nameOrKey, payload } = readQueryMessage(req.param('map') ?? '', req.url);
      return webhook.answer({ incoming: env.incoming, nameOrKey, payload, trace }, headers);
    },
  };

  router.add('/v1/ingest/{map}', { POST: route(({ map = '' }) => map), GET: queryRoute });
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

function addMcpRoutes(router: Router, { options, admit }: RouteContext): void {
  const { mcp, oauth = null } = options;
  if (!mcp) return;

  const endpoint = new McpEndpoint(options, admit, mcp.handler);
  const handler: RouteHandler = (headers, { req, env }, trace) => {
    const traceHeaders = { ...traceHeadersOf(req), requestId: trace.requestId };
    const { signal } = req.raw;
    return endpoint.answer({ incoming: env.incoming, trace, traceHeaders, signal }, headers);
  };

  const guard = dnsRebindingGuard(mcp.allowedHosts);
  router.add('/mcp', { POST: { operation: null, handler } }, guard);
  for (const [path, methods] of oauthRoutes(oauth)) router.add(path, methods, guard);
  for (const [path, methods] of serverCardRoutes(mcp.card, oauth?.issuerUrl ?? null))
    router.add(path, methods);
}

function addPageRoutes(router: Router, { options, admit }: RouteContext): void {
  const { page } = options;
  if (!page) return;
  for (const [path, methods] of pageRoutes(page, options, admit))
    router.add(path, methods, page.access.guard);
}

/**
 * Ready while the store accepts writes. A standby only reads, so that a watering could not be
 * logged.
 */
function readinessHandler(store: Store, report: ErrorReporter): RouteHandler {
  const readiness = new Readiness();

  const check = async (trace: CallTrace): Promise<void> => {
    try {
      await observedStore(store, trace).checkWritable();
    } catch (error) {
      // An AcequiaError was logged where it was thrown.
      if (error instanceof AcequiaError) throw error;
      const reference = await report(error, trace.requestId);
      throw storeUnavailableForClients(reference);
    }
  };

  return async (_, __, trace) => {
    await readiness.check(() => check(trace));
    return jsonReply(200, { status: 'ready' });
  };
}

function operationsByPath(operations: Iterable<AnyOperation>): Map<string, AnyOperation[]> {
  const paths = new Map<string, AnyOperation[]>();
  for (const operation of operations) {
    const { path } = operation.endpoint;
    const operationsOfPath = paths.get(path) ?? [];
    operationsOfPath.push(operation);
    paths.set(path, operationsOfPath);
  }
  return paths;
}

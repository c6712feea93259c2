import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type HonoRequest } from 'hono';
import type { CallTrace } from '../observe/call-trace.ts';
import { observedStore } from '../observe/observed-store.ts';
import { type IncomingCorrelation, NOOP_OBSERVER, type Observer } from '../observe/observer.ts';
import type { AnyOperation, Endpoint } from '../operation/operation.ts';
import { AcequiaError, type ErrorReporter, storeUnavailable, toClientError } from '../schema/error.ts';
import { oldestTwoCompanies } from '../store/company/companies.ts';
import { type AdmissionOptions, admission } from './admission.ts';
import { type AllowedHosts, dnsRebindingGuard } from './dns-rebinding-guard.ts';
import { type McpHandler, mcpEndpoint } from './mcp-endpoint.ts';
import { initialHeaders, type ResponseHeaders } from './response-headers.ts';
import { type HttpReply, type RestOptions, restEndpoint } from './rest-endpoint.ts';
import { methodNotAllowed, PROBLEM_TYPE, problemText, unknownPath } from './transport-errors.ts';

/** What a request says to be followed by. */
export const traceHeadersOf = (request: HonoRequest): IncomingCorrelation => ({
  requestId: request.header('x-request-id'),
  traceparent: request.header('traceparent'),
});

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** A method that there is; any other is a word of the client's. */
export const loggableMethod = (method: string): string | null => (METHODS.has(method) ? method : null);

/** Ids of rows: numbers, and UUIDs of alerts and annotations. */
const ID = /^(\d{1,16}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** A path with its ids. What else stands in place of one may be anybody's words, and is not told. */
export const loggablePath = (path: string | null, parameters: Readonly<Record<string, string>>): string | null =>
  path?.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    ID.test(parameters[name] ?? '') ? parameters[name]! : placeholder,
  ) ?? null;

export interface AppOptions extends RestOptions, AdmissionOptions {
  /** Logs what went wrong inside, and gives the reference that the client is told. */
  readonly report: ErrorReporter;
  /** Follows every request. */
  readonly observer?: Observer;
  /** The OpenAPI document as JSON text. */
  readonly document: string;
  /** Adds the pages that need no key. */
  readonly pages?: (app: App) => void;
  /** MCP at /mcp, and by whom it may be asked. */
  readonly mcp?: { readonly answers: McpHandler; readonly named: AllowedHosts };
}

type Env = { Bindings: HttpBindings };
export type App = Hono<Env>;

/** What of a route may be told of: nothing that a client wrote. */
interface RouteFacts {
  /** As the route is declared, parameters in braces; null where none is matched. */
  readonly path: string | null;
  readonly operation: string | null;
}

/** The REST interface: every operation at its path under /v1, what tells about the process itself, and beside them MCP. */
export function createApp(options: AppOptions): App {
  const { store, operations, document, report, observer = NOOP_OBSERVER } = options;
  const app: App = new Hono<Env>();
  const admit = admission(options);
  const rest = restEndpoint(options, admit);

  type RouteHandler = (headers: ResponseHeaders, context: Context<Env>, trail: CallTrace) => Promise<HttpReply>;
  type Route = { readonly operation: string | null; readonly reply: RouteHandler };
  type Guard = ReturnType<typeof dnsRebindingGuard>;

  /** What a route answers with, or why it does not; `known` is what of it may be told. */
  const answer = (reply: RouteHandler, route: RouteFacts) => async (context: Context<Env>) => {
    const { req } = context;
    const trace = observer.begin({ surface: 'rest', operation: route.operation, incoming: traceHeadersOf(req) });
    const headers = initialHeaders(trace.requestId);
    let code: string | null = null;
    const toProblem = async (error: unknown): Promise<HttpReply> => {
      const problem = await toClientError(error, report, trace.requestId);
      code = problem.code;
      return { status: problem.status, type: PROBLEM_TYPE, content: problemText(problem) };
    };
    const { status, type, content, finished } = await reply(headers, context, trace).catch(toProblem);
    if (trace.isObserved) {
      const tell = (): void =>
        trace.end(code, {
          facts: { method: loggableMethod(req.method), path: loggablePath(route.path, req.param()), status },
        });
      if (finished) void finished.then(tell);
      else tell();
    }
    setContentHeaders(type, content, headers);
    return new Response(content, { status, headers });
  };

  /** The methods of a path: any other is told which there are. */
  function routes(path: string, methods: Readonly<Record<string, Route>>, guard?: Guard): void {
    const at = honoPath(path);
    const behindGuard = (reply: RouteHandler): RouteHandler =>
      guard
        ? async (headers, context, trace) => {
            guard(context.env.incoming, headers);
            return reply(headers, context, trace);
          }
        : reply;
    const guarded = (reply: RouteHandler, operation: string | null) => answer(behindGuard(reply), { path, operation });
    for (const [method, { operation, reply }] of Object.entries(methods)) app.on(method, at, guarded(reply, operation));
    const allowed = [...Object.keys(methods), ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].sort();
    const otherwise: RouteHandler = async (headers, { req }) => {
      headers.Allow = allowed.join(', ');
      if (req.method === 'OPTIONS') return { status: 204, type: null, content: null };
      throw methodNotAllowed(req.method, allowed);
    };
    app.all(at, guarded(otherwise, null));
  }

  for (const [path, described] of operationsByPath(operations.values()))
    routes(
      `/v1${path}`,
      Object.fromEntries(
        described.map((each): [string, Route] => [
          each.endpoint.method,
          {
            operation: each.name,
            reply: (headers, { req, env }, trace) =>
              rest(each, { incoming: env.incoming, path: req.param(), trace }, headers),
          },
        ]),
      ),
    );
  const own = (path: string, reply: RouteHandler): void => routes(path, { GET: { operation: null, reply } });
  own('/health', async () => json({ status: 'ok' }));
  own('/ready', async (_, __, trace) => {
    await observedStore(store, trace)
      .readAll(oldestTwoCompanies)
      .catch(async (error) => {
        // One of ours was logged where it was found.
        if (error instanceof AcequiaError) throw error;
        const reference = await report(error, trace.requestId);
        throw storeUnavailable(
          `The store does not answer (reference ${reference}).`,
          'Look the reference up in the log.',
        );
      });
    return json({ status: 'ready' });
  });
  own('/v1/openapi.json', staticJson(document));
  if (options.mcp) {
    const { answers, named } = options.mcp;
    const mcp = mcpEndpoint(options, admit, answers);
    const reply: RouteHandler = (headers, { req, env }, trace) =>
      mcp(
        {
          incoming: env.incoming,
          traceHeaders: { ...traceHeadersOf(req), requestId: trace.requestId },
          signal: req.raw.signal,
        },
        headers,
      );
    routes('/mcp', { POST: { operation: null, reply } }, dnsRebindingGuard(named));
  }
  options.pages?.(app);
  const unmatchedRoute: RouteFacts = { path: null, operation: null };
  app.notFound(
    answer(async (_, { req }) => {
      throw unknownPath(req.path);
    }, unmatchedRoute),
  );
  app.onError((error, context) =>
    answer(async () => {
      throw error;
    }, unmatchedRoute)(context),
  );
  return app;
}

const json = (body: unknown): HttpReply => ({ status: 200, type: 'application/json', content: JSON.stringify(body) });

/** Tells in `headers` what an answer holds, which HEAD is told as well. */
function setContentHeaders(type: HttpReply['type'], content: HttpReply['content'], headers: ResponseHeaders): void {
  if (type !== null) headers['Content-Type'] = type;
  if (content !== null && !(content instanceof ReadableStream))
    headers['Content-Length'] = String(Buffer.byteLength(content));
}

/** A text that changes with the program alone: a client that has it is told so. */
function staticJson(text: string) {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return async (headers: ResponseHeaders, { req }: Context<Env>): Promise<HttpReply> => {
    headers['Cache-Control'] = 'no-cache';
    headers.ETag = tag;
    if (req.header('if-none-match') === tag) return { status: 304, type: null, content: null };
    return { status: 200, type: 'application/json', content: text };
  };
}

/** The operations by the path they share. */
function operationsByPath(operations: Iterable<AnyOperation>): Map<string, AnyOperation[]> {
  const paths = new Map<string, AnyOperation[]>();
  for (const each of operations) paths.set(each.endpoint.path, [...(paths.get(each.endpoint.path) ?? []), each]);
  return paths;
}

const honoPath = (path: Endpoint['path']): string => path.replace(/\{(\w+)\}/g, ':$1');

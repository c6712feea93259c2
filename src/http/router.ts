import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type HonoRequest } from 'hono';
import { CancelledError } from '../domain/event-loop.ts';
import type { CallTrace, IncomingCorrelation, Observer } from '../observe/observer.ts';
import { type ErrorReporter, toClientError } from '../schema/error.ts';
import type { dnsRebindingGuard } from './dns-rebinding-guard.ts';
import { CLIENT_GONE, type HttpReply, type ResponseHeaders, SECURITY_HEADERS } from './reply.ts';
import {
  methodNotAllowedError,
  PROBLEM_TYPE,
  problemText,
  unknownPathError,
} from './transport-errors.ts';

type Env = { Bindings: HttpBindings };
export type HttpApp = Hono<Env>;

export type RouteHandler = (
  headers: ResponseHeaders,
  context: Context<Env>,
  trace: CallTrace,
) => Promise<HttpReply>;

export interface Route {
  readonly operation: string | null;
  readonly handler: RouteHandler;
}

type RouteGuard = ReturnType<typeof dnsRebindingGuard>;

/** Only these may be logged: they contain nothing that a client wrote. */
interface RouteFacts {
  readonly path: string | null;
  readonly operation: string | null;
}

interface Router {
  readonly app: HttpApp;
  addRoute(path: string, methods: Readonly<Record<string, Route>>, guard?: RouteGuard): void;
}

export function createRouter(observer: Observer, report: ErrorReporter): Router {
  const app: HttpApp = new Hono<Env>();

  const responder = (handler: RouteHandler, route: RouteFacts) => async (context: Context<Env>) => {
    const { req } = context;
    const trace = observer.begin({
      surface: 'rest',
      operation: route.operation,
      incoming: traceHeadersOf(req),
    });
    const headers: ResponseHeaders = { ...SECURITY_HEADERS, 'X-Request-Id': trace.requestId };
    let code: string | null = null;

    const toProblem = async (error: unknown): Promise<HttpReply> => {
      if (error instanceof CancelledError) {
        code = 'cancelled';
        return CLIENT_GONE;
      }
      const problem = await toClientError(error, report, trace.requestId);
      code = problem.code;
      if (problem.retryAfterS !== undefined) headers['Retry-After'] = String(problem.retryAfterS);
      return { status: problem.status, type: PROBLEM_TYPE, content: problemText(problem) };
    };

    const { status, type, content, finished } = await handler(headers, context, trace).catch(
      toProblem,
    );

    if (trace.isObserved) {
      const facts = {
        method: loggableMethod(req.method),
        path: loggablePath(route.path, req.param()),
        status,
      };
      const end = (): void => trace.end(code, { facts });
      if (finished) void finished.then(end);
      else end();
    }

    if (type !== null) headers['Content-Type'] = type;
    const body = await compressIfAccepted(content, req.header('accept-encoding'), headers);
    if (body !== null && !(body instanceof ReadableStream))
      headers['Content-Length'] = String(Buffer.byteLength(body));

    return new Response(body, { status, headers });
  };

  const failWith = (errorOf: (context: Context<Env>) => unknown) =>
    responder((_, context) => Promise.reject(errorOf(context)), { path: null, operation: null });

  app.notFound(failWith(({ req }) => unknownPathError(req.path)));
  app.onError((error, context) => failWith(() => error)(context));

  return {
    app,
    addRoute(path, methods, guard) {
      const honoPath = path.replace(/\{(\w+)\}/g, ':$1');

      const guarded = (handler: RouteHandler, operation: string | null) =>
        responder(
          async (headers, context, trace) => {
            guard?.(context.env.incoming, headers);
            return handler(headers, context, trace);
          },
          { path, operation },
        );

      for (const [method, { operation, handler }] of Object.entries(methods))
        app.on(method, honoPath, guarded(handler, operation));
      const allowed = [
        ...Object.keys(methods),
        ...('GET' in methods ? ['HEAD'] : []),
        'OPTIONS',
      ].sort();

      const otherMethod: RouteHandler = async (headers, { req }) => {
        headers.Allow = allowed.join(', ');
        if (req.method === 'OPTIONS') return { status: 204, type: null, content: null };
        throw methodNotAllowedError(req.method, allowed);
      };

      app.all(honoPath, guarded(otherMethod, null));
    },
  };
}

export const traceHeadersOf = (request: HonoRequest): IncomingCorrelation => ({
  requestId: request.header('x-request-id'),
  traceparent: request.header('traceparent'),
});

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
]);

const loggableMethod = (method: string): string | null => (METHODS.has(method) ? method : null);

const ID = /^(\d{1,16}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/**
 * The path with its ids. A parameter that is not an id could be any text, so its placeholder stays.
 */
const loggablePath = (
  path: string | null,
  parameters: Readonly<Record<string, string>>,
): string | null =>
  path?.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    ID.test(parameters[name] ?? '') ? parameters[name]! : placeholder,
  ) ?? null;

/** Shorter texts fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_400;
const compress = promisify(gzip);

/** Compresses texts only: pictures are compressed already, and streams must not wait. */
async function compressIfAccepted(
  content: HttpReply['content'],
  accepted = '',
  headers: ResponseHeaders,
): Promise<HttpReply['content']> {
  if (typeof content !== 'string' || content.length < MIN_COMPRESSED_BYTES) return content;
  headers.Vary = [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ');
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)) return content;
  headers['Content-Encoding'] = 'gzip';
  return new Uint8Array(await compress(content));
}

/** Clients cache the reply, and ask each time whether it has changed. */
export function staticReply(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  extraHeaders: ResponseHeaders = {},
): RouteHandler {
  // The tag is weak because the compressed reply has other bytes.
  const tag = `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
  return async (headers, { req }) => {
    Object.assign(headers, extraHeaders, { 'Cache-Control': 'no-cache', ETag: tag });
    if (req.header('if-none-match') === tag) return { status: 304, type: null, content: null };
    return { status: 200, type, content };
  };
}

import { hash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type HonoRequest } from 'hono';
import { CancelledError } from '../domain/event-loop.ts';
import { SMALL_ANSWER_BYTES } from '../domain/shares/bounded-things.ts';
import type { CallTrace, IncomingCorrelation, Observer } from '../observe/observer.ts';
import { ERROR_TEXTS_HEADER, earlierCallHeaders } from '../operation/rest-conventions.ts';
import { type ErrorReporter, toClientError } from '../schema/error.ts';
import type { dnsRebindingGuard } from './admission/dns-rebinding-guard.ts';
import { RequestShares } from './admission/request-shares.ts';
import { answersUnreadError, type ServiceShares } from './admission/service-shares.ts';
import {
  CLIENT_GONE,
  type HttpReply,
  NO_CONTENT,
  type ResponseHeaders,
  SECURITY_HEADERS,
} from './reply.ts';
import { StaticText, toResponse } from './response.ts';
import {
  methodNotAllowedError,
  PROBLEM_TYPE,
  problemText,
  problemWithTexts,
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

/** The facts of a route that may be logged: nothing that a client wrote. */
interface RouteFacts {
  readonly path: string | null;
  readonly operation: string | null;
}

interface Outcome {
  readonly reply: HttpReply;
  /** Code of the error, for the log; null for an answer. */
  readonly code: string | null;
}

/** Adds the routes to Hono, and answers every request within a trace. */
export class Router {
  readonly app: HttpApp = new Hono<Env>();
  readonly #observer: Observer;
  readonly #report: ErrorReporter;
  readonly #shares: ServiceShares;

  constructor(observer: Observer, report: ErrorReporter, shares: ServiceShares) {
    this.#shares = shares;
    this.#observer = observer;
    this.#report = report;
    this.app.notFound((context) => this.#fail(context, unknownPathError(context.req.path)));
    this.app.onError((error, context) => this.#fail(context, error));
  }

  /** Other methods of the path are answered with those that it has. */
  add(path: string, methods: Readonly<Record<string, Route>>, guard?: RouteGuard): void {
    const honoPath = path.replace(/\{(\w+)\}/g, ':$1');
    const guarded =
      ({ handler, operation }: Route) =>
      (context: Context<Env>): Promise<Response> =>
        this.#respond(context, withGuard(handler, guard), { path, operation });

    for (const [method, route] of Object.entries(methods))
      this.app.on(method, honoPath, guarded(route));
    this.app.all(honoPath, guarded({ handler: otherMethods(methods), operation: null }));
  }

  async #respond(
    context: Context<Env>,
    handler: RouteHandler,
    route: RouteFacts,
  ): Promise<Response> {
    const { req } = context;
    const { incoming, outgoing } = context.env;
    const shares = new RequestShares(this.#shares, incoming, outgoing);
    const trace = this.#observer.begin({
      surface: 'rest',
      operation: route.operation,
      route: route.path,
      incoming: traceHeadersOf(req),
    });
    const headers: ResponseHeaders = { ...SECURITY_HEADERS, 'X-Request-Id': trace.requestId };

    const { reply, code } = await handler(headers, context, trace)
      .then((reply): Outcome => {
        assertMayBeSent(reply, req.method, shares);
        return { reply, code: null };
      })
      .catch((error: unknown) => this.#problem(error, req, headers, trace));

    if (trace.isObserved) endTrace(trace, code, factsOf(req, route, reply.status), reply.finished);
    try {
      return await toResponse(reply, headers, req.header('accept-encoding'));
    } finally {
      void shares.end(reply.finished);
    }
  }

  async #problem(
    error: unknown,
    req: HonoRequest,
    headers: ResponseHeaders,
    trace: CallTrace,
  ): Promise<Outcome> {
    if (error instanceof CancelledError) return { reply: CLIENT_GONE, code: 'cancelled' };

    const problem = await toClientError(error, this.#report, trace.requestId);
    const { code, status, retryAfterS, earlierCall } = problem;
    if (retryAfterS !== undefined) headers['Retry-After'] = String(retryAfterS);
    if (earlierCall !== undefined) Object.assign(headers, earlierCallHeaders(earlierCall));
    const write = req.header(ERROR_TEXTS_HEADER) === '1' ? problemWithTexts : problemText;
    return { reply: { status, type: PROBLEM_TYPE, content: write(problem) }, code };
  }

  #fail(context: Context<Env>, error: unknown): Promise<Response> {
    return this.#respond(context, () => Promise.reject(error), { path: null, operation: null });
  }
}

const withGuard =
  (handler: RouteHandler, guard: RouteGuard | undefined): RouteHandler =>
  async (headers, context, trace) => {
    guard?.(context.env.incoming, headers);
    return handler(headers, context, trace);
  };

function otherMethods(methods: Readonly<Record<string, Route>>): RouteHandler {
  const allowed = [...Object.keys(methods), 'OPTIONS'];
  if ('GET' in methods) allowed.push('HEAD');
  allowed.sort();

  return async (headers, { req }) => {
    headers.Allow = allowed.join(', ');
    if (req.method === 'OPTIONS') return NO_CONTENT;
    throw methodNotAllowedError(req.method, allowed);
  };
}

const factsOf = (req: HonoRequest, { path }: RouteFacts, status: number) => ({
  method: loggableMethod(req.method),
  path: loggablePath(path, req.param()),
  status,
});

/** The answer to a write is always sent, because the write was done. */
function assertMayBeSent({ content }: HttpReply, method: string, shares: RequestShares): void {
  if (content === null || content instanceof ReadableStream) return;
  if (content.length <= SMALL_ANSWER_BYTES || shares.holdAnswer(content.length)) return;
  if (method === 'GET' || method === 'HEAD') throw answersUnreadError();
}

/** A reply that is a stream ends with it. */
function endTrace(
  trace: CallTrace,
  code: string | null,
  facts: ReturnType<typeof factsOf>,
  finished: Promise<void> | undefined,
): void {
  const end = (): void => trace.end(code, { facts });
  if (finished) void finished.then(end);
  else end();
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

/** A number or a UUID. */
const ID = /^(\d{1,16}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/**
 * The path with its ids. A parameter that is not an id could be any text, so its placeholder stays.
 */
const loggablePath = (
  path: string | null,
  parameters: Readonly<Record<string, string>>,
): string | null =>
  path?.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const parameter = parameters[name] ?? '';
    return ID.test(parameter) ? parameter : placeholder;
  }) ?? null;

/** Clients cache the reply, and ask each time whether it has changed. */
export function staticReply(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  extraHeaders: ResponseHeaders = {},
): RouteHandler {
  // The tag is weak because the compressed reply has other bytes.
  const tag = `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
  const text = typeof content === 'string' ? new StaticText(content) : null;

  return async (headers, { req }) => {
    Object.assign(headers, { 'Cache-Control': 'no-cache', ETag: tag }, extraHeaders);
    if (req.header('if-none-match') === tag) return { status: 304, type: null, content: null };
    const bytes = await text?.acceptedBytes(req.header('accept-encoding'), headers);
    return { status: 200, type, content: bytes ?? content };
  };
}

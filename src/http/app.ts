import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { observedStore } from '../observe/observed-store.ts';
import { type Observer, UNHEARD } from '../observe/observer.ts';
import type { Trail } from '../observe/trail.ts';
import type { AnyOperation, Endpoint } from '../operation/operation.ts';
import { type Report, told } from '../operation/told.ts';
import { AcequiaError, storeUnavailable } from '../schema/error.ts';
import { firstCompanies } from '../store/companies.ts';
import { type AdmissionOptions, admission } from './admission.ts';
import { type Headers, headersOf } from './headers.ts';
import { type McpAnswers, mcpOn } from './mcp.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { type Named, refusingStrangers } from './rebinding.ts';
import { noSuchPath, wrongMethod } from './refusals.ts';
import { incomingOf, methodTold, pathTold } from './request-facts.ts';
import { type Reply, type RestOptions, restOn } from './rest.ts';

export interface AppOptions extends RestOptions, AdmissionOptions {
  /** Logs what went wrong inside, and gives the reference that the client is told. */
  readonly report: Report;
  /** Follows every request. */
  readonly observer?: Observer;
  /** The OpenAPI document as JSON text. */
  readonly document: string;
  /** Adds the pages that need no key. */
  readonly pages?: (app: App) => void;
  /** MCP at /mcp, and by whom it may be asked. */
  readonly mcp?: { readonly answers: McpAnswers; readonly named: Named };
}

type Env = { Bindings: HttpBindings };
export type App = Hono<Env>;

/** What of a route may be told of: nothing that a client wrote. */
interface Known {
  /** As the route is declared, parameters in braces; null where none is matched. */
  readonly path: string | null;
  readonly operation: string | null;
}

/** The REST interface: every operation at its path under /v1, what tells about the process itself, and beside them MCP. */
export function createApp(options: AppOptions): App {
  const { store, operations, document, report, observer = UNHEARD } = options;
  const app: App = new Hono<Env>();
  const admit = admission(options);
  const rest = restOn(options, admit);

  type Answering = (headers: Headers, context: Context<Env>, trail: Trail) => Promise<Reply>;
  type Route = { readonly operation: string | null; readonly reply: Answering };
  type Guard = ReturnType<typeof refusingStrangers>;

  /** What a route answers with, or why it does not; `known` is what of it may be told. */
  const answer = (reply: Answering, known: Known) => async (context: Context<Env>) => {
    const { req } = context;
    const trail = observer.begin({ surface: 'rest', operation: known.operation, incoming: incomingOf(req) });
    const headers = headersOf(trail.requestId);
    let code: string | null = null;
    const refused = async (error: unknown): Promise<Reply> => {
      const problem = await told(error, report, trail.requestId);
      code = problem.code;
      return { status: problem.status, type: PROBLEM_TYPE, content: problemText(problem) };
    };
    const { status, type, content, ended } = await reply(headers, context, trail).catch(refused);
    if (trail.isHeard) {
      const tell = (): void =>
        trail.end(code, { facts: { method: methodTold(req.method), path: pathTold(known.path, req.param()), status } });
      if (ended) void ended.then(tell);
      else tell();
    }
    describe(type, content, headers);
    return new Response(content, { status, headers });
  };

  /** The methods of a path: any other is told which there are. */
  function routes(path: string, methods: Readonly<Record<string, Route>>, guard?: Guard): void {
    const at = routeOf(path);
    const behindGuard = (reply: Answering): Answering =>
      guard
        ? async (headers, context, trail) => {
            guard(context.env.incoming, headers);
            return reply(headers, context, trail);
          }
        : reply;
    const guarded = (reply: Answering, operation: string | null) => answer(behindGuard(reply), { path, operation });
    for (const [method, { operation, reply }] of Object.entries(methods)) app.on(method, at, guarded(reply, operation));
    const allowed = [...Object.keys(methods), ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].sort();
    const otherwise: Answering = async (headers, { req }) => {
      headers.Allow = allowed.join(', ');
      if (req.method === 'OPTIONS') return { status: 204, type: null, content: null };
      throw wrongMethod(req.method, allowed);
    };
    app.all(at, guarded(otherwise, null));
  }

  for (const [path, described] of byPath(operations.values()))
    routes(
      `/v1${path}`,
      Object.fromEntries(
        described.map((each): [string, Route] => [
          each.endpoint.method,
          {
            operation: each.name,
            reply: (headers, { req, env }, trail) =>
              rest(each, { incoming: env.incoming, path: req.param(), trail }, headers),
          },
        ]),
      ),
    );
  const own = (path: string, reply: Answering): void => routes(path, { GET: { operation: null, reply } });
  own('/health', async () => json({ status: 'ok' }));
  own('/ready', async (_, __, trail) => {
    await observedStore(store, trail)
      .readAll(firstCompanies)
      .catch(async (error) => {
        // One of ours was logged where it was found.
        if (error instanceof AcequiaError) throw error;
        const reference = await report(error, trail.requestId);
        throw storeUnavailable(
          `The store does not answer (reference ${reference}).`,
          'Look the reference up in the log.',
        );
      });
    return json({ status: 'ready' });
  });
  own('/v1/openapi.json', kept(document));
  if (options.mcp) {
    const { answers, named } = options.mcp;
    const mcp = mcpOn(options, admit, answers);
    const reply: Answering = (headers, { req, env }, trail) =>
      mcp(
        { incoming: env.incoming, follow: { ...incomingOf(req), requestId: trail.requestId }, signal: req.raw.signal },
        headers,
      );
    routes('/mcp', { POST: { operation: null, reply } }, refusingStrangers(named));
  }
  options.pages?.(app);
  const nowhere: Known = { path: null, operation: null };
  app.notFound(
    answer(async (_, { req }) => {
      throw noSuchPath(req.path);
    }, nowhere),
  );
  app.onError((error, context) =>
    answer(async () => {
      throw error;
    }, nowhere)(context),
  );
  return app;
}

const json = (body: unknown): Reply => ({ status: 200, type: 'application/json', content: JSON.stringify(body) });

/** Tells in `headers` what an answer holds, which HEAD is told as well. */
function describe(type: Reply['type'], content: Reply['content'], headers: Headers): void {
  if (type !== null) headers['Content-Type'] = type;
  if (content !== null && !(content instanceof ReadableStream))
    headers['Content-Length'] = String(Buffer.byteLength(content));
}

/** A text that changes with the program alone: a client that has it is told so. */
function kept(text: string) {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return async (headers: Headers, { req }: Context<Env>): Promise<Reply> => {
    headers['Cache-Control'] = 'no-cache';
    headers.ETag = tag;
    if (req.header('if-none-match') === tag) return { status: 304, type: null, content: null };
    return { status: 200, type: 'application/json', content: text };
  };
}

/** The operations by the path they share. */
function byPath(operations: Iterable<AnyOperation>): Map<string, AnyOperation[]> {
  const paths = new Map<string, AnyOperation[]>();
  for (const each of operations) paths.set(each.endpoint.path, [...(paths.get(each.endpoint.path) ?? []), each]);
  return paths;
}

const routeOf = (path: Endpoint['path']): string => path.replace(/\{(\w+)\}/g, ':$1');

import { createHash, randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { AnyOperation, Endpoint } from '../operation/operation.ts';
import { type Report, told } from '../operation/told.ts';
import { storeUnavailable } from '../schema/error.ts';
import { firstCompanies } from '../store/companies.ts';
import { type AdmissionOptions, admission } from './admission.ts';
import { GUARDS, type Headers } from './headers.ts';
import { type McpAnswers, mcpOn } from './mcp.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { type Named, refusingStrangers } from './rebinding.ts';
import { noSuchPath, wrongMethod } from './refusals.ts';
import { type Reply, type RestOptions, restOn } from './rest.ts';

export interface AppOptions extends RestOptions, AdmissionOptions {
  /** Logs what went wrong inside, and gives the reference that the client is told. */
  readonly report: Report;
  /** Hears of every answer. */
  readonly onAnswer?: (answer: Answered) => void;
  /** The OpenAPI document as JSON text. */
  readonly document: string;
  /** Adds the pages that need no key. */
  readonly pages?: (app: App) => void;
  /** MCP at /mcp, and by whom it may be asked. */
  readonly mcp?: { readonly answers: McpAnswers; readonly named: Named };
}

export interface Answered {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** How long the answer took, in ms. */
  readonly ms: number;
}

type Env = { Bindings: HttpBindings };
export type App = Hono<Env>;

/** The REST interface: every operation at its path under /v1, what tells about the process itself, and beside them MCP. */
export function createApp(options: AppOptions): App {
  const { store, operations, document, report, onAnswer } = options;
  const app: App = new Hono<Env>();
  const admit = admission(options);
  const rest = restOn(options, admit);

  type Answering = (headers: Headers, context: Context<Env>) => Promise<Reply>;
  type Guard = ReturnType<typeof refusingStrangers>;

  /** What a route answers with, or why it does not. */
  const answer = (reply: Answering) => async (context: Context<Env>) => {
    const requestId = randomUUID();
    const begun = performance.now();
    const headers: Headers = {};
    const { status, type, content, ended } = await reply(headers, context).catch(async (error) => problemReply(error));
    const { method, path } = context.req;
    const tell = (): void => onAnswer?.({ requestId, method, path, status, ms: performance.now() - begun });
    if (ended) void ended.then(tell);
    else tell();
    return new Response(content, {
      status,
      headers: { ...GUARDS, 'X-Request-Id': requestId, ...describing(type, content), ...headers },
    });
  };

  async function problemReply(error: unknown): Promise<Reply> {
    const problem = await told(error, report);
    return { status: problem.status, type: PROBLEM_TYPE, content: problemText(problem) };
  }

  /** The methods of a path: any other is told which there are. */
  function routes(path: string, methods: Readonly<Record<string, Answering>>, guard?: Guard): void {
    const guarded = (reply: Answering) =>
      answer(async (headers, context) => {
        guard?.(context.env.incoming, headers);
        return reply(headers, context);
      });
    for (const [method, reply] of Object.entries(methods)) app.on(method, path, guarded(reply));
    const allowed = [...Object.keys(methods), ...('GET' in methods ? ['HEAD'] : []), 'OPTIONS'].sort();
    app.all(
      path,
      guarded(async (headers, { req }) => {
        headers.Allow = allowed.join(', ');
        if (req.method === 'OPTIONS') return { status: 204, type: null, content: null };
        throw wrongMethod(req.method, allowed);
      }),
    );
  }

  for (const [path, described] of byPath(operations.values()))
    routes(
      routeOf(path),
      Object.fromEntries(
        described.map((each): [string, Answering] => [
          each.endpoint.method,
          (headers, { req, env }) => rest(each, { incoming: env.incoming, path: req.param() }, headers),
        ]),
      ),
    );
  routes('/health', { GET: async () => json({ status: 'ok' }) });
  routes('/ready', {
    async GET() {
      await store.readAll(firstCompanies).catch(async (error) => {
        const reference = await report(error);
        throw storeUnavailable(
          `The store does not answer (reference ${reference}).`,
          'Look the reference up in the log.',
        );
      });
      return json({ status: 'ready' });
    },
  });
  routes('/v1/openapi.json', { GET: kept(document) });
  if (options.mcp) {
    const { answers, named } = options.mcp;
    const mcp = mcpOn(options, admit, answers);
    const post: Answering = (headers, { req, env }) => mcp({ incoming: env.incoming, signal: req.raw.signal }, headers);
    routes('/mcp', { POST: post }, refusingStrangers(named));
  }
  options.pages?.(app);
  app.notFound(
    answer(async (_, { req }) => {
      throw noSuchPath(req.path);
    }),
  );
  app.onError((error, context) =>
    answer(async () => {
      throw error;
    })(context),
  );
  return app;
}

const json = (body: unknown): Reply => ({ status: 200, type: 'application/json', content: JSON.stringify(body) });

/** What an answer holds, which HEAD is told as well. */
const describing = (type: Reply['type'], content: Reply['content']): Headers => ({
  ...(type !== null && { 'Content-Type': type }),
  ...(content !== null &&
    !(content instanceof ReadableStream) && { 'Content-Length': String(Buffer.byteLength(content)) }),
});

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

const routeOf = (path: Endpoint['path']): string => `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;

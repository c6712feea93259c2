import { readFile } from 'node:fs/promises';
import {
  type ProtocolEra,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MINUTE_MS } from '../domain/periods.ts';
import { quote } from '../domain/strings.ts';
import type { ToolFilter } from '../operation/tool-filter.ts';
import { isPageUri, readPage, rendersApps } from './apps.ts';
import {
  type Catalog,
  fillPrompt,
  filterCatalog,
  listResults,
  remoteCatalog,
  restrictCatalog,
  subscribableUri,
} from './catalog.ts';
import { acceptSubscriptions, type Subscriptions } from './listening/subscriptions.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import { ProtocolError, ProtocolErrorCode, RAW_ARGUMENTS } from './protocol.ts';
import { personAsker } from './questions/elicitation.ts';
import {
  callContext,
  callRound,
  envelopeCapabilities,
  progressReporterFor,
} from './request-context.ts';
import type { RequestHandlers } from './request-handlers.ts';
import { isSkillUri, SKILLS_EXTENSION, serveSkills } from './skills.ts';

export interface McpServerOptions {
  /**
   * `legacy` for the revisions that begin with initialize, `modern` for those whose every request
   * says who the client is and what it can do.
   */
  readonly era: ProtocolEra;
  readonly isRemote: boolean;
  /** True if the key of the caller may not allow all operations. */
  readonly isRestricted: boolean;
  readonly toolFilter: ToolFilter;
  /** True for a connection over stdio; over HTTP a server answers one request. */
  readonly isLongLived: boolean;
  readonly inputEnded: AbortSignal;
  /**
   * The capabilities that the client of a stateless session has declared. Default: those that it
   * declares now.
   */
  readonly session?: { readonly rendersApps: boolean; readonly hasForms: boolean };
  /** Subscriptions of the connection; null over HTTP. */
  readonly subscriptions: Subscriptions | null;
}

/** In ms. Lists change only with the version, the options and the scopes of the key. */
const LIST_CACHE_MS = 5 * MINUTE_MS;

const cachedList = { ttlMs: LIST_CACHE_MS, cacheScope: 'private' } as const;

const CACHE_HINTS = {
  'server/discover': cachedList,
  'tools/list': cachedList,
  'prompts/list': cachedList,
  'resources/list': cachedList,
  'resources/templates/list': cachedList,
};

/** `handlers` are loaded at the first call, or at the first list that depends on the key. */
export function createMcpServer(
  catalog: Catalog,
  handlers: () => Promise<RequestHandlers>,
  options: McpServerOptions,
): Server {
  return new CatalogServer(catalog, handlers, options).server;
}

class CatalogServer {
  readonly server: Server;
  readonly #catalog: Catalog;
  /** Without what the tool filter or a remote service excludes. */
  readonly #visibleCatalog: Catalog;
  readonly #handlers: () => Promise<RequestHandlers>;
  readonly #options: McpServerOptions;
  readonly #identity: { readonly name: string; readonly title: string; readonly version: string };

  constructor(
    catalog: Catalog,
    handlers: () => Promise<RequestHandlers>,
    options: McpServerOptions,
  ) {
    const filtered = filterCatalog(catalog, options.toolFilter);
    this.#catalog = catalog;
    this.#visibleCatalog = options.isRemote ? remoteCatalog(filtered) : filtered;
    this.#handlers = handlers;
    this.#options = options;
    this.#identity = { name: 'acequia', title: 'Acequia', version: catalog.version };
    this.server = this.#newServer();

    this.#serveLists();
    this.#serveCalls();
    this.#serveResources();
    this.#serveSubscriptions();
  }

  #newServer(): Server {
    const { era, isLongLived } = this.#options;
    // Over HTTP, clients of the earlier era may set a log level, although this server sends no logs.
    const acceptsLogLevel = era === 'legacy' && !isLongLived;
    return new Server(
      { ...this.#identity, icons: [...this.#catalog.icons] },
      {
        instructions: this.#visibleCatalog.instructions,
        cacheHints: CACHE_HINTS,
        capabilities: {
          tools: {},
          resources: this.#canSubscribe() ? { subscribe: true } : {},
          prompts: {},
          completions: {},
          extensions: { [SKILLS_EXTENSION]: {} },
          logging: acceptsLogLevel ? {} : undefined,
        },
      },
    );
  }

  /** Over HTTP only the newer era can subscribe, on a separate stream. */
  #canSubscribe(): boolean {
    const { era, isLongLived, subscriptions } = this.#options;
    if (isLongLived) return subscriptions !== null;
    return era === 'modern' && subscribableUri(this.#visibleCatalog) !== null;
  }

  async #allowedCatalog(): Promise<Catalog> {
    if (!this.#options.isRestricted) return this.#visibleCatalog;
    const { allowedOperations } = await this.#handlers();
    return restrictCatalog(this.#visibleCatalog, await allowedOperations());
  }

  async #listsFor({ mcpReq }: ServerContext) {
    const capabilities =
      this.#options.era === 'modern'
        ? envelopeCapabilities(mcpReq.envelope)
        : this.server.getClientCapabilities();
    return listResults(await this.#allowedCatalog(), {
      rendersApps: this.#options.session?.rendersApps === true || rendersApps(capabilities),
    });
  }

  #serveLists(): void {
    const { server } = this;
    const lists = (request: ListRequest, context: ServerContext) => {
      assertFirstPage(request);
      return this.#listsFor(context);
    };
    server.setRequestHandler('tools/list', async (...call) => (await lists(...call)).tools);
    server.setRequestHandler('prompts/list', async (...call) => (await lists(...call)).prompts);
    server.setRequestHandler('resources/list', async (...call) => (await lists(...call)).resources);
    server.setRequestHandler(
      'resources/templates/list',
      async (...call) => (await lists(...call)).resourceTemplates,
    );
    server.setRequestHandler('prompts/get', async ({ params }) => {
      const { prompts } = await this.#allowedCatalog();
      const prompt = prompts.find(({ name }) => name === params.name);
      if (!prompt) throw unknownNameError('prompt', params.name);
      return fillPrompt(prompt, params.arguments ?? {});
    });
    server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
      this.#assertKnownReference(ref);
      return (await this.#handlers()).complete(argument.name, argument.value);
    });
  }

  /**
   * The whole catalog counts, whatever the key allows: what completes an argument is read with the
   * scopes of the key anyway.
   */
  #assertKnownReference(ref: CompletionReference): void {
    const { prompts, resources, resourceTemplates } = listResults(this.#catalog, {
      rendersApps: true,
    });
    if (ref.type === 'ref/prompt') {
      if (!prompts.prompts.some(({ name }) => name === ref.name))
        throw unknownNameError('prompt', ref.name);
      return;
    }

    const uris = [
      ...resources.resources.map(({ uri }) => uri),
      ...resourceTemplates.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ];
    if (!uris.includes(ref.uri)) throw unknownNameError('resource', ref.uri);
  }

  #serveCalls(): void {
    this.server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      if (!Object.hasOwn(this.#catalog.operations, params.name))
        throw unknownNameError('tool', params.name);

      const args = mcpReq._meta?.[RAW_ARGUMENTS] ?? params.arguments;
      const progress = progressReporterFor(mcpReq);
      try {
        return this.#options.era === 'legacy'
          ? await this.#callEarlier(params.name, args, mcpReq, progress)
          : await this.#callInRounds(params.name, args, mcpReq, progress);
      } finally {
        progress?.end();
      }
    });
  }

  /** A person is asked while the call waits. */
  async #callEarlier(
    name: string,
    args: unknown,
    mcpReq: ServerContext['mcpReq'],
    progress: ProgressReporter | undefined,
  ) {
    const { callTool } = await this.#handlers();
    const { session, inputEnded } = this.#options;
    const askPerson = personAsker(this.server, {
      signals: [mcpReq.signal, inputEnded],
      receivesProgress: progress !== undefined,
    });
    return callTool(name, args, {
      ...callContext(mcpReq, progress),
      askPerson,
      mustBeConfirmed: session?.hasForms ?? false,
    });
  }

  /** A question to a person ends the call, which the client sends again with the reply. */
  async #callInRounds(
    name: string,
    args: unknown,
    mcpReq: ServerContext['mcpReq'],
    progress: ProgressReporter | undefined,
  ) {
    const { callToolInRounds } = await this.#handlers();
    const context = callContext(mcpReq, progress);
    const result = await callToolInRounds(name, args, callRound(mcpReq), context);
    // The SDK adds the identity to every result of the newer era. Some clients show the whole
    // result of a call to the model.
    return { ...result, _meta: { ...result._meta, [SERVER_INFO_META_KEY]: this.#identity } };
  }

  #serveResources(): void {
    const skills = serveSkills(this.server, {
      // The SDK adds hints to the answers of its own methods alone, and only in the newer era.
      cacheHint: this.#options.era === 'modern' ? cachedList : undefined,
      allowedSkills: async () => (await this.#allowedCatalog()).skills,
    });

    this.server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
      if (isSkillUri(uri)) return skills.read(uri);
      if (isPageUri(uri)) return readPage(uri, this.#catalog.pageHash);

      const resource = this.#visibleCatalog.resources.find((each) => each.uri === uri);
      if (resource?.file === undefined)
        return (await this.#handlers()).readResource(uri, mcpReq.signal);

      const text = await readFile(new URL(`./${resource.file}`, import.meta.url), 'utf8');
      return { contents: [{ uri, mimeType: resource.mimeType, text }] };
    });
  }

  #serveSubscriptions(): void {
    const { era, subscriptions } = this.#options;
    if (!subscriptions) return;

    subscriptions.onChange = () =>
      void this.server.sendResourceUpdated({ uri: subscriptions.uri }).catch(() => undefined);
    if (era === 'legacy') acceptSubscriptions(this.server, subscriptions);
  }
}

const unknownNameError = (kind: 'prompt' | 'resource' | 'tool', name: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    name === '' ? `The ${kind} is missing` : `There is no ${kind} ${quote(name)}`,
  );

type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

interface ListRequest {
  readonly params?: { readonly cursor?: string | undefined } | undefined;
}

/** No list has a second page, so no cursor was ever given out. */
function assertFirstPage({ params }: ListRequest): void {
  const cursor = params?.cursor;
  if (cursor !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `No list has the cursor ${quote(cursor)}. Ask again without one`,
    );
}

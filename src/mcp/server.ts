import { readFile } from 'node:fs/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ProtocolEra,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MINUTE_MS } from '../domain/periods.ts';
import { quote } from '../domain/text.ts';
import type { IncomingCorrelation } from '../observe/observer.ts';
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
import type { Subscriptions } from './listening/subscriptions.ts';
import { type ProgressReporter, startProgressReporter } from './progress.ts';
import { isRecord, ProtocolError, ProtocolErrorCode, RAW_ARGUMENTS } from './protocol.ts';
import type { CallRound } from './questions/call-rounds.ts';
import { personAsker } from './questions/elicitation.ts';
import type { RequestHandlers } from './request-handlers.ts';
import { isSkillUri, SKILLS_EXTENSION, serveSkills } from './skills.ts';

export interface McpServerOptions {
  /**
   * `legacy` for the revisions that begin with initialize, `modern` for those that carry all in
   * each request.
   */
  readonly era: ProtocolEra;
  readonly isRemote: boolean;
  readonly isRestricted: boolean;
  readonly toolFilter: ToolFilter;
  readonly isLongLived: boolean;
  readonly inputEnded: AbortSignal;
  /** Known from the session; otherwise the capabilities of the client decide. */
  readonly rendersApps?: boolean;
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
  {
    era,
    isRemote,
    isRestricted,
    toolFilter,
    isLongLived,
    inputEnded,
    rendersApps: isAppSession = false,
    subscriptions,
  }: McpServerOptions,
): Server {
  const filtered = filterCatalog(catalog, toolFilter);
  const visibleCatalog = isRemote ? remoteCatalog(filtered) : filtered;
  // Over HTTP only the newer era can subscribe, on a separate stream.
  const canSubscribe = isLongLived
    ? subscriptions !== null
    : era === 'modern' && subscribableUri(visibleCatalog) !== null;
  const identity = { name: 'acequia', title: 'Acequia', version: catalog.version };
  const server: Server = new Server(
    { ...identity, icons: [...catalog.icons] },
    {
      instructions: visibleCatalog.instructions,
      cacheHints: CACHE_HINTS,
      capabilities: {
        tools: {},
        resources: canSubscribe ? { subscribe: true } : {},
        prompts: {},
        completions: {},
        extensions: { [SKILLS_EXTENSION]: {} },
        // Clients may set a log level; this server sends no logs.
        ...(era === 'legacy' && !isLongLived && { logging: {} }),
      },
    },
  );

  const allowedCatalog = async () =>
    isRestricted
      ? restrictCatalog(visibleCatalog, await (await handlers()).allowedOperations())
      : visibleCatalog;

  const capabilitiesOf = ({ envelope }: ServerContext['mcpReq']): unknown =>
    era === 'modern' ? envelopeCapabilities(envelope) : server.getClientCapabilities();
  const listsFor = async ({ mcpReq }: ServerContext) =>
    listResults(await allowedCatalog(), {
      rendersApps: isAppSession || rendersApps(capabilitiesOf(mcpReq)),
    });

  const skills = serveSkills(server, {
    // The SDK adds it to the answers of its own methods, and only in the newer era.
    cacheHint: era === 'modern' ? cachedList : undefined,
    allowedSkills: async () => (await allowedCatalog()).skills,
  });

  server.setRequestHandler('tools/list', async (_, context) => (await listsFor(context)).tools);
  server.setRequestHandler('prompts/list', async (_, context) => (await listsFor(context)).prompts);
  server.setRequestHandler(
    'resources/list',
    async (_, context) => (await listsFor(context)).resources,
  );
  server.setRequestHandler(
    'resources/templates/list',
    async (_, context) => (await listsFor(context)).resourceTemplates,
  );
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = (await allowedCatalog()).prompts.find((each) => each.name === params.name);
    if (!prompt)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no prompt ${quote(params.name)}`,
      );
    return fillPrompt(prompt, params.arguments ?? {});
  });
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (!Object.hasOwn(catalog.kinds, params.name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${quote(params.name)}`,
      );

    const args = mcpReq._meta?.[RAW_ARGUMENTS] ?? params.arguments;
    const { signal } = mcpReq;
    const progress = progressReporterFor(mcpReq);
    const context = {
      signal,
      onStep: progress?.onProgress,
      incoming: incomingCorrelation(mcpReq._meta),
    };
    try {
      const { callTool, callToolInRounds } = await handlers();
      if (era === 'legacy') {
        const receivesProgress = progress !== undefined;
        const askPerson = personAsker(server, { signals: [signal, inputEnded], receivesProgress });
        return await callTool(params.name, args, { ...context, askPerson });
      }
      const result = await callToolInRounds(params.name, args, callRound(mcpReq), context);
      // The SDK adds the identity to every result of the newer era. Some clients show the whole
      // result of a call to the model.
      return { ...result, _meta: { ...result._meta, [SERVER_INFO_META_KEY]: identity } };
    } finally {
      progress?.end();
    }
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (isSkillUri(uri)) return skills.read(uri);
    if (isPageUri(uri)) return readPage(uri, catalog.pageHash);
    const { file, mimeType } = visibleCatalog.resources.find((each) => each.uri === uri) ?? {};
    if (file === undefined) return (await handlers()).readResource(uri);
    return {
      contents: [
        { uri, mimeType, text: await readFile(new URL(`./${file}`, import.meta.url), 'utf8') },
      ],
    };
  });

  if (subscriptions) {
    subscriptions.onChange = () =>
      void server.sendResourceUpdated({ uri: subscriptions.uri }).catch(() => undefined);
    if (era === 'legacy') acceptSubscriptions(server, subscriptions);
  }

  server.setRequestHandler('completion/complete', async ({ params }) =>
    (await handlers()).complete(params.argument.name, params.argument.value),
  );

  return server;
}

function incomingCorrelation(
  meta: Readonly<Record<string, unknown>> | undefined,
): IncomingCorrelation | undefined {
  const traceparent = meta?.traceparent;
  return typeof traceparent === 'string' ? { traceparent } : undefined;
}

function progressReporterFor({
  _meta,
  notify,
}: ServerContext['mcpReq']): ProgressReporter | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return startProgressReporter(
    (update) =>
      void notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(
        () => undefined,
      ),
  );
}

function acceptSubscriptions(server: Server, subscriptions: Subscriptions): void {
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}

const envelopeCapabilities = (envelope: ServerContext['mcpReq']['envelope']): unknown =>
  new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);

/** An empty object declares forms, as it did before there were other kinds. */
function callRound({
  envelope,
  requestState,
  inputResponses = {},
}: ServerContext['mcpReq']): CallRound {
  const capabilities = envelopeCapabilities(envelope);
  const elicitation = isRecord(capabilities) ? capabilities.elicitation : undefined;
  const hasForms =
    isRecord(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
  return { hasForms, requestState: requestState<string>(), inputResponses };
}

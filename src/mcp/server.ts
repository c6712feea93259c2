import { readFile } from 'node:fs/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { quote } from '../language/text.ts';
import type { IncomingCorrelation } from '../observe/observer.ts';
import type { ToolFilter } from '../operation/tool-filter.ts';
import { type Catalog, fillPrompt, filterCatalog, listResults, remoteCatalog, restrictCatalog } from './catalog.ts';
import { personAsker } from './elicitation.ts';
import { type ProgressReporter, startProgressReporter } from './progress.ts';
import { RAW_ARGUMENTS } from './raw-arguments.ts';
import type { RequestHandlers } from './request-handlers.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

type CallExtra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

export interface McpServerOptions {
  readonly isRemote: boolean;
  readonly isRestricted: boolean;
  readonly toolFilter: ToolFilter;
  readonly isLongLived: boolean;
  readonly inputEnded: AbortSignal;
  /** False before the first call: a subscription alone does not create a store. */
  readonly hasStore: () => boolean;
}

/** `handlers` are loaded at the first call, or at the first list that depends on the key. */
export function createMcpServer(
  catalog: Catalog,
  handlers: () => Promise<RequestHandlers>,
  { isRemote, isRestricted, toolFilter, isLongLived, inputEnded, hasStore }: McpServerOptions,
): Server {
  const filtered = filterCatalog(catalog, toolFilter);
  const visibleCatalog = isRemote ? remoteCatalog(filtered) : filtered;
  const subscribableUri = visibleCatalog.resources.find(({ isSubscribable }) => isSubscribable)?.uri;
  const subscriptions: Subscriptions | null =
    isLongLived && !isRemote && subscribableUri !== undefined
      ? createSubscriptions({
          uri: subscribableUri,
          fingerprint: async () => (hasStore() ? (await handlers()).firingFingerprint() : ''),
          notifyChanged: () => server.sendResourceUpdated({ uri: subscribableUri }),
        })
      : null;
  const server: Server = new Server(
    { name: 'acequia', title: 'Acequia', version: catalog.version },
    {
      instructions: visibleCatalog.instructions,
      capabilities: {
        tools: {},
        resources: subscriptions ? { subscribe: true } : {},
        prompts: {},
        completions: {},
        // Clients may set a log level; this server sends no logs.
        ...(!isLongLived && { logging: {} }),
      },
    },
  );
  const lists = async () =>
    listResults(
      isRestricted ? restrictCatalog(visibleCatalog, await (await handlers()).allowedOperations()) : visibleCatalog,
    );
  server.onclose = () => subscriptions?.end();
  server.setRequestHandler(ListToolsRequestSchema, async () => (await lists()).tools);
  server.setRequestHandler(ListPromptsRequestSchema, async () => (await lists()).prompts);
  server.setRequestHandler(ListResourcesRequestSchema, async () => (await lists()).resources);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => (await lists()).resourceTemplates);
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = visibleCatalog.prompts.find((each) => each.name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${quote(params.name)}`);
    return fillPrompt(prompt, params.arguments ?? {});
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (!catalog.tools.some((tool) => tool.name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${quote(params.name)}`);
    const sent = params._meta?.[RAW_ARGUMENTS] ?? params.arguments;
    const { signal } = extra;
    const progress = progressReporterFor(extra);
    const askPerson = personAsker(server, { signals: [signal, inputEnded], receivesProgress: progress !== undefined });
    try {
      return await (await handlers()).callTool(params.name, sent, {
        signal,
        onStep: progress?.onStep,
        askPerson,
        incoming: incomingCorrelation(params._meta),
      });
    } finally {
      progress?.end();
      subscriptions?.checkNow();
    }
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const { file, mimeType } = visibleCatalog.resources.find((each) => each.uri === uri) ?? {};
    if (file === undefined) return (await handlers()).readResource(uri);
    return { contents: [{ uri, mimeType, text: await readFile(new URL(`./${file}`, import.meta.url), 'utf8') }] };
  });
  if (subscriptions) acceptSubscriptions(server, subscriptions);
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) =>
    (await handlers()).complete(params.argument.name, params.argument.value),
  );
  return server;
}

function incomingCorrelation(meta: Readonly<Record<string, unknown>> | undefined): IncomingCorrelation | undefined {
  const traceparent = meta?.traceparent;
  return typeof traceparent === 'string' ? { traceparent } : undefined;
}

function progressReporterFor({ _meta, sendNotification }: CallExtra): ProgressReporter | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return startProgressReporter(
    (update) =>
      void sendNotification({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(
        () => undefined,
      ),
  );
}

function acceptSubscriptions(server: Server, subscriptions: Subscriptions): void {
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    await subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}

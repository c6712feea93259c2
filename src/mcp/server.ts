import { Server } from '@modelcontextprotocol/sdk/server/index.js';
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
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Answers } from './answers.ts';
import type { Catalog } from './catalog.ts';
import { listable, narrowed, ofRemote } from './listing.ts';
import { fillPrompt } from './prompts.ts';
import { FIRING_ALERTS } from './readables.ts';
import { SENT_ARGUMENTS } from './stdio.ts';
import { subscriptionsTo } from './subscriptions.ts';

/** What makes the list of tools another than the catalog's. */
export interface Surface {
  /** A remote service answers. */
  readonly isRemote: boolean;
  /** Who asks may not be offered everything. */
  readonly isNarrowed: boolean;
  /** Whether there is a store to look after: a subscription makes none. */
  readonly hasStore: () => boolean;
}

/**
 * The MCP server: it lists from the catalog, and what takes the operations or the store goes to `answers`, which is
 * loaded at the first call, or at the first list where that is narrowed.
 */
export function createServer(
  catalog: Catalog,
  answers: () => Promise<Answers>,
  { isRemote, isNarrowed, hasStore }: Surface,
): Server {
  const server = new Server(
    { name: 'acequia', title: 'Acequia', version: catalog.version },
    {
      instructions: catalog.instructions,
      // A remote service tells nothing by itself.
      capabilities: { tools: {}, resources: { subscribe: !isRemote }, prompts: {}, completions: {} },
    },
  );
  const everything = isRemote ? ofRemote(catalog) : catalog;
  const whole = listable(everything);
  const listed = async () => (isNarrowed ? listable(narrowed(everything, await (await answers()).offered())) : whole);
  const subscriptions = subscriptionsTo({
    uri: FIRING_ALERTS,
    fingerprint: async () => (hasStore() ? (await answers()).firing() : ''),
    changed: () => server.sendResourceUpdated({ uri: FIRING_ALERTS }),
  });
  server.onclose = subscriptions.end;
  server.setRequestHandler(ListToolsRequestSchema, async () => (await listed()).tools);
  server.setRequestHandler(ListPromptsRequestSchema, () => whole.prompts);
  server.setRequestHandler(ListResourcesRequestSchema, async () => (await listed()).resources);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => (await listed()).resourceTemplates);
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = catalog.prompts.find((each) => each.name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${JSON.stringify(params.name)}`);
    return fillPrompt(prompt, params.arguments ?? {});
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (!catalog.tools.some((tool) => tool.name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}`);
    const sent = params._meta?.[SENT_ARGUMENTS] ?? params.arguments;
    try {
      return await (await answers()).callTool(params.name, sent);
    } finally {
      subscriptions.look();
    }
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => (await answers()).readResource(params.uri));
  if (!isRemote) acceptSubscriptions(server, subscriptions);
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) =>
    (await answers()).complete(params.argument.name, params.argument.value),
  );
  return server;
}

function acceptSubscriptions(server: Server, subscriptions: ReturnType<typeof subscriptionsTo>): void {
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    await subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}

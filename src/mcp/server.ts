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
import type { Catalog, Readable } from './catalog.ts';
import { fillPrompt } from './prompts.ts';
import { FIRING_ALERTS } from './readables.ts';
import { SENT_ARGUMENTS } from './stdio.ts';
import { subscriptionsTo } from './subscriptions.ts';

/** A resource or template without how it is read. */
const listedReadable = <T extends Readable>({ operation: _, arguments: __, only: ___, ...listed }: T) => listed;

/**
 * The MCP server: it lists from the catalog, and what takes the operations or the store goes to `answers`, which is
 * loaded at the first call. `hasStore` says whether there is a store to look after: a subscription makes none.
 */
export function createServer(catalog: Catalog, answers: () => Promise<Answers>, hasStore: () => boolean): Server {
  const server = new Server(
    { name: 'acequia', title: 'Acequia', version: catalog.version },
    {
      instructions: catalog.instructions,
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
    },
  );
  const listed = {
    tools: { tools: [...catalog.tools] },
    prompts: { prompts: catalog.prompts.map(({ text: _, ...prompt }) => prompt) },
    resources: { resources: catalog.resources.map(listedReadable) },
    resourceTemplates: { resourceTemplates: catalog.resourceTemplates.map(listedReadable) },
  };
  const subscriptions = subscriptionsTo({
    uri: FIRING_ALERTS,
    fingerprint: async () => (hasStore() ? (await answers()).firing() : ''),
    changed: () => server.sendResourceUpdated({ uri: FIRING_ALERTS }),
  });
  server.onclose = subscriptions.end;
  server.setRequestHandler(ListToolsRequestSchema, () => listed.tools);
  server.setRequestHandler(ListPromptsRequestSchema, () => listed.prompts);
  server.setRequestHandler(ListResourcesRequestSchema, () => listed.resources);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => listed.resourceTemplates);
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
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    await subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) =>
    (await answers()).complete(params.argument.name, params.argument.value),
  );
  return server;
}

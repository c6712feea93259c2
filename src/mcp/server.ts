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
} from '@modelcontextprotocol/sdk/types.js';
import type { Answers } from './answers.ts';
import type { Catalog } from './catalog.ts';
import { fillPrompt } from './prompts.ts';
import { SENT_ARGUMENTS } from './stdio.ts';

/**
 * The MCP server: it lists from the catalog, and what takes the operations or the store goes to `answers`, which is
 * loaded at the first call.
 */
export function createServer(catalog: Catalog, answers: () => Promise<Answers>): Server {
  const server = new Server(
    { name: 'acequia', title: 'Acequia', version: catalog.version },
    {
      instructions: catalog.instructions,
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    },
  );
  const listed = {
    tools: { tools: [...catalog.tools] },
    prompts: { prompts: catalog.prompts.map(({ text: _, ...prompt }) => prompt) },
    resources: { resources: catalog.resources.map(({ operation: _, arguments: __, ...resource }) => resource) },
    resourceTemplates: {
      resourceTemplates: catalog.resourceTemplates.map(({ operation: _, arguments: __, ...template }) => template),
    },
  };
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
    return (await answers()).callTool(params.name, sent);
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => (await answers()).readResource(params.uri));
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) =>
    (await answers()).complete(params.argument.name, params.argument.value),
  );
  return server;
}

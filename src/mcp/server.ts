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
import type { Incoming } from '../observe/request-id.ts';
import type { Reach } from '../operation/reach.ts';
import type { Answers } from './answers.ts';
import type { Catalog } from './catalog.ts';
import { askingThrough } from './elicitation.ts';
import { catalogWithin, listable, narrowed, ofRemote } from './listing.ts';
import { type Beat, startBeat } from './progress.ts';
import { fillPrompt } from './prompts.ts';
import { FIRING_ALERTS } from './readables.ts';
import { SENT_ARGUMENTS } from './sent-arguments.ts';
import { subscriptionsTo } from './subscriptions.ts';

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/** Who is served, how far, and for how long. */
export interface Surface {
  /** A remote service answers. */
  readonly isRemote: boolean;
  /** Who asks may not be offered everything. */
  readonly isNarrowed: boolean;
  readonly reach: Reach;
  /** The client stays connected after its answer, so that it can be told of changes. */
  readonly lasts: boolean;
  /** Aborted when the client sends nothing any more. */
  readonly inputEnded: AbortSignal;
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
  { isRemote, isNarrowed, reach, lasts, inputEnded, hasStore }: Surface,
): Server {
  const near = catalogWithin(catalog, reach);
  const everything = isRemote ? ofRemote(near) : near;
  // A remote service tells nothing by itself.
  const subscribe = lasts && !isRemote && everything.resources.some(({ uri }) => uri === FIRING_ALERTS);
  const server = new Server(
    { name: 'acequia', title: 'Acequia', version: catalog.version },
    {
      instructions: everything.instructions,
      capabilities: {
        tools: {},
        resources: subscribe ? { subscribe } : {},
        prompts: {},
        completions: {},
        // A client may always say how much it wants to be told: beside its answers that is nothing.
        ...(!lasts && { logging: {} }),
      },
    },
  );
  const listed = async () =>
    listable(isNarrowed ? narrowed(everything, await (await answers()).offered()) : everything);
  const subscriptions = subscriptionsTo({
    uri: FIRING_ALERTS,
    fingerprint: async () => (hasStore() ? (await answers()).firing() : ''),
    changed: () => server.sendResourceUpdated({ uri: FIRING_ALERTS }),
  });
  server.onclose = subscriptions.end;
  server.setRequestHandler(ListToolsRequestSchema, async () => (await listed()).tools);
  server.setRequestHandler(ListPromptsRequestSchema, async () => (await listed()).prompts);
  server.setRequestHandler(ListResourcesRequestSchema, async () => (await listed()).resources);
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => (await listed()).resourceTemplates);
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = everything.prompts.find((each) => each.name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${JSON.stringify(params.name)}`);
    return fillPrompt(prompt, params.arguments ?? {});
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (!catalog.tools.some((tool) => tool.name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}`);
    const sent = params._meta?.[SENT_ARGUMENTS] ?? params.arguments;
    const { signal } = extra;
    const beat = beatFor(extra);
    const ask = askingThrough(server, { signals: [signal, inputEnded], hearsProgress: beat !== undefined });
    try {
      return await (await answers()).callTool(params.name, sent, {
        signal,
        onStep: beat?.onStep,
        ask,
        incoming: incomingIn(params._meta),
      });
    } finally {
      beat?.end();
      subscriptions.look();
    }
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => (await answers()).readResource(params.uri));
  if (subscribe) acceptSubscriptions(server, subscriptions);
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) =>
    (await answers()).complete(params.argument.name, params.argument.value),
  );
  return server;
}

/** The trace that a client's call belongs to, where it says so. */
function incomingIn(meta: Readonly<Record<string, unknown>> | undefined): Incoming | undefined {
  const traceparent = meta?.traceparent;
  return typeof traceparent === 'string' ? { traceparent } : undefined;
}

/** What a call tells of its progress; undefined where the client asked for none. */
function beatFor({ _meta, sendNotification }: Extra): Beat | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return startBeat(
    (told) =>
      void sendNotification({ method: 'notifications/progress', params: { progressToken, ...told } }).catch(
        () => undefined,
      ),
  );
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

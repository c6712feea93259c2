import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { lazySchemaValidator } from '../demo/servers/mcp-client.ts';
import { environment, PROGRAM } from './program.ts';
import type { ToolCall } from './story.ts';

export interface ServerOptions {
  readonly db: string;
  readonly clock: string;
  readonly options?: readonly string[];
  readonly key?: string | undefined;
}

export interface ToolAnswer {
  /** What a client shows the model. */
  readonly text: string;
  readonly isError: boolean;
  /** True if the call changed something. */
  readonly isWrite: boolean;
  readonly body: unknown;
}

/** The part of a server that a stage uses. */
export interface ToolServer {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  describe(): Promise<{ readonly instructions: string; readonly tools: readonly Tool[] }>;
  close(): Promise<void>;
}

/**
 * The clock of a server moves on, so the server is restarted: a slow model must not see another
 * time.
 */
const RESTART_AFTER_MS = 20_000;

/**
 * Instructions and tools by the options and the key that they depend on; they are the same for
 * every story.
 */
const descriptions = new Map<string, ReturnType<ToolServer['describe']>>();

/** The built program on standard input and output. */
export class McpServer implements ToolServer {
  private started: { readonly client: Client; readonly at: number } | null = null;

  private readonly server: ServerOptions;

  constructor(server: ServerOptions) {
    this.server = server;
  }

  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const client = await this.client();
    try {
      const { content, structuredContent, isError } = (await client.callTool({
        name,
        arguments: args,
      })) as CallToolResult;
      const parts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));
      return {
        text: parts.join('\n'),
        isError: isError === true,
        isWrite: structuredContent?.changeId !== undefined,
        body: structuredContent,
      };
    } catch (error) {
      // A tool that does not exist, or arguments that are not an object.
      return { text: String(error), isError: true, isWrite: false, body: null };
    }
  }

  describe(): ReturnType<ToolServer['describe']> {
    const { options = [], key = '' } = this.server;
    const descriptionKey = [...options, key].join(' ');
    const description = descriptions.get(descriptionKey) ?? this.readDescription();
    descriptions.set(descriptionKey, description);
    return description;
  }

  private async readDescription(): ReturnType<ToolServer['describe']> {
    const client = await this.client();
    const { tools } = await client.listTools();
    return { instructions: client.getInstructions() ?? '', tools };
  }

  async close(): Promise<void> {
    await this.started?.client.close();
    this.started = null;
  }

  private async client(): Promise<Client> {
    if (this.started && Date.now() - this.started.at > RESTART_AFTER_MS) await this.close();
    if (this.started) return this.started.client;
    const { db, clock, options = [], key } = this.server;
    const client = new Client(
      { name: 'acequia-eval', version: '1' },
      { jsonSchemaValidator: lazySchemaValidator },
    );
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', '--db', db, '--clock', clock, ...options],
        env: { ...environment, ...(key !== undefined && { ACEQUIA_API_KEY: key }) },
        stderr: 'inherit',
      }),
    );
    this.started = { client, at: Date.now() };
    return client;
  }
}

/** Throws if a call is refused. */
export async function callAll(
  farm: { db: string; clock: string },
  calls: readonly ToolCall[],
): Promise<void> {
  const server = new McpServer(farm);
  try {
    for (const { name, args } of calls) {
      const { text, isError } = await server.call(name, args);
      if (isError) throw new Error(`The farm cannot be built: ${name} answers ${text}`);
    }
  } finally {
    await server.close();
  }
}

export async function listToolNames(
  db: string,
  options: readonly string[],
): Promise<ReadonlySet<string>> {
  const server = new McpServer({ db, clock: new Date().toISOString(), options });
  try {
    return new Set((await server.describe()).tools.map(({ name }) => name));
  } finally {
    await server.close();
  }
}

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll } from 'vitest';
import { lazySchemaValidator } from '../../demo/servers/mcp-client.ts';
import { runningClock } from '../../src/cli/process/settings.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { openStore } from '../../src/store/store.ts';
import { baseFarmForFile } from '../base-farm.ts';
import { afterFile, afterTest } from '../cleanup.ts';
import { type CallTool, remoteToolsOf, toolsOf } from '../mcp/local-tools.ts';
import { isDeepRun } from '../property-runs.ts';
import { BINARY, CLOCK } from './program.ts';

export { bodyOf, firstText, refusalOf } from '../tool-results.ts';

/**
 * Once the client has listed the tools, it checks every result against the output schema of its
 * tool.
 */
export const newMcpClient = (capabilities: ClientCapabilities = {}): Client =>
  new Client(
    { name: 'acceptance', version: '1' },
    { capabilities, jsonSchemaValidator: lazySchemaValidator },
  );

export interface McpSession {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  stderr(): string;
}

export const callerOf =
  (client: Client): McpSession['call'] =>
  async (name, args = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;

export interface StartOptions {
  /** Null for the real time. */
  readonly clock?: string | null;
  readonly lang?: Lang;
}

export const serverArguments = (db: string, { clock = CLOCK, lang }: StartOptions): string[] => [
  ...['--db', db],
  ...(clock === null ? [] : ['--clock', clock]),
  ...(lang === undefined ? [] : ['--lang', lang]),
];

interface ProcessOptions {
  readonly env?: Record<string, string>;
  readonly capabilities?: ClientCapabilities;
}

export async function connectServer(
  args: readonly string[],
  { env, capabilities }: ProcessOptions = {},
): Promise<McpSession> {
  const client = newMcpClient(capabilities);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  await client.connect(transport);
  return { client, call: callerOf(client), stderr: () => stderr };
}

async function connectForTest(
  args: readonly string[],
  options?: ProcessOptions,
): Promise<McpSession> {
  const session = await connectServer(args, options);
  afterTest(() => session.client.close());
  return session;
}

export const connectStdio = (
  db: string,
  { capabilities, ...options }: StartOptions & Pick<ProcessOptions, 'capabilities'> = {},
): Promise<McpSession> => connectForTest(serverArguments(db, options), { capabilities });

export const startStdioServer = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<McpSession> => connectForTest([...args, '--clock', CLOCK], { env });

/** One server for all tests of a file. */
export async function connectForFile(
  args: readonly string[],
  options?: ProcessOptions,
): Promise<McpSession> {
  const session = await connectServer(args, options);
  afterFile(() => session.client.close());
  return session;
}

interface ToolOptions extends Pick<StartOptions, 'lang'> {
  readonly clock?: string;
}

/**
 * For what the answers say, not how they arrive: the tools in this process, and in deep runs those
 * of the program.
 */
export const toolsForTest = (db: string, options?: ToolOptions): Promise<CallTool> =>
  openTools(db, afterTest, options);

export const toolsForFile = (db: string, options?: ToolOptions): Promise<CallTool> =>
  openTools(db, afterFile, options);

async function openTools(
  db: string,
  after: typeof afterTest,
  { clock = CLOCK, lang }: ToolOptions = {},
): Promise<CallTool> {
  if (isDeepRun) {
    const { client, call } = await connectServer(serverArguments(db, { clock, lang }));
    after(() => client.close());
    return call;
  }
  const store = await openStore({ db });
  after(() => store.close());
  return asSent(toolsOf(store, { lang, clock: runningClock(Date.parse(clock)) }));
}

interface RemoteToolOptions {
  readonly key: string;
  readonly clock?: string;
}

/** The same for the tools with the service at `base`, which ends in /v1. */
export const remoteToolsForTest = (base: string, options: RemoteToolOptions): Promise<CallTool> =>
  openRemoteTools(base, afterTest, options);

export const remoteToolsForFile = (base: string, options: RemoteToolOptions): Promise<CallTool> =>
  openRemoteTools(base, afterFile, options);

async function openRemoteTools(
  base: string,
  after: typeof afterTest,
  { key, clock = CLOCK }: RemoteToolOptions,
): Promise<CallTool> {
  if (isDeepRun) {
    const args = ['--remote', base, '--clock', clock];
    const { client, call } = await connectServer(args, { env: { ACEQUIA_API_KEY: key } });
    after(() => client.close());
    return call;
  }
  const tools = remoteToolsOf({ url: base, key, clock: runningClock(Date.parse(clock)) });
  after(tools.close);
  return asSent(tools.call);
}

/** Drops fields that are undefined, because JSON has none when arguments arrive at the program. */
const asSent =
  (call: CallTool): CallTool =>
  (name, args = {}) =>
    call(name, JSON.parse(JSON.stringify(args)));

interface SharedSessionOptions extends StartOptions, ProcessOptions {
  readonly store?: () => Promise<string>;
  readonly args?: readonly string[];
}

/** One server for all tests of a file or `describe` that do not depend on each other's writes. */
export function sharedSession({
  store = baseFarmForFile,
  ...options
}: SharedSessionOptions = {}): McpSession {
  let session: McpSession;
  beforeAll(async () => {
    const args = [...serverArguments(await store(), options), ...(options.args ?? [])];
    session = await connectForFile(args, options);
  });
  return {
    get client() {
      return session.client;
    },
    call: (name, args) => session.call(name, args),
    stderr: () => session.stderr(),
  };
}

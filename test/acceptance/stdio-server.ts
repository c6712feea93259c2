import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterTest } from '../cleanup.ts';
import { newMcpClient } from './mcp-client.ts';
import { BINARY, CLOCK, type McpSession } from './program.ts';
import { createTestKey } from './rest-service.ts';

export interface StdioServer extends McpSession {
  /** Everything on standard error so far. */
  stderr(): string;
}

/** A server with arguments and environment of its own, for one test. */
export async function startStdioServer(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<StdioServer> {
  const client = newMcpClient();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...args, '--clock', CLOCK],
    env: { ...getDefaultEnvironment(), ACEQUIA_LANG: 'en', ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  await client.connect(transport);
  afterTest(() => client.close());
  return {
    client,
    stderr: () => stderr,
    call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as CallToolResult,
  };
}

/** A new key of a store, and its id. */
export const newCompanyKey = (db: string, ...options: readonly string[]): Promise<{ id: number; key: string }> =>
  createTestKey(db, '--company', 'Mas Rouge', ...options);

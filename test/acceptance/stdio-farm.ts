import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll } from 'vitest';
import { importFarmFile } from '../imported-data.ts';
import type { StoreLocation } from '../stores/stores.ts';
import { newEmptyStore } from '../stores/template-stores.ts';
import { bodyOf, newMcpClient, refusalOf } from './mcp-session.ts';
import { BINARY, CLOCK, type Json } from './program.ts';

export interface StdioFarm {
  readonly db: string;
  readonly client: Client;
  body(tool: string, args?: Record<string, unknown>): Promise<Json>;
  summary(tool: string, args?: Record<string, unknown>): Promise<string>;
  refusal(tool: string, args?: Record<string, unknown>): Promise<ReturnType<typeof refusalOf>>;
  resource(uri: string): Promise<Json>;
}

export function stdioFarm(...farms: readonly object[]): StdioFarm {
  let place: StoreLocation;
  let client: Client;
  beforeAll(async () => {
    place = await newEmptyStore();
    const { db } = place;
    for (const farm of farms) await importFarmFile(db, farm);
    client = newMcpClient();
    const args = [BINARY, '--db', db, '--clock', CLOCK, '--lang', 'en'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    // From here on the client checks results against the output schemas.
    await client.listTools();
  });
  afterAll(async () => {
    await client?.close();
    await place.remove();
  });

  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return {
    get db() {
      return place.db;
    },
    get client() {
      return client;
    },
    body: async (tool, args) => {
      const { summary: _, ...body } = bodyOf(await call(tool, args));
      return body;
    },
    summary: async (tool, args) => bodyOf(await call(tool, args)).summary,
    refusal: async (tool, args) => refusalOf(await call(tool, args)),
    resource: async (uri) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse((content as { text: string }).text);
    },
  };
}

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { lazySchemaValidator } from '../../demo/servers/mcp-client.ts';

/** The SDK's own client. Once it has listed the tools, it holds every result against the schema that its tool lists. */
export const newMcpClient = (capabilities: ClientCapabilities = {}): Client =>
  new Client({ name: 'acceptance', version: '1' }, { capabilities, jsonSchemaValidator: lazySchemaValidator });

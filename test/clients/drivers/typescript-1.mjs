/** The TypeScript SDK 1. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { command, url, headers, steps } = JSON.parse(process.argv[2]);
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'inherit' });
const client = new Client({ name: 'acequia-clients', version: '1' });
await client.connect(transport);
const seen = {
  list: await client.listTools(),
  call: await client.callTool(steps.call),
  picture: await client.callTool(steps.picture),
  resource: await client.readResource(steps.resource),
  prompt: await client.getPrompt(steps.prompt),
};
process.stdout.write(JSON.stringify(seen));
await client.close();

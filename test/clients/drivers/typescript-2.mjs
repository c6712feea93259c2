/** The TypeScript SDK 2. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { command, url, headers, mode, steps } = JSON.parse(process.argv[2]);
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'inherit' });
const versionNegotiation = { mode: mode === 'modern' ? { pin: '2026-07-28' } : mode };
const client = new Client({ name: 'acequia-clients', version: '1' }, { versionNegotiation });
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

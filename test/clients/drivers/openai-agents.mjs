/** The OpenAI Agents SDK. */
import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents';

const { command, url, headers, steps } = JSON.parse(process.argv[2]);
const server = url
  ? new MCPServerStreamableHttp({ url, requestInit: { headers } })
  : new MCPServerStdio({ command: command[0], args: command.slice(1) });
await server.connect();
const call = ({ name, arguments: args }) => server.callTool(name, args);
const seen = {
  list: await server.listTools(),
  call: await call(steps.call),
  picture: await call(steps.picture),
  resource: await server.readResource(steps.resource.uri),
};
process.stdout.write(JSON.stringify(seen));
await server.close();

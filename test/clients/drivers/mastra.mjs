/** Mastra, which makes tools of its own of those of a server. */
import { MCPClient } from '@mastra/mcp';

const { command, url, headers, steps } = JSON.parse(process.argv[2]);
const server = url
  ? { url: new URL(url), requestInit: { headers } }
  : { command: command[0], args: command.slice(1) };
const client = new MCPClient({ servers: { acequia: server } });
const tools = await client.listTools();
const call = ({ name, arguments: args }) => tools[`acequia_${name}`].execute(args, {});
const seen = {
  list: Object.keys(tools),
  call: await call(steps.call),
  picture: await call(steps.picture),
  resource: await client.resources.read('acequia', steps.resource.uri),
  prompt: await client.prompts.get({
    serverName: 'acequia',
    name: steps.prompt.name,
    args: steps.prompt.arguments,
  }),
};
process.stdout.write(JSON.stringify(seen));
await client.disconnect();

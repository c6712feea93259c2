/** LangChain's adapters, which make tools of their own of those of a server. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const { command, url, headers, steps } = JSON.parse(process.argv[2]);
const server = url
  ? { transport: 'http', url, headers }
  : { transport: 'stdio', command: command[0], args: command.slice(1) };
const client = new MultiServerMCPClient({ mcpServers: { acequia: server } });
const tools = await client.getTools();
const session = await client.getClient('acequia');
const call = ({ name, arguments: args }) => tools.find((tool) => tool.name === name).invoke(args);
const seen = {
  list: tools.map(({ name }) => name),
  call: await call(steps.call),
  picture: await call(steps.picture),
  resource: await client.readResource('acequia', steps.resource.uri),
  prompt: await session.getPrompt(steps.prompt),
};
process.stdout.write(JSON.stringify(seen));
await client.close();

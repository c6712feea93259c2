/** The Vercel AI SDK, with a model that calls the tools. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';

const { command, url, headers, mode, steps, model } = JSON.parse(process.argv[2]);
const transport = url
  ? { type: 'http', url, headers }
  : new StdioTransport({ command: command[0], args: command.slice(1), stderr: 'inherit' });
const client = await createMCPClient({ transport, protocolVersionDiscovery: mode !== 'legacy' });
const anthropic = createAnthropic({ baseURL: `${model}/v1`, apiKey: 'none' });
const { messages } = await client.getPrompt(steps.prompt);
await generateText({
  model: anthropic('scripted'),
  tools: await client.tools(),
  prompt: messages[0].content.text,
  stopWhen: stepCountIs(5),
});
const resource = await client.readResource(steps.resource);
process.stdout.write(JSON.stringify({ resource }));
await client.close();

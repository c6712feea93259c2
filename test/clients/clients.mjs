import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ASSISTANTS } from './assistants.mjs';

/** Libraries run a program of ours in drivers/, which makes every step and prints what it got. */
async function drive(client, { home, mode, steps, model, ...target }) {
  return {
    everything: await client.run(home, [
      JSON.stringify({ ...target, mode, steps, model: model.url }),
    ]),
  };
}

const LIBRARIES = [
  {
    name: 'typescript-sdk-2',
    title: 'TypeScript SDK 2',
    packages: ['@modelcontextprotocol/client'],
    driver: 'typescript-2.mjs',
    modes: ['legacy', 'modern', 'auto'],
    attempt: drive,
  },
  {
    name: 'typescript-sdk-1',
    title: 'TypeScript SDK 1',
    packages: ['@modelcontextprotocol/sdk'],
    driver: 'typescript-1.mjs',
    modes: ['default'],
    attempt: drive,
  },
  {
    name: 'python-sdk',
    title: 'Python SDK',
    wheels: ['mcp'],
    driver: 'python_sdk.py',
    modes: ['legacy', 'modern', 'auto'],
    attempt: drive,
  },
  {
    name: 'ai-sdk',
    title: 'Vercel AI SDK',
    packages: ['@ai-sdk/mcp', 'ai', '@ai-sdk/anthropic'],
    driver: 'ai-sdk.mjs',
    modes: ['legacy', 'default'],
    hasModel: true,
    attempt: drive,
  },
  {
    name: 'langchain',
    title: 'LangChain',
    packages: ['@langchain/mcp-adapters', '@langchain/core'],
    driver: 'langchain.mjs',
    modes: ['default'],
    attempt: drive,
  },
  {
    name: 'mastra',
    title: 'Mastra',
    packages: ['@mastra/mcp', '@mastra/core'],
    driver: 'mastra.mjs',
    modes: ['default'],
    attempt: drive,
  },
  {
    name: 'openai-agents',
    title: 'OpenAI Agents SDK',
    packages: ['@openai/agents', 'zod'],
    driver: 'openai-agents.mjs',
    modes: ['default'],
    absent: { prompt: 'has no method for prompts' },
    attempt: drive,
  },
];

/** A server on standard input and output that forwards to one over HTTP. */
const mcpRemote = {
  name: 'mcp-remote',
  title: 'mcp-remote, with TypeScript SDK 1',
  packages: ['mcp-remote', '@modelcontextprotocol/sdk'],
  driver: 'typescript-1.mjs',
  transports: ['HTTP'],
  modes: ['default'],
  attempt(client, { url, headers, ...options }) {
    const bridge = join(client.folder, 'node_modules', 'mcp-remote', 'dist', 'proxy.js');
    const header = `x-api-key:${headers['x-api-key']}`;
    const command = [process.execPath, bridge, url, '--allow-http', '--header', header];
    return drive(client, { ...options, command });
  },
};

const inspector = {
  name: 'inspector',
  title: 'MCP Inspector, command mode',
  packages: ['@modelcontextprotocol/inspector'],
  bin: 'mcp-inspector',
  modes: ['legacy', 'modern', 'auto'],
  async attempt(client, { home, command, url, headers, mode, steps }) {
    const server = url
      ? { type: 'streamable-http', url, headers }
      : { command: command[0], args: command.slice(1) };
    const files = { 'servers.json': { mcpServers: { acequia: server } } };
    const common = [
      '--cli',
      '--config',
      'servers.json',
      '--server',
      'acequia',
      '--protocol-era',
      mode,
    ];
    const run = (method, ...args) =>
      client.run(home, [...common, '--format', 'json', '--method', method, ...args], { files });
    const call = ({ name, arguments: args }) =>
      run('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));
    return {
      list: await run('tools/list'),
      call: await call(steps.call),
      picture: await call(steps.picture),
      resource: await run('resources/read', '--uri', steps.resource.uri),
      prompt: await run('prompts/get', '--prompt-name', steps.prompt.name),
    };
  },
};

const mcporter = {
  name: 'mcporter',
  title: 'mcporter',
  packages: ['mcporter'],
  bin: 'mcporter',
  modes: ['default'],
  absent: { prompt: 'has no command for prompts' },
  async attempt(client, { home, command, url, headers, steps }) {
    const server = url ? { url, headers } : { command: command[0], args: command.slice(1) };
    const files = { 'mcporter.json': { mcpServers: { acequia: server } } };
    const run = (...args) => client.run(home, ['--config', 'mcporter.json', ...args], { files });
    const call = ({ name, arguments: args }, ...more) =>
      run('call', `acequia.${name}`, '--args', JSON.stringify(args), '--output', 'json', ...more);
    const list = await run('list', 'acequia');
    const called = await call(steps.call);
    await call(steps.picture, '--save-images', 'pictures');
    const [picture] = await readdir(join(home, 'pictures'));
    return {
      list,
      call: called,
      picture: await readFile(join(home, 'pictures', picture), 'base64'),
      resource: await run('resource', 'acequia', steps.resource.uri),
    };
  },
};

export const CLIENTS = [...ASSISTANTS, ...LIBRARIES, inspector, mcporter, mcpRemote];

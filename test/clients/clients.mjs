import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { throughCodex } from './codex.mjs';

/** 45 minutes at 3.2 mm/h. */
const DOSE = /waterMm\\?": ?2\.4\b/;

const CONNECTED = 'connected';
const CALLED = 'connected, log_watering called';

function expectIn(text, wanted, what) {
  if (!wanted.test(text)) throw new Error(`${what}: ${text.trim().slice(-300)}`);
}

function called(text) {
  expectIn(text, DOSE, 'the watering was not answered with its dose');
  return CALLED;
}

const inspectorArguments = (args) =>
  Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);

const inspector = {
  name: 'inspector',
  from: '@modelcontextprotocol/inspector',
  version: '0.15.0',
  bin: 'mcp-inspector',
  async near({ run }, { command, watering }) {
    const target = ['--cli', ...command];
    expectIn(await run('near', [...target, '--method', 'tools/list']), /"morning_brief"/, 'no tools');
    const call = ['--method', 'tools/call', '--tool-name', 'log_watering'];
    return called(await run('near', [...target, ...call, ...inspectorArguments(watering('inspector', 'near'))]));
  },
  async far({ run }, { keyedUrl, watering }) {
    const target = ['--cli', keyedUrl];
    expectIn(await run('far', [...target, '--method', 'resources/list']), /acequia:\/\/company/, 'no resources');
    const call = ['--method', 'tools/call', '--tool-name', 'log_watering'];
    await run('far', [...target, ...call, ...inspectorArguments(watering('inspector', 'far'))]).then(called);
    return `${CALLED}; it sends no header, so an address that adds the key`;
  },
};

const mcporter = {
  name: 'mcporter',
  from: 'mcporter',
  version: '0.9.0',
  bin: 'mcporter',
  near: ({ run }, { command: [program, ...args], watering }) =>
    callThrough(run, 'near', { command: program, args }, watering('mcporter', 'near')),
  far: ({ run }, { url, key, watering }) =>
    callThrough(run, 'far', { url, headers: { 'x-api-key': key } }, watering('mcporter', 'far')),
};

async function callThrough(run, way, server, args) {
  const files = { 'mcporter.json': { mcpServers: { acequia: server } } };
  const config = ['--config', 'mcporter.json'];
  expectIn(await run(way, [...config, 'list', 'acequia'], { files }), /morning_brief/, 'no tools');
  const call = ['call', 'acequia.log_watering', '--args', JSON.stringify(args), '--output', 'json'];
  return called(await run(way, [...config, ...call], { files }));
}

const claude = {
  name: 'claude-code',
  from: '@anthropic-ai/claude-code',
  version: '2.1.329',
  bin: 'claude',
  near: ({ run }, { command }) => added(run, 'near', ['mcp', 'add', 'acequia', '--', ...command]),
  far: ({ run }, { url, key }) =>
    added(run, 'far', ['mcp', 'add', '--transport', 'http', 'acequia', url, '--header', `x-api-key: ${key}`]),
};

const gemini = {
  name: 'gemini-cli',
  from: '@google/gemini-cli',
  version: '0.61.0',
  bin: 'gemini',
  async near({ run, home }, { command }) {
    await trustEverything(home);
    return added(run, 'near', ['mcp', 'add', 'acequia', ...command]);
  },
  async far({ run, home }, { url, key }) {
    await trustEverything(home);
    return added(run, 'far', ['mcp', 'add', '--transport', 'http', '--header', `x-api-key: ${key}`, 'acequia', url]);
  },
};

/** It starts no server in a folder that nobody said to trust. */
async function trustEverything(home) {
  await mkdir(join(home, '.gemini'), { recursive: true });
  await writeFile(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({ '/': 'TRUST_FOLDER' }));
}

/** Configures a server by the client's own command, and has it say that it is connected. */
async function added(run, way, add) {
  await run(way, add);
  return listed(await run(way, ['mcp', 'list']));
}

function listed(text) {
  expectIn(text, /acequia.*connected/is, 'not connected');
  if (/disconnected|not connected|failed/i.test(text)) throw new Error(text.trim());
  return CONNECTED;
}

const opencode = {
  name: 'opencode',
  from: 'opencode-ai',
  version: '1.18.33',
  bin: 'opencode',
  near: ({ run }, { command }) => configured(run, 'near', { type: 'local', command }),
  far: ({ run }, { url, key }) => configured(run, 'far', { type: 'remote', url, headers: { 'x-api-key': key } }),
};

const configured = async (run, way, server) =>
  listed(await run(way, ['mcp', 'list'], { files: { 'opencode.json': { mcp: { acequia: server } } } }));

const codex = {
  name: 'codex',
  from: '@openai/codex',
  version: '0.169.0',
  bin: 'codex',
  async near(client, { command, watering }) {
    await client.run('near', ['mcp', 'add', 'acequia', '--', ...command]);
    return called(await throughCodex(client, 'acequia', 'log_watering', watering('codex', 'near')));
  },
  async far(client, { url, key, watering }) {
    const token = ['--bearer-token-env-var', 'ACEQUIA_KEY'];
    await client.run('far', ['mcp', 'add', 'far', '--url', url, ...token]);
    const keyed = { ...client, env: { ...client.env, ACEQUIA_KEY: key } };
    return called(await throughCodex(keyed, 'far', 'log_watering', watering('codex', 'far')));
  },
};

/** Each with the version it was tried in, the newest that runs on Node 20. */
export const CLIENTS = [inspector, mcporter, claude, gemini, opencode, codex];

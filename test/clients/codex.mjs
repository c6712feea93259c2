import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** An answer is waited for so long, in ms. */
const PATIENCE_MS = 60_000;

/** Has Codex, as a server of its own clients, say which tools a configured server has and call one of them. */
export async function throughCodex({ binary, env, home }, server, tool, args) {
  const child = spawn(binary, ['app-server'], { cwd: home, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(() => reject(new Error(`${method} had no answer`)), PATIENCE_MS);
      waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    });
  try {
    const clientInfo = { name: 'acequia-clients', version: '1' };
    await ask('initialize', { clientInfo, capabilities: { experimentalApi: true } });
    child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
    const { data } = await ask('mcpServerStatus/list');
    const tools = Object.keys(data.find(({ name }) => name === server)?.tools ?? {});
    if (!tools.includes(tool)) throw new Error(`${server} has no ${tool} for Codex, but ${tools.length} tools`);
    const { thread } = await ask('thread/start');
    const answer = await ask('mcpServer/tool/call', { threadId: thread.id, server, tool, arguments: args });
    return JSON.stringify(answer);
  } finally {
    child.kill();
  }
}

/** A client with little overhead, which exchanges JSON lines with a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { median } from './figures.mjs';

/** Omits the extra CA file, which each start would read. */
export function childEnvironment() {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  return rest;
}

export class Client {
  #child;
  #rest = '';
  #waiting = new Map();
  #last = 0;
  ended;

  constructor(argv, { hasChannel = false } = {}) {
    this.#child = spawn(process.execPath, argv, {
      stdio: ['pipe', 'pipe', 'inherit', ...(hasChannel ? ['ipc'] : [])],
      env: childEnvironment(),
    });
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.ended.then((status) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`${argv[0]} ended (${status}) without an answer`));
    });
    this.#child.stdout.setEncoding('utf8');
    this.#child.stdout.on('data', (text) => this.#read(text));
  }

  get pid() {
    return this.#child.pid;
  }

  ask(method, params = {}) {
    const id = ++this.#last;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  async open() {
    await this.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '0' },
    });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this;
  }

  async call(name, args = {}) {
    const result = await this.ask('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result;
  }

  /** Sends a message over the channel, and resolves with the reply. */
  async message(message) {
    this.#child.send(message);
    return (await once(this.#child, 'message'))[0];
  }

  end() {
    this.#child.stdin.end();
    return this.ended;
  }

  /** The plain SDK's server does not exit when its input ends. */
  kill() {
    this.#child.kill('SIGKILL');
    return this.ended;
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(text) {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const { id, result, error } = JSON.parse(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end + 1);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    }
  }
}

export function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024;
}

/**
 * Median time in ms of consecutive calls of a new server that has warmed up. Every round starts a
 * new server, because the figure depends on where the system places the process.
 */
export async function typicalCall(argv, call, { warmUp, calls }) {
  const client = await new Client(argv).open();
  for (let i = 0; i < warmUp; i++) await call(client, i);
  const times = [];
  for (let i = 0; i < calls; i++) {
    const startedMs = performance.now();
    await call(client, i);
    times.push(performance.now() - startedMs);
  }
  await client.kill();
  return median(times);
}

export const callEcho = (client, i) => client.call('echo', { text: `call ${i}` });

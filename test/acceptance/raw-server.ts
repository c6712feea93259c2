import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll } from 'vitest';
import { baseFarmForFile } from '../base-farm.ts';
import { afterFile, afterTest } from '../cleanup.ts';
import { type StartOptions, serverArguments } from './mcp-session.ts';
import { BINARY, type Json } from './program.ts';

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly lines: readonly string[];
}

export interface RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: readonly string[];
  messages(): Json[];
  write(text: string): void;
  notify(method: string, params?: object): void;
  send(method: string, params?: unknown): number;
  call(name: string, args: unknown): number;
  answer(id: number): Promise<Json>;
  readonly ended: Promise<ServerExit>;
}

function parseMessage(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** No handshake. The test fails if standard output carries anything but messages. */
export const startRawServer = (args: readonly string[]): RawServer =>
  startProcess(afterTest, process.execPath, [BINARY, ...args]);

function startProcess(after: typeof afterTest, command: string, args: readonly string[]): RawServer {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const answers = new Map<unknown, Json>();
  const waiting = new Map<unknown, (message: Json) => void>();
  let rest = '';
  let stderr = '';
  let last = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      const message = parseMessage(line);
      if (message === undefined) continue;
      answers.set(message.id, message);
      waiting.get(message.id)?.(message);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => ({
    ...{ code, signal, stderr },
    lines: rest === '' ? lines : [...lines, rest],
  }));
  after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    const stray = lines.find((line) => parseMessage(line)?.jsonrpc !== '2.0');
    if (stray !== undefined) throw new Error(`Standard output carried something other than a message: ${stray}`);
  });
  const write = (text: string): void => void child.stdin.write(text);
  const writeMessage = (message: object): void => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: unknown = {}): number => {
    const id = ++last;
    writeMessage({ id, method, params });
    return id;
  };
  return {
    child,
    lines,
    messages: () => lines.map((line) => JSON.parse(line)),
    write,
    notify: (method, params = {}) => writeMessage({ method, params }),
    send,
    call: (name, args) => send('tools/call', { name, arguments: args }),
    answer: (id) =>
      Promise.race([
        answers.get(id) ?? new Promise((resolve) => waiting.set(id, resolve)),
        ended.then(({ code, signal }) => {
          if (answers.has(id)) return answers.get(id);
          throw new Error(`The server ended (${code ?? signal}) without an answer: ${stderr}`);
        }),
      ]),
    ended,
  };
}

export async function initializeRaw(raw: RawServer, capabilities: object = {}): Promise<RawServer> {
  const clientInfo = { name: 'raw', version: '1' };
  await raw.answer(raw.send('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo }));
  raw.notify('notifications/initialized');
  return raw;
}

export const connectRaw = (db: string, options: StartOptions = {}, capabilities?: object): Promise<RawServer> =>
  initializeRaw(startRawServer(serverArguments(db, options)), capabilities);

export function sharedRawServer(options: StartOptions = {}): () => RawServer {
  let raw: RawServer;
  beforeAll(async () => {
    const args = [BINARY, ...serverArguments(await baseFarmForFile(), options)];
    raw = await initializeRaw(startProcess(afterFile, process.execPath, args));
  });
  return () => raw;
}

export const connectRawWithLimit = (limit: string, db: string): Promise<RawServer> =>
  initializeRaw(
    startProcess(afterTest, 'bash', [
      ...['-c', `${limit}; exec "$0" "$@"`, process.execPath, BINARY],
      ...serverArguments(db, {}),
    ]),
  );

export const cancelRequest = (raw: RawServer, requestId: number): void =>
  raw.notify('notifications/cancelled', { requestId });

export const isAnswered = (raw: RawServer, id: number): boolean => raw.messages().some((message) => message.id === id);

import { beforeAll } from 'vitest';
import { baseFarmForFile } from '../base-farm.ts';
import { afterFile, afterTest } from '../cleanup.ts';
import { type StartOptions, serverArguments } from './mcp-session.ts';
import {
  type CommandOptions,
  type CommandResult,
  type Json,
  type RunningCommand,
  startCommand,
} from './program.ts';

interface ServerExit extends CommandResult {
  readonly lines: readonly string[];
}

export interface RawServer {
  readonly child: RunningCommand['child'];
  readonly lines: readonly string[];
  readonly messages: readonly Json[];
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
export function startRawServer(
  args: readonly string[],
  { after = afterTest, ...options }: Pick<CommandOptions, 'after' | 'prefix' | 'env'> = {},
): RawServer {
  const lines: string[] = [];
  const messages: Json[] = [];
  // Registered first, and so run last, when the process has ended.
  after(() => {
    const invalidLine = lines.find((line) => parseMessage(line)?.jsonrpc !== '2.0');
    if (invalidLine !== undefined)
      throw new Error(`Standard output carried something other than a message: ${invalidLine}`);
  });
  const running = startCommand(args, { after, ...options });
  const { child } = running;
  const answers = new Map<unknown, Json>();
  const waiting = new Map<unknown, (message: Json) => void>();
  let rest = '';
  let last = 0;
  child.stdout.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      const message = parseMessage(line);
      if (message === undefined) continue;
      messages.push(message);
      answers.set(message.id, message);
      waiting.get(message.id)?.(message);
    }
  });
  const ended = running.ended.then((result) => ({
    ...result,
    lines: rest === '' ? lines : [...lines, rest],
  }));
  const write = (text: string): void => void child.stdin.write(text);
  const writeMessage = (message: object): void =>
    write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: unknown = {}): number => {
    const id = ++last;
    writeMessage({ id, method, params });
    return id;
  };
  return {
    child,
    lines,
    messages,
    write,
    notify: (method, params = {}) => writeMessage({ method, params }),
    send,
    call: (name, args) => send('tools/call', { name, arguments: args }),
    answer: (id) =>
      Promise.race([
        answers.get(id) ?? new Promise((resolve) => waiting.set(id, resolve)),
        ended.then(({ code, signal, stderr }) => {
          if (answers.has(id)) return answers.get(id);
          throw new Error(`The server ended (${code ?? signal}) without an answer: ${stderr}`);
        }),
      ]),
    ended,
  };
}

export async function initializeRaw(raw: RawServer, capabilities: object = {}): Promise<RawServer> {
  const clientInfo = { name: 'raw', version: '1' };
  await raw.answer(
    raw.send('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo }),
  );
  raw.notify('notifications/initialized');
  return raw;
}

export const connectRaw = (
  db: string,
  { prefix, ...options }: StartOptions & Pick<CommandOptions, 'prefix'> = {},
  capabilities?: object,
): Promise<RawServer> =>
  initializeRaw(startRawServer(serverArguments(db, options), { prefix }), capabilities);

/**
 * One server on the base farm for all tests of a file or `describe` that do not depend on each
 * other's writes.
 */
export function sharedRawServer(capabilities?: object): () => RawServer {
  let raw: RawServer;
  beforeAll(async () => {
    const args = serverArguments(await baseFarmForFile(), {});
    raw = await initializeRaw(startRawServer(args, { after: afterFile }), capabilities);
  });
  return () => raw;
}

export const cancelRequest = (raw: RawServer, requestId: number): void =>
  raw.notify('notifications/cancelled', { requestId });

export const isAnswered = (raw: RawServer, id: number): boolean =>
  raw.messages.some((message) => message.id === id);

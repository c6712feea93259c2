import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll } from 'vitest';
import { afterFile, afterTest } from '../cleanup.ts';
import { copyStoreAt, newLocation, type StoreLocation } from '../stores/stores.ts';
import { templateStore } from '../stores/template-stores.ts';
import { importFarmFile } from './imported-data.ts';
import { newMcpClient } from './mcp-client.ts';

/** The built program; another build of it can be put in its place. */
export const BINARY = process.env.ACEQUIA_BINARY ?? fileURLToPath(new URL('../../dist/acequia.js', import.meta.url));

/** Where the servers' clock stands when they start: 12:00 in Europe/Paris. */
export const CLOCK = '2026-07-01T10:00:00Z';

/**
 * "North block" has the probes "North 1" (drip of its own, 3.2 mm/h) and "North 2" (the parcel's sprinklers, 6 mm/h),
 * "South block" the probe "South 1" without any equipment and the station "Mast".
 */
const FARM = {
  company: { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    { name: 'North block', type: 'olive', installation: { system: 'sprinkler', flowMmPerH: 6 } },
    {
      name: 'South block',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [3.87, 43.61],
            [3.88, 43.61],
            [3.88, 43.62],
            [3.87, 43.61],
          ],
        ],
      },
    },
  ],
  gateways: [{ imei: '356938035643809', assignedAt: '2025-01-10T00:00:00Z' }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      gateway: '356938035643809',
      commissionedAt: '2025-01-11T09:00:00Z',
      location: { lat: 43.61, lon: 3.87, source: 'manual' },
      sensors: [10, 20, 30].flatMap((depth) => [
        { type: 'humidity', depth },
        { type: 'temperature', depth, label: `T ${depth}` },
      ]),
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
    },
    {
      uid: 'A2',
      name: 'North 2',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
    {
      uid: 'B1',
      name: 'South 1',
      category: 'SOIL_PROBE',
      parcel: 'South block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
    {
      uid: 'C1',
      name: 'Mast',
      category: 'WEATHER_STATION',
      parcel: 'South block',
      commissionedAt: '2025-01-11T09:00:00Z',
    },
  ],
};

/** An empty folder for one test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-acceptance-'));
  afterTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for a store, for one test: what `--db` says. */
export const newStorePlace = async (): Promise<string> => removeAfterTest(await newLocation());

/** A copy of a store that nobody has open, for one test. */
export const copyOfStore = async (db: string): Promise<string> => removeAfterTest(await copyStoreAt(db));

function removeAfterTest({ db, remove }: StoreLocation): string {
  afterTest(remove);
  return db;
}

/** Runs the program to its end. */
export const runProgram = (...args: string[]) => promisify(execFile)(process.execPath, [BINARY, ...args]);

/** Brings the farm into a store. */
export const importBaseFarm = (db: string): Promise<void> => importFarmFile(db, FARM);

/** Imported once; each test works on its own copy. */
const importedStore = templateStore(importBaseFarm);

/** A store that holds the farm, for one test. */
export const newBaseFarm = async (): Promise<string> => copyOfStore(await importedStore());

/** The same for all tests of a file. */
export async function baseFarmForFile(): Promise<string> {
  const { db, remove } = await copyStoreAt(await importedStore());
  afterFile(remove);
  return db;
}

export interface StartOptions {
  /** Where the clock starts; null for the real time. */
  readonly clock?: string | null;
  /** What people hear; null for what the farm's country says, which is French. */
  readonly lang?: 'en' | 'fr' | null;
}

const argumentsOf = (db: string, { clock = CLOCK, lang = 'en' }: StartOptions): string[] => [
  BINARY,
  '--db',
  db,
  ...(clock === null ? [] : ['--clock', clock]),
  ...(lang === null ? [] : ['--lang', lang]),
];

/** A server that the SDK's own client speaks with. */
export interface McpSession {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

async function connect(db: string, options: StartOptions): Promise<McpSession> {
  const client = newMcpClient();
  const transport = { command: process.execPath, args: argumentsOf(db, options), stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(transport));
  return {
    client,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as CallToolResult,
  };
}

/** A server for one test. */
export async function connectStdio(db: string, options: StartOptions = {}): Promise<McpSession> {
  const server = await connect(db, options);
  afterTest(() => server.client.close());
  return server;
}

/** One server on a farm for all tests of a file or `describe`, which leave the books as they were, or do not mind. */
export function sharedSession(options: StartOptions = {}): McpSession {
  let server: McpSession;
  beforeAll(async () => {
    server = await connect(await baseFarmForFile(), options);
    afterFile(() => server.client.close());
  });
  return {
    get client() {
      return server.client;
    },
    call: (name, args) => server.call(name, args),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire, of any shape
export type Json = any;

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Every line of standard output, as it came. */
  readonly lines: readonly string[];
}

/** A server spoken with line by line. */
export interface RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Lines of standard output so far. */
  readonly lines: readonly string[];
  /** Sends a text as it is. */
  write(text: string): void;
  /** Sends a request and gives its id. */
  send(method: string, params?: unknown): number;
  /** Sends a call and gives its id. */
  call(name: string, args: unknown): number;
  /** The message that answers an id. */
  answer(id: number): Promise<Json>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ServerExit>;
}

function parseMessage(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Starts a process that speaks JSON lines, without a handshake. A test in which it says anything else fails. */
export const startRawServer = (command: string, args: readonly string[]): RawServer =>
  startRawWithCleanup(afterTest, command, args);

function startRawWithCleanup(after: typeof afterTest, command: string, args: readonly string[]): RawServer {
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
  // Writing to a process that has gone is part of some tests.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    stderr,
    lines: rest === '' ? lines : [...lines, rest],
  }));
  after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    const stray = lines.find((line) => parseMessage(line)?.jsonrpc !== '2.0');
    if (stray !== undefined) throw new Error(`Standard output carried what is no message: ${stray}`);
  });
  const write = (text: string): void => void child.stdin.write(text);
  const send = (method: string, params: unknown = {}): number => {
    const id = ++last;
    write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  };
  return {
    child,
    lines,
    write,
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

/** Begins the conversation, as a client must. */
export async function initializeRaw(raw: RawServer): Promise<RawServer> {
  const clientInfo = { name: 'raw', version: '1' };
  await raw.answer(raw.send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
  raw.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return raw;
}

/** A server on a store, spoken with line by line, after the handshake. */
export const connectRaw = (db: string, options: StartOptions = {}): Promise<RawServer> =>
  initializeRaw(startRawServer(process.execPath, argumentsOf(db, options)));

/** The same for all tests of a file or `describe`, on a farm whose books they leave as they were, or do not mind. */
export function sharedRawServer(options: StartOptions = {}): () => RawServer {
  let raw: RawServer;
  beforeAll(async () => {
    raw = await initializeRaw(
      startRawWithCleanup(afterFile, process.execPath, argumentsOf(await baseFarmForFile(), options)),
    );
  });
  return () => raw;
}

/** The same under a shell that first sets a limit on the process. */
export const connectRawWithLimit = (limit: string, db: string): Promise<RawServer> =>
  initializeRaw(startRawServer('bash', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...argumentsOf(db, {})]));

/** The refusal that a tool answered with; fails when it did not refuse. */
export function refusalOf(result: CallToolResult): {
  code: string;
  message: string;
  hint?: string;
  field?: string;
  status: number;
} {
  if (!result.isError) throw new Error(`Not refused: ${JSON.stringify(result.structuredContent)}`);
  return result._meta?.['acequia/error'] as ReturnType<typeof refusalOf>;
}

/** The structured result of a tool; fails when it refused. */
export function bodyOf(result: CallToolResult): Json {
  if (result.isError) throw new Error(`Refused: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

export const firstText = (result: CallToolResult): string => {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
};

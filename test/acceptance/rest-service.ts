import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { chooseCompany } from '../../src/service/company/company.ts';
import type { KeySurface } from '../../src/service/keys/api-keys.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import { afterFile, afterTest } from '../cleanup.ts';
import { type StoreLocation, withSecondStore } from '../stores/stores.ts';
import { newEmptyStore } from '../stores/template-stores.ts';
import { importReadingsCsv } from './imported-data.ts';
import { BINARY, baseFarmForFile, CLOCK, importBaseFarm, type Json, newBaseFarm } from './program.ts';

/** A serving process. */
export interface RestService {
  readonly db: string;
  readonly child: ChildProcess;
  readonly port: number;
  /** The address that ends in /v1. */
  readonly base: string;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  /** Its exit code and how it ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** A request with a key; a body is sent as JSON. */
  request(method: string, path: string, sent?: RestRequestOptions): Promise<RestResponse>;
  newKey(...options: string[]): Promise<string>;
}

export interface RestRequestOptions {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

const KEY_OPTIONS = {
  company: { type: 'string' },
  user: { type: 'string' },
  scopes: { type: 'string' },
  surface: { type: 'string', default: 'api' },
} as const;

/** A key as `acequia keys create` with these options makes it, without a process of its own. */
export async function createTestKey(db: string, ...options: string[]): Promise<{ id: number; key: string }> {
  const { company, user, scopes, surface } = parseArgs({ args: options, options: KEY_OPTIONS }).values;
  return withSecondStore(db, async (store) => {
    const wanted = { company: await chooseCompany(store, company), user, scopes: scopes?.split(','), expiresAt: null };
    return createKey(store, { ...wanted, surface: surface as KeySurface }, Date.now());
  });
}

/** Serves a farm of its own with a clock that runs on from CLOCK, for one test. */
export async function startRestService(...options: string[]): Promise<RestService> {
  const db = await newBaseFarm();
  return serveStoreForTest(db, '--clock', CLOCK, ...options);
}

/** Serves a store at a free port, for one test. */
export const serveStoreForTest = (db: string, ...options: string[]): Promise<RestService> =>
  startServing(db, options, afterTest);

/** A service on a farm for all tests of a file, of which none minds what the others have written. */
export function sharedRestService(...options: string[]): () => RestService {
  let served: RestService;
  beforeAll(async () => {
    served = await startServing(await baseFarmForFile(), ['--clock', CLOCK, ...options], afterFile);
  });
  return () => served;
}

async function startServing(db: string, options: readonly string[], after: typeof afterTest): Promise<RestService> {
  const child = spawn(process.execPath, [BINARY, 'serve', '--port', '0', '--db', db, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    ended.then(({ code }) => `ended with ${code}: ${log}`),
  ]);
  const base = /^Serving on (http:\/\/\S+\/v1)$/.exec(line)?.[1];
  if (base === undefined) throw new Error(`The service says: ${line}`);
  return {
    db,
    child,
    base,
    port: Number(new URL(base).port),
    log: () => log,
    ended,
    async request(method, path, { key, body, headers } = {}) {
      const answer = await fetch(path.startsWith('/v1') ? new URL(path, base) : `${base}${path}`, {
        method,
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    },
    newKey: async (...of) => (await createTestKey(db, ...of)).key,
  };
}

/** A connection spoken over in bytes. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that came so far. */
  readonly received: () => string;
  /** Resolves with all that came once it holds a text. */
  until(text: string): Promise<string>;
  /** Resolves with all that came when the other side has closed. */
  readonly closed: Promise<string>;
}

export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // A connection that is cut is part of some tests.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  afterTest(() => socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    received: () => received,
    closed,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (received.includes(text)) resolve(received);
        };
        socket.on('data', look);
        socket.once('close', () => reject(new Error(`Closed before ${JSON.stringify(text)} came: ${received}`)));
        look();
      }),
  };
}

/** The farm of the tests over HTTP, for all tests of a file. */
export interface RestFarm {
  /** The address that ends in /v1. */
  readonly base: string;
  /** The address of the page. */
  readonly home: string;
  /** A new key. */
  newKey(...options: string[]): Promise<string>;
}

/** Two days of readings of "North 1", an hour apart. */
const READINGS = [
  'module,type,depth,time,value',
  ...Array.from({ length: 48 }, (_, hour) => {
    const time = new Date(Date.parse(CLOCK) - hour * 3_600_000).toISOString();
    return [10, 20, 30].map((depth) => `North 1,humidity,${depth},${time},${20 + depth / 10 + hour / 24}`).join('\n');
  }),
].join('\n');

/** Serves the farm at any free port, with options of `acequia serve`. */
export function restFarm(...options: string[]): RestFarm {
  let place: StoreLocation;
  let base: string;
  let server: ReturnType<typeof spawn>;
  beforeAll(async () => {
    place = await newEmptyStore();
    const { db } = place;
    await importBaseFarm(db);
    await importReadingsCsv(db, READINGS);
    const args = [BINARY, 'serve', '--port', '0', '--db', db, '--clock', CLOCK, ...options];
    server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await Promise.race([
      once(createInterface({ input: server.stdout! }), 'line'),
      once(server, 'exit').then(() => ['The server ended before it served.']),
    ])) as [string];
    base = /http:\/\/\S+/.exec(line)?.[0] ?? '';
    if (base === '') throw new Error(line);
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    await place.remove();
  });
  return {
    get base() {
      return base;
    },
    get home() {
      return new URL('/', base).href;
    },
    async newKey(...of) {
      return (await createTestKey(place.db, '--company', 'Mas Rouge', ...of)).key;
    },
  };
}

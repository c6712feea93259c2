import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';
import { chooseCompany } from '../../src/service/choose-company.ts';
import { createKey } from '../../src/service/key-register.ts';
import { besides } from '../stores.ts';
import { acequia, BINARY, CLOCK, newFarm, type Wired } from './program.ts';

/** A serving process of one test. */
export interface Service {
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
  ask(method: string, path: string, sent?: Sent): Promise<Answered>;
  newKey(...options: string[]): Promise<string>;
}

export interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Wired;
}

const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** A key as `acequia keys create` makes it; without a process of its own where nothing but the company is said. */
export async function madeKey(db: string, ...options: string[]): Promise<{ id: number; key: string }> {
  const [name, text, ...more] = options;
  if (name === undefined || (name === '--company' && more.length === 0))
    return besides(db, async (store) =>
      createKey(store, { company: await chooseCompany(store, text), surface: 'api', expiresAt: null }, Date.now()),
    );
  return JSON.parse((await acequia('keys', 'create', '--db', db, '--json', ...options)).stdout);
}

/** Serves a farm of its own with a clock that runs on from CLOCK. */
export async function service(...options: string[]): Promise<Service> {
  const db = await newFarm();
  return serviceOn(db, '--clock', CLOCK, ...options);
}

/** Serves a store at a free port. */
export async function serviceOn(db: string, ...options: string[]): Promise<Service> {
  const child = spawn(process.execPath, [BINARY, 'serve', '--port', '0', '--db', db, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  undo.push(async () => {
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
    async ask(method, path, { key, body, headers } = {}) {
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
    newKey: async (...of) => (await madeKey(db, ...of)).key,
  };
}

/** A connection spoken over in bytes. */
export interface Line {
  readonly socket: Socket;
  /** All that came so far. */
  readonly heard: () => string;
  /** Resolves with all that came once it holds a text. */
  until(text: string): Promise<string>;
  /** Resolves with all that came when the other side has closed. */
  readonly closed: Promise<string>;
}

export async function line(port: number): Promise<Line> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  // A connection that is cut is part of some tests.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  undo.push(async () => void socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    heard: () => heard,
    closed,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (heard.includes(text)) resolve(heard);
        };
        socket.on('data', look);
        socket.once('close', () => reject(new Error(`Closed before ${JSON.stringify(text)} came: ${heard}`)));
        look();
      }),
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { beforeAll } from 'vitest';
import { chooseCompany } from '../../src/service/company/company.ts';
import type { KeySurface } from '../../src/service/keys/api-keys.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import { baseFarmForFile, newBaseFarm } from '../base-farm.ts';
import { afterFile, afterTest } from '../cleanup.ts';
import { withSecondStore } from '../stores/stores.ts';
import { BINARY, CLOCK, type Json } from './program.ts';

export interface RestService {
  readonly db: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly base: string;
  readonly log: () => string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
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

/** As `acequia keys create` with these options, without a process. */
export async function createTestKey(db: string, ...options: string[]): Promise<{ id: number; key: string }> {
  const { company, user, scopes, surface } = parseArgs({ args: options, options: KEY_OPTIONS }).values;
  return withSecondStore(db, async (store) => {
    const wanted = { company: await chooseCompany(store, company), user, scopes: scopes?.split(','), expiresAt: null };
    return createKey(store, { ...wanted, surface: surface as KeySurface }, Date.now());
  });
}

export const startRestService = async (...options: string[]): Promise<RestService> =>
  serveStoreForTest(await newBaseFarm(), '--clock', CLOCK, ...options);

export const serveStoreForTest = (db: string, ...options: string[]): Promise<RestService> =>
  startServing(db, options, afterTest);

export const serveStoreForFile = (db: string, ...options: string[]): Promise<RestService> =>
  startServing(db, options, afterFile);

/** For tests that do not depend on each other's writes. */
export function sharedRestService(...options: string[]): () => RestService {
  let service: RestService;
  beforeAll(async () => {
    service = await serveStoreForFile(await baseFarmForFile(), '--clock', CLOCK, ...options);
  });
  return () => service;
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
      const response = await fetch(path.startsWith('/v1') ? new URL(path, base) : `${base}${path}`, {
        method,
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    newKey: async (...keyOptions) => (await createTestKey(db, ...keyOptions)).key,
  };
}

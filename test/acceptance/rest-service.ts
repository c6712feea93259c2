import { parseArgs } from 'node:util';
import { beforeAll } from 'vitest';
import { chooseCompany } from '../../src/service/company/company.ts';
import type { KeySurface } from '../../src/service/keys/api-keys.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import type { KeyPreset } from '../../src/service/keys/key-presets.ts';
import { baseFarmForFile, newBaseFarm } from '../base-farm.ts';
import { afterFile } from '../cleanup.ts';
import { withSecondStore } from '../stores/stores.ts';
import {
  CLOCK,
  type CommandOptions,
  type Json,
  type RunningCommand,
  startCommand,
  waitWhileRunning,
} from './program.ts';

export interface RestService extends RunningCommand {
  readonly db: string;
  readonly port: number;
  /** Ends in /v1. */
  readonly base: string;
  /** Undefined unless the metrics have a port. */
  readonly metrics: string | undefined;
  /** A body is sent as JSON, a text as it is. */
  request(method: string, path: string, options?: RestRequestOptions): Promise<RestResponse>;
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
  preset: { type: 'string', default: 'everything' },
  webhook: { type: 'string' },
} as const;

/** As `acequia keys create --preset everything` with these options, without a process. */
export async function createTestKey(
  db: string,
  ...options: string[]
): Promise<{ id: number; key: string }> {
  const { company, user, scopes, surface, preset, webhook } = parseArgs({
    args: options,
    options: KEY_OPTIONS,
  }).values;
  return withSecondStore(db, async (store) => {
    const keyRequest = {
      company: await chooseCompany(store, company),
      user,
      scopes: scopes?.split(','),
      preset: preset as KeyPreset,
      webhook,
      expiresAt: null,
    };
    return createKey(store, { ...keyRequest, surface: surface as KeySurface }, Date.now());
  });
}

/** Serves the base farm with a clock that runs on from CLOCK, for one test. */
export const startRestService = async (...options: string[]): Promise<RestService> =>
  serveStoreForTest(await newBaseFarm(), '--clock', CLOCK, ...options);

/** Serves a store at a free port. */
export const serveStoreForTest = (db: string, ...options: string[]): Promise<RestService> =>
  startServing(db, options);

export const serveStoreForFile = (db: string, ...options: string[]): Promise<RestService> =>
  startServing(db, options, { after: afterFile });

/** For tests that do not depend on each other's writes. */
export function sharedRestService(...options: string[]): () => RestService {
  let service: RestService;
  beforeAll(async () => {
    service = await serveStoreForFile(await baseFarmForFile(), '--clock', CLOCK, ...options);
  });
  return () => service;
}

export async function startServing(
  db: string,
  options: readonly string[],
  { env, ...commandOptions }: CommandOptions = {},
): Promise<RestService> {
  const running = startCommand(['serve', '--port', '0', '--db', db, ...options], {
    env,
    ...commandOptions,
  });
  const lines = options.includes('--metrics-port') || env?.ACEQUIA_METRICS_PORT ? 2 : 1;
  const urls = () =>
    [...running.stdout().matchAll(/^(?:Serving|Metrics) on (http\S+)\n/gm)].map(([, url]) => url!);
  await waitWhileRunning(running, () => urls().length === lines);
  const [base, metrics] = urls() as [string, string | undefined];
  return {
    ...running,
    db,
    base,
    metrics,
    port: Number(new URL(base).port),
    async request(method, path, { key, body, headers } = {}) {
      const response = await fetch(
        path.startsWith('/v1') ? new URL(path, base) : `${base}${path}`,
        {
          method,
          headers: {
            ...(key === undefined ? {} : { 'x-api-key': key }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        },
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      };
    },
    newKey: async (...keyOptions) => (await createTestKey(db, ...keyOptions)).key,
  };
}

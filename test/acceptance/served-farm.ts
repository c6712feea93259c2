import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { newEmptyStore } from '../kept-stores.ts';
import type { StoreLocation } from '../stores.ts';
import { importReadingsCsv } from './brought.ts';
import { BINARY, CLOCK, importBaseFarm } from './program.ts';
import { createTestKey } from './served.ts';

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

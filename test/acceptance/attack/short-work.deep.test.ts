import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { newStorePlace } from '../../temporary-places.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';

const PROBES = 60;
const DAYS = 40;
const KEYS = 8;
const CONNECTIONS_OF_KEY = 2;
/**
 * Of these, the readers share answers about the whole farm, and each has the review of a probe for
 * itself.
 */
const longRead = (n: number): string =>
  ['/overview', '/brief', '/page', `/modules/${1 + (n % PROBES)}/irrigation/review`][n % 4]!;
const SAMPLES = 12;
const LONGEST_RUN_MS = 60_000;

const FARM = {
  company: { name: 'Busy', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `B${index}`,
    name: `Probe ${index}`,
    category: 'SOIL_PROBE',
    commissionedAt: iso(Date.now() - 400 * DAY),
    sensors: [{ type: 'humidity', depth: 10 }],
  })),
};

function hourlyReadingsCsv(): string {
  const until = Math.floor(Date.now() / HOUR) * HOUR;
  const rows = ['module,type,depth,time,value'];
  for (let probe = 0; probe < PROBES; probe++)
    for (let at = until - DAYS * DAY; at < until; at += HOUR)
      rows.push(`B${probe},humidity,10,${iso(at)},${10 + ((at / HOUR) % 200) / 10}`);
  return rows.join('\n');
}

async function serveBusyFarm(): Promise<RestService> {
  const db = await newStorePlace();
  await importFarmFile(db, FARM);
  await importReadingsCsv(db, hourlyReadingsCsv());
  return serveStoreForTest(db, '--rate-limit', '0');
}

const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Members who look at a large farm: each reads it again as soon as it is answered. */
class Readers {
  readonly answersOfKey = new Map<string, number>();
  readonly #running: Promise<void>[];
  #isStopping = false;

  constructor(service: RestService, keys: readonly string[]) {
    this.#running = keys.flatMap((key) =>
      Array.from({ length: CONNECTIONS_OF_KEY }, (_, index) =>
        this.#readUntilStopped(service, key, index),
      ),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #readUntilStopped(service: RestService, key: string, first: number): Promise<void> {
    for (let n = first; !this.#isStopping; n++) {
      const { status } = await service.request('GET', longRead(n), { key });
      if (status === 200) this.answersOfKey.set(key, (this.answersOfKey.get(key) ?? 0) + 1);
      else await pause(100);
    }
  }
}

/**
 * With one pool of connections for all reads, an unknown key was refused once several long reads of
 * others had ended.
 */
it('answers readiness and refuses an unknown key while members of a large farm hold it busy', async ({
  annotate,
}) => {
  const service = await serveBusyFarm();
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) keys.push(await service.newKey('--preset', 'viewer'));
  const longReadMs = await msOf(() => service.request('GET', '/overview', { key: keys[0]! }));

  const readers = new Readers(service, keys);
  const until = performance.now() + LONGEST_RUN_MS;
  const [readyMs, refusalMs]: [number[], number[]] = [[], []];
  await pause(1_000);
  while (refusalMs.length < SAMPLES && performance.now() < until) {
    readyMs.push(await msOf(() => service.request('GET', '/../ready')));
    refusalMs.push(
      await msOf(() => service.request('GET', '/company', { key: 'acequia_unknown' })),
    );
    await pause(100);
  }
  await readers.stop();

  const figures = { longReadMs, readyMs: median(readyMs), refusalMs: median(refusalMs) };
  await annotate(JSON.stringify(figures));
  expect([...readers.answersOfKey.keys()].toSorted()).toEqual(keys.toSorted());
  expect(figures.readyMs).toBeLessThan(longReadMs);
  expect(figures.refusalMs).toBeLessThan(longReadMs);
});

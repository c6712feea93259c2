import { afterEach, describe, expect, vi } from 'vitest';
import type { Identify } from '../../src/operation/authorization.ts';
import { StoreClosedError } from '../../src/schema/error.ts';
import type { CompanyWatcher } from '../../src/service/company-watch.ts';
import { identifyByKey } from '../../src/service/keys/api-keys.ts';
import { createKey, revokeKey } from '../../src/service/keys/key-administration.ts';
import { watchFarm, watchFiringAlerts } from '../../src/service/watches.ts';
import { firingAlerts } from '../../src/store/alerts/alert-states.ts';
import { companyById } from '../../src/store/company/companies.ts';
import type { CompanyChangeListener } from '../../src/store/company-changes.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { wrappedStore } from '../../src/store/store-interface.ts';
import listAlerts from '../../tools/alerts/list-alerts.ts';
import { DAY, FARM_NOW, it, MINUTE, minutesAt, type TestFarm } from '../farm.ts';
import { recordRows } from '../store/stored-readings.ts';
import {
  changeOakAlert,
  createOakAlert,
  sameValue,
  sendAndEvaluate,
  sendReadings,
} from './alerts/alert-farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from './moisture/probe-farm.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

async function watch(
  farm: TestFarm,
  { identify, store = farm.store }: { identify?: Identify; store?: Store } = {},
  onChange: () => void = () => undefined,
) {
  const reported = { changes: 0, refusals: [] as string[] };
  const watcher: CompanyWatcher = {
    identify: identify ?? ownerOf(1),
    access: listAlerts,
    onChange() {
      reported.changes++;
      onChange();
    },
    onRefused: ({ code }) => void reported.refusals.push(code),
  };
  const stop = await watchFiringAlerts(store, watcher);
  stops.push(stop);
  return { reported, stop };
}

const ownerOf =
  (companyId: number): Identify =>
  async (all) => ({
    caller: { id: 'owner', companyId, userId: null, role: 'OWNER', scopes: ['readings:read'] },
    company: (await companyById(all, companyId))!,
  });

async function newKey(farm: TestFarm) {
  const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
  const { id, key } = await createKey(
    farm.store,
    { company, surface: 'mcp', expiresAt: null },
    farm.now,
  );
  return { id, identify: identifyByKey(key, () => farm.now) };
}

interface OakFarm {
  readonly oak: TestProbe;
  readonly alert: { id: string };
}

async function withAlert(farm: TestFarm): Promise<OakFarm> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  return { oak, alert: await createOakAlert(farm) };
}

/** One finds out the company of the watcher, the other begins its watch. */
const READS_TO_JOIN = 2;

let rounds = 0;
const evaluate = (farm: TestFarm, { oak }: OakFarm, value: number): Promise<void> =>
  sendAndEvaluate(farm, oak, FARM_NOW + ++rounds * 15 * MINUTE, value);

describe('a watch of the firing alerts', () => {
  it('reports once that an alert fires, and once that it is resolved', async ({ farm }) => {
    const own = await withAlert(farm);
    const { reported } = await watch(farm);
    await evaluate(farm, own, 15);
    await expect.poll(() => reported.changes).toBe(1);
    await evaluate(farm, own, 14);
    await evaluate(farm, own, 30);
    await expect.poll(() => reported.changes).toBe(2);
  });

  it.for(['another process', 'its own'] as const)(
    'reports what %s writes',
    async (writer, { farm }) => {
      const own = await withAlert(farm);
      const store = writer === 'its own' ? farm.store : await openStore({ db: farm.db });
      const { reported, stop } = await watch(farm, { store });
      await evaluate(farm, own, 15);
      await expect.poll(() => reported.changes).toBe(1);
      await changeOakAlert(farm, own.alert, { isActive: false });
      await expect.poll(() => reported.changes).toBe(2);
      stop();
      if (store !== farm.store) await store.close();
    },
  );

  it('reports the last of many quick changes', async ({ farm }) => {
    const own = await withAlert(farm);
    let last: unknown;
    const read = () => farm.store.read(1, firingAlerts);
    const { reported } = await watch(farm, {}, () => void read().then((firing) => (last = firing)));
    for (let n = 0; n < 10; n++) await evaluate(farm, own, n % 2 === 0 ? 15 : 30);
    await evaluate(farm, own, 12);
    const firing = await read();
    expect(firing).toHaveLength(1);
    await expect.poll(() => last).toEqual(firing);
    const { changes } = reported;
    await evaluate(farm, own, 11);
    await evaluate(farm, own, 30);
    // One for the end of the alert, and none for its lower value.
    await expect.poll(() => last).toEqual([]);
    expect(reported.changes).toBe(changes + 1);
  });

  it('reports neither another company, nor an evaluation that changes nothing, nor anything after its end', async ({
    farm,
  }) => {
    const own = await withAlert(farm);
    const ended = await watch(farm);
    ended.stop();
    const [neighbour, witness] = [await watch(farm, { identify: ownerOf(2) }), await watch(farm)];
    await evaluate(farm, own, 28);
    await evaluate(farm, own, 15);
    await expect.poll(() => witness.reported.changes).toBe(1);
    await evaluate(farm, own, 30);
    await expect.poll(() => witness.reported.changes).toBe(2);
    expect([ended.reported.changes, neighbour.reported.changes]).toEqual([0, 0]);
  });

  it('reports a change that could not be read at once', async ({ farm }) => {
    const own = await withAlert(farm);
    let isBroken = false;
    let failedReads = 0;
    const store = wrappedStore(farm.store, (_, run) => {
      if (!isBroken) return run();
      failedReads++;
      return Promise.reject(new Error('broken'));
    });
    const { reported } = await watch(farm, { store });
    isBroken = true;
    await evaluate(farm, own, 15);
    await expect.poll(() => failedReads).toBeGreaterThan(0);
    isBroken = false;
    await expect.poll(() => reported.changes).toBe(1);
    expect(reported.refusals).toEqual([]);
  });

  it('reads seldom while the store fails, whatever changes', async ({ farm }) => {
    let reads = 0;
    const announce: CompanyChangeListener[] = [];
    const store: Store = {
      ...wrappedStore(farm.store, (_, run) =>
        ++reads <= READS_TO_JOIN ? run() : Promise.reject(new Error('broken')),
      ),
      onCompanyChange(listener) {
        announce.push(listener);
        return () => undefined;
      },
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await watch(farm, { store });
    for (let second = 0; second < 60; second++) {
      announce[0]!(null);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    // At 0, 2, 6, 14, 29, 44 and 59 s.
    expect(reads).toBe(READS_TO_JOIN + 7);
  });
});

it('a watch ends silently with the store that it reads', async ({ farm }) => {
  let reads = 0;
  const store = wrappedStore(farm.store, (_, run) =>
    ++reads <= READS_TO_JOIN ? run() : Promise.reject(new StoreClosedError('farm.db')),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { reported } = await watch(farm, { store });
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([reads, reported]).toEqual([READS_TO_JOIN + 1, { changes: 0, refusals: [] }]);
});

describe('a watcher whose key is revoked', () => {
  it('gets no further change', async ({ farm }) => {
    const own = await withAlert(farm);
    const { id, identify } = await newKey(farm);
    const { reported } = await watch(farm, { identify });
    const other = await watch(farm);
    await revokeKey(farm.store, id, farm.now);
    await evaluate(farm, own, 15);
    await expect.poll(() => reported.refusals).toEqual(['unauthenticated']);
    await expect.poll(() => other.reported.changes).toBe(1);
    await evaluate(farm, own, 30);
    await expect.poll(() => other.reported.changes).toBe(2);
    expect(reported).toEqual({ changes: 0, refusals: ['unauthenticated'] });
  });

  it('is refused within a minute, though nothing changes', async ({ farm }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { id, identify } = await newKey(farm);
    const { reported } = await watch(farm, { identify });
    await vi.advanceTimersByTimeAsync(50_000);
    expect(reported.refusals).toEqual([]);
    await revokeKey(farm.store, id, farm.now);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    await expect.poll(() => reported.refusals).toEqual(['unauthenticated']);
  });

  it('leaves the watch of those who came after it whole when it stops', async ({ farm }) => {
    let reads = 0;
    const store = wrappedStore(farm.store, (_, run) => {
      reads++;
      return run();
    });
    const own = await withAlert(farm);
    const { id, identify } = await newKey(farm);
    const refused = await watch(farm, { identify, store });
    await revokeKey(farm.store, id, farm.now);
    await evaluate(farm, own, 15);
    await expect.poll(() => refused.reported.refusals).toEqual(['unauthenticated']);

    const before = await watch(farm, { store });
    refused.stop();
    const after = await watch(farm, { store });
    const readsToBegin = reads;
    await evaluate(farm, own, 30);
    await expect
      .poll(() => [before, after].map(({ reported }) => reported.changes))
      .toEqual([1, 1]);
    expect(reads - readsToBegin).toBe(1);
  });

  it('cannot begin to watch', async ({ farm }) => {
    const { id, identify } = await newKey(farm);
    await revokeKey(farm.store, id, farm.now);
    await expect(watch(farm, { identify })).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

it('cannot be watched without the scope that lists alerts', async ({ farm }) => {
  const identify: Identify = async (all) => {
    const { caller, company } = await ownerOf(1)(all);
    return { caller: { ...caller, scopes: ['catalog:read'] }, company };
  };
  await expect(watch(farm, { identify })).rejects.toMatchObject({
    code: 'insufficient_scope',
    message: expect.stringContaining('readings:read'),
  });
});

/** Below the 60 s after which a watch looks for changes that nothing announced. */
const ANNOUNCED = { timeout: 30_000 };

describe('a watch of the farm', () => {
  /** Returns what it reports. */
  async function watchOfFarm(
    store: Store,
    identify: Identify = ownerOf(1),
  ): Promise<(readonly number[] | null)[]> {
    const reported: (readonly number[] | null)[] = [];
    const stop = await watchFarm(store, {
      identify,
      access: listAlerts,
      onChange: (modules) => void reported.push(modules),
      onRefused: (error) => {
        throw error;
      },
    });
    stops.push(stop);
    return reported;
  }

  it.for(['another process', 'its own'] as const)(
    'names the probe of readings, alerts, waterings and settings that %s writes',
    async (writer, { farm }) => {
      const { oak, alert } = await withAlert(farm);
      const north = farm.idOf('North 1');
      const store = writer === 'its own' ? farm.store : await openStore({ db: farm.db });
      const reported = await watchOfFarm(store);
      const expectNamed = async (module: number, write: () => Promise<unknown>): Promise<void> => {
        const before = reported.length;
        await write();
        await expect.poll(() => reported.slice(before).flat(), ANNOUNCED).toContain(module);
      };
      await expectNamed(oak.id, () => sendReadings(farm, oak, sameValue(oak, FARM_NOW + 1, 29)));
      await expectNamed(north, () => farm.log('North 1', minutesAt(FARM_NOW - DAY, 30)));
      await expectNamed(oak.id, () => evaluate(farm, { oak, alert }, 15));
      await expectNamed(oak.id, () => changeOakAlert(farm, alert, { isActive: false }));
      await expectNamed(north, () =>
        farm.wire('set_probe_settings', { moduleId: north, rootDepthCm: 55 }),
      );
      expect(new Set(reported.flat())).toEqual(new Set([oak.id, north]));
      for (const stop of stops.splice(0)) stop();
      if (store !== farm.store) await store.close();
    },
  );

  it('reads the farm, and looks up each key, once for all who watch it', async ({ farm }) => {
    const { oak } = await withAlert(farm);
    const statements: string[] = [];
    const store = wrappedStore(farm.store, (_, run) =>
      run({
        observer: {
          onConnectionAcquired: () => undefined,
          onBegin: () => statements.push('begin'),
          onQuery: (text) => void statements.push(text),
        },
      }),
    );
    const keys = [await newKey(farm), await newKey(farm)];
    const watched = await Promise.all(
      keys.flatMap(({ identify }) => Array.from({ length: 8 }, () => watchOfFarm(store, identify))),
    );

    const before = statements.length;
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW + 1, 29));
    for (const reported of watched) await expect.poll(() => reported).toEqual([[oak.id]]);

    const count = (pattern: RegExp) =>
      statements.slice(before).filter((text) => pattern.test(text)).length;
    expect({
      transactions: count(/^begin$/),
      farm: count(/max\("at"\)/),
      keys: count(/from "api_keys"/),
    }).toEqual({ transactions: 1, farm: 1, keys: 2 });
  });

  it('looks up only the keys of those who join while nothing changes', async ({ farm }) => {
    let lookups = 0;
    const identify: Identify = (all) => {
      lookups++;
      return ownerOf(1)(all);
    };
    for (let n = 0; n < 20; n++) await watchOfFarm(farm.store, identify);
    // One to find the company and one to begin; on PostgreSQL, all once as the store listens.
    expect(lookups).toBeLessThanOrEqual(3 * 20);
  });

  it('names the probe of a reading that is older than its newest one', async ({ farm }) => {
    const { oak } = await withAlert(farm);
    const reported = await watchOfFarm(farm.store);
    await sendReadings(farm, oak, sameValue(oak, FARM_NOW - 10 * MINUTE, 28));
    await expect.poll(() => reported).toEqual([[oak.id]]);
  });

  it('names several probes, and the farm where there are many or a parcel changes', async ({
    farm,
  }) => {
    const probes: TestProbe[] = [];
    for (let n = 0; n < 21; n++)
      probes.push(await installProbe(farm, { name: `P${n}`, sensors: moistureSensorsAt(10) }));
    const reported = await watchOfFarm(farm.store);
    const send = (sent: readonly TestProbe[], at: number) =>
      farm.write((db) =>
        recordRows(
          db,
          sent.map(({ sensorIds }) => [sensorIds[0]!, at, 30]),
        ),
      );
    await send(probes.slice(0, 3), FARM_NOW);
    // On PostgreSQL, a new connection may repeat a report.
    await expect.poll(() => reported.at(-1)).toEqual(probes.slice(0, 3).map(({ id }) => id));
    await send(probes, FARM_NOW + MINUTE);
    await expect.poll(() => reported.at(-1)).toBeNull();
    const before = reported.length;
    await farm.wire('set_parcel', { name: 'North block', type: 'fig' });
    await expect.poll(() => reported.slice(before)).toContain(null);
  });
});

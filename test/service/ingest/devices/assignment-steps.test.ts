import { describe, expect, vi } from 'vitest';
import { it as base, iso, MINUTE, type TestFarm } from '../../../farm.ts';

/** More than two transactions write. */
const WAITING = 1_100;
const MAX_PER_TRANSACTION = 500;

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [
        ...['Oak 1', 'Oak 2'].map((uid) => ({
          ...{ uid, name: uid },
          sensors: [{ type: 'humidity', depth: 20 }],
        })),
        { uid: 'Mast', name: 'Mast', category: 'WEATHER_STATION' },
      ],
    });
    await use(farm);
  },
});

const sent = (farm: TestFarm, minutesAgo: number) => ({
  ...{ device: 'one', type: 'humidity', value: 25 },
  time: iso(farm.now - minutesAgo * MINUTE),
});

const minutes = Array.from({ length: WAITING }, (_, n) => 10 + n);

const sendBeforeAssignment = (farm: TestFarm) =>
  farm.wire('ingest', { readings: minutes.map((minutesAgo) => sent(farm, minutesAgo)) });

const assign = (farm: TestFarm, module: string) =>
  farm.tool<{ earlierReadings: number }>('assign_device', { device: 'one', module });

async function undo(farm: TestFarm): Promise<void> {
  const { data } = await farm.tool<{ data: { id: number }[] }>('list_changes', {});
  await farm.tool('undo', { changeId: String(data[0]!.id) });
}

const countIn = (farm: TestFarm, table: 'readings' | 'device_readings' | 'rain') =>
  farm.write(
    async (db) =>
      (
        await db
          .selectFrom(table)
          .select('company_id' as never)
          .execute()
      ).length,
  );

const readingsOf = async (farm: TestFarm) => ({
  written: await countIn(farm, 'readings'),
  waiting: await countIn(farm, 'device_readings'),
});

type Write = TestFarm['store']['writeUnscoped'];

/** Calls `around` for each write transaction of `body`. */
async function withTransactions(
  farm: TestFarm,
  around: (transaction: Write) => Write,
  body: () => Promise<unknown>,
): Promise<void> {
  const { store } = farm;
  const { scopeToCompany } = store;
  const spied = around(store.writeUnscoped.bind(store) as Write);
  vi.spyOn(store, 'writeUnscoped').mockImplementation(spied as never);
  vi.spyOn(store, 'write').mockImplementation(((companyId, write, options) =>
    spied(
      companyId,
      (all) => write(scopeToCompany.call(store, all, companyId)),
      options,
    )) as typeof store.write);
  try {
    await body();
  } finally {
    vi.restoreAllMocks();
  }
}

/** How many readings the largest transaction of `body` adds, or removes. */
async function largestTransaction(farm: TestFarm, body: () => Promise<unknown>): Promise<number> {
  let largest = 0;
  const counting =
    (transaction: Write): Write =>
    (companyId, write, options) =>
      transaction(
        companyId,
        async (all) => {
          const count = async () =>
            Number(
              (
                await all
                  .selectFrom('readings')
                  .select(({ fn }) => fn.countAll<number>().as('n'))
                  .executeTakeFirstOrThrow()
              ).n,
            );
          const before = await count();
          const result = await write(all);
          largest = Math.max(largest, Math.abs((await count()) - before));
          return result;
        },
        options,
      );
  await withTransactions(farm, counting, body);
  return largest;
}

/** Fails all transactions of `body` after the first `count`, as after a kill. */
function breakOffAfter(farm: TestFarm, count: number, body: () => Promise<unknown>) {
  let begun = 0;
  const failing =
    (transaction: Write): Write =>
    async (...args) => {
      if (++begun > count) throw new Error('killed');
      return transaction(...args);
    };
  return withTransactions(farm, failing, body);
}

describe('an assignment with many waiting readings', () => {
  it('writes some in each transaction, as do its undo and the undo of that', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    const largest = [
      await largestTransaction(farm, async () => {
        expect((await assign(farm, 'Oak 1')).earlierReadings).toBe(WAITING);
      }),
    ];
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });

    for (const isAssigned of [false, true, false]) {
      largest.push(await largestTransaction(farm, () => undo(farm)));
      const written = isAssigned ? WAITING : 0;
      expect(await readingsOf(farm)).toEqual({ written, waiting: WAITING - written });
    }
    expect(Math.max(...largest)).toBeLessThanOrEqual(MAX_PER_TRANSACTION);
  });

  it('by set_module writes all of them too, and is undone', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    const args = { name: 'Oak 1', device: 'one 20' };
    expect(await largestTransaction(farm, () => farm.tool('set_module', args))).toBeLessThanOrEqual(
      MAX_PER_TRANSACTION,
    );
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    await undo(farm);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: WAITING });
  });

  it('leaves the readings of others as they were when it is undone', async ({ farm }) => {
    const byHand = { module: 'Oak 1', type: 'humidity', depth: 20, value: 30 };
    const time = iso(farm.now - 300.5 * MINUTE);
    await farm.wire('ingest', { readings: [{ ...byHand, time }] });
    await sendBeforeAssignment(farm);
    await assign(farm, 'Oak 1');
    await undo(farm);
    expect(await readingsOf(farm)).toEqual({ written: 1, waiting: WAITING });
  });

  it('takes back the rain of a day that two transactions wrote', async ({ farm }) => {
    const rain = minutes.map((minutesAgo, n) => ({
      ...{ device: 'one', mm: (WAITING - n) / 100, isDayTotal: true },
      time: iso(farm.now - minutesAgo * MINUTE),
    }));
    await farm.wire('ingest', { rain });
    await assign(farm, 'Mast');
    const written = await countIn(farm, 'rain');
    expect(written).toBeGreaterThan(0);

    await undo(farm);
    expect(await countIn(farm, 'rain')).toBe(0);
    await undo(farm);
    expect(await countIn(farm, 'rain')).toBe(written);
  });

  const completions: [string, (farm: TestFarm) => Promise<unknown>][] = [
    ['a round of the jobs', (farm) => farm.tick()],
    [
      'the next messages of the device',
      async (farm) => {
        for (const _ of [1, 2]) await farm.wire('ingest', { readings: [sent(farm, 10)] });
      },
    ],
  ];
  it.for(completions)('that broke off is completed by %s', async ([, complete], { farm }) => {
    await sendBeforeAssignment(farm);
    await breakOffAfter(farm, 2, () => assign(farm, 'Oak 1'));
    expect(await readingsOf(farm)).toEqual({
      written: MAX_PER_TRANSACTION,
      waiting: WAITING - MAX_PER_TRANSACTION,
    });

    await complete(farm);
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    await undo(farm);
    expect(await readingsOf(farm)).toEqual({ written: 0, waiting: WAITING });
  });

  it('that broke off is undone', async ({ farm }) => {
    await sendBeforeAssignment(farm);
    await breakOffAfter(farm, 2, () => assign(farm, 'Oak 1'));
    // The first attempt of the undo finds out what its parts changed.
    await breakOffAfter(farm, 2, () => undo(farm));
    await assign(farm, 'Oak 2');
    expect(await readingsOf(farm)).toEqual({ written: WAITING, waiting: 0 });
    const modules = await farm.write((db) =>
      db
        .selectFrom('readings')
        .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
        .innerJoin('modules', 'modules.id', 'sensors.module_id')
        .select('uid')
        .distinct()
        .execute(),
    );
    expect(modules).toEqual([{ uid: 'Oak 2' }]);
  });
});

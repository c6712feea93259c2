import { describe, expect, onTestFinished, vi } from 'vitest';
import type { WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { runHousekeepingRound } from '../../../src/service/jobs/housekeeping.ts';
import { saveIdempotencyRecord } from '../../../src/store/idempotency.ts';
import { takeLease } from '../../../src/store/leases.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { DAY, FARM_NOW, HOUR, iso, it, MINUTE, type TestFarm, withFarm } from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';
import { afterEachTransaction } from '../../transactions.ts';

/** Daily at 06:00 in Paris, 04:00Z in summer, without an end. */
const daily = { module: 'North 1' };
const HORIZON = 90 * DAY;
/** At least what a step may take. */
const STEP_MS = 50;
const IDLE = { isHeld: false, produced: 0, confirmed: 0, expired: 0, evaluated: 0, notified: 0 };

const describeRows = (rows: readonly WateringBody[]): string[] =>
  rows.map(({ startedAt, status }) => `${startedAt.slice(5, 16)} ${status}`);
const untilOf = async (farm: TestFarm): Promise<(string | null)[]> =>
  (await farm.wire<{ data: { materializedUntil: string | null }[] }>('list_schedules')).data.map(
    ({ materializedUntil }) => materializedUntil,
  );

describe('tick', () => {
  it('confirms past occurrences of an auto schedule, with nobody as verifier and their doses', async ({
    farm,
  }) => {
    await farm.declare('North 1', { system: 'sprinkler', flowMmPerH: 6 });
    const schedule = await farm.createSchedule({ ...daily, endsOn: '2026-07-04' });
    const before = await farm.occurrences(schedule);
    farm.now = Date.UTC(2026, 6, 3, 4);
    expect(await farm.tick()).toEqual({ ...IDLE, confirmed: 2 });
    // A watering of exactly now is past too.
    expect(await farm.occurrences(schedule)).toEqual([
      { ...before[0], status: 'done' },
      { ...before[1], status: 'done' },
      before[2],
    ]);
  });

  it('leaves those of a manual schedule planned', async ({ farm }) => {
    const schedule = await farm.createSchedule({
      ...daily,
      endsOn: '2026-07-04',
      confirmationPolicy: 'manual',
    });
    const before = await farm.occurrences(schedule);
    farm.now += 5 * DAY;
    await farm.tick();
    expect(await farm.occurrences(schedule)).toEqual(before);
  });

  it('extends the horizon from materializedUntil', async ({ farm }) => {
    const schedule = await farm.createSchedule(daily);
    farm.now += 2 * DAY;
    expect(await farm.tick()).toEqual({ ...IDLE, produced: 2, confirmed: 2 });
    expect(await untilOf(farm)).toEqual([iso(farm.now + HORIZON)]);
    expect(describeRows(await farm.occurrences(schedule)).slice(-2)).toEqual([
      '09-30T04:00 planned',
      '10-01T04:00 planned',
    ]);
  });

  it('continues after months of downtime, and confirms what passed meanwhile', async ({ farm }) => {
    const schedule = await farm.createSchedule(daily);
    farm.now += 200 * DAY;
    await farm.tick();
    const rows = await farm.occurrences(schedule);
    // One a day from 2 July on, 200 of them past and 90 ahead; in Paris 06:00 is 05:00Z from 25
    // October on.
    expect(rows).toHaveLength(290);
    expect(rows.filter(({ status }) => status === 'done')).toHaveLength(200);
    expect(rows.find(({ startedAt }) => startedAt > '2026-10-25')!.startedAt).toBe(
      '2026-10-25T05:00:00.000Z',
    );
    expect(new Set(rows.map(({ startedAt }) => startedAt.slice(0, 10))).size).toBe(290);
  });

  it('produces nothing for a stopped schedule', async ({ farm }) => {
    await farm.createSchedule({ ...daily, isActive: false });
    farm.now += 100 * DAY;
    expect(await farm.tick()).toEqual(IDLE);
    expect([await farm.occurrences(), await untilOf(farm)]).toEqual([[], [null]]);
  });

  it('covers every company', async ({ farm }) => {
    await farm.createSchedule({ ...daily, endsOn: '2026-07-02' });
    await farm.createSchedule({ module: 'Blue 1', endsOn: '2026-07-02' }, { company: 'Mas Bleu' });
    farm.now += DAY;
    expect(await farm.tick()).toMatchObject({ confirmed: 2 });
  });

  it('deletes idempotency records once they are 24 hours old', async ({ farm }) => {
    await farm.createSchedule({ ...daily, isActive: false }, { idempotencyKey: 'first' });
    farm.now += MINUTE;
    await farm.createSchedule({ ...daily, isActive: false }, { idempotencyKey: 'second' });
    const keys = () => farm.write((db) => db.selectFrom('idempotency').select('key').execute());
    farm.now = FARM_NOW + DAY - 1;
    expect(await farm.tick()).toEqual(IDLE);
    farm.now = FARM_NOW + DAY;
    expect(await farm.tick()).toEqual({ ...IDLE, expired: 1 });
    expect(await keys()).toEqual([{ key: 'second' }]);
  });

  it('deletes many of them in several transactions', async ({ farm }) => {
    await farm.write(async (db) => {
      for (let n = 0; n < 250; n++)
        await saveIdempotencyRecord(
          db,
          { caller: 'key 1', operation: 'log_watering', key: `k-${n}` },
          { fingerprint: 'f', body: 'null', advisories: '[]', createdAt: farm.now },
        );
    });
    farm.now += DAY;

    const left = () =>
      farm.store.readAll(
        async (all) => (await all.selectFrom('idempotency').select('key').execute()).length,
      );
    expect(await afterEachTransaction(farm, left, () => farm.tick())).toEqual([150, 50, 0]);
  });

  it('computes the days of a new time zone, and those of the former one after an undo', async ({
    farm,
  }) => {
    await farm.write((db) => recordRows(db, [[1, Date.parse('2026-07-01T23:00Z'), 20]]));
    const starts = async () => {
      await farm.tick();
      const days = await farm.write((db) =>
        db.selectFrom('reading_local_days').select('bucket_at').execute(),
      );
      return days.map(({ bucket_at }) => iso(bucket_at));
    };
    expect(await starts()).toEqual(['2026-07-01T22:00:00.000Z']);
    await farm.tool('set_company', { timezone: 'America/Lima' });
    expect(await starts()).toEqual(['2026-07-01T05:00:00.000Z']);
    await farm.tool('undo');
    expect(await starts()).toEqual(['2026-07-01T22:00:00.000Z']);
  });

  it('writes nothing the second time', async ({ farm }) => {
    await farm.createSchedule(daily);
    await farm.createSchedule(
      { ...daily, confirmationPolicy: 'manual' },
      { idempotencyKey: 'old' },
    );
    farm.now += 3 * DAY;
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(true);
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });

  it('writes nothing without due work', async ({ farm }) => {
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
    await farm.createSchedule(daily);
    for (let minutes = 1; minutes < 60; minutes += 7) {
      farm.now = FARM_NOW + minutes * MINUTE;
      expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
    }
  });

  it('writes nothing for past waterings that a person planned', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...daily, endsOn: '2026-07-02' });
    await farm.correct((await farm.occurrences(schedule))[0]!, { durationMin: 20 });
    farm.now += 2 * DAY;
    await farm.tick();
    expect(await farm.isWrittenBy(() => farm.tick())).toBe(false);
  });

  it('advances several schedules in one transaction, as does a list that finds them due', async ({
    farm,
  }) => {
    for (const minute of ['10', '20', '30', '40', '50'])
      await farm.createSchedule({ ...daily, startTimes: [`06:${minute}`] });
    const countDone = async () =>
      (
        await farm.store.readAll((all) =>
          all.selectFrom('waterings').select('id').where('status', '=', 'done').execute(),
        )
      ).length;
    const confirmedBy = async (body: () => Promise<unknown>) =>
      new Set(await afterEachTransaction(farm, countDone, body));

    // No transaction takes too long while no time passes.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    farm.now += 5 * DAY;
    expect(await confirmedBy(() => farm.tool('list_waterings'))).toEqual(new Set([25]));
    farm.now += 5 * DAY;
    expect(await confirmedBy(() => farm.tick())).toEqual(new Set([50]));
  });

  it('produces the occurrences of a minute in that minute', async ({ farm }) => {
    const schedule = await farm.createSchedule({ ...daily, startTimes: ['12:01'] });
    farm.now += MINUTE;
    expect(await farm.tick()).toEqual({ ...IDLE, produced: 1, confirmed: 1 });
    expect(describeRows(await farm.occurrences(schedule)).at(-1)).toBe('09-29T10:01 planned');
  });

  it('stops when aborted, and the next round does the rest', async ({ farm }) => {
    await farm.createSchedule(daily);
    const until = await untilOf(farm);
    farm.now += DAY;
    expect(await farm.tick({ signal: AbortSignal.abort() })).toEqual(IDLE);
    expect(await untilOf(farm)).toEqual(until);
    expect(await farm.tick({ holder: 'another' })).toEqual({ ...IDLE, produced: 1, confirmed: 1 });
  });
});

/** The farm's store, with a callback before the n-th write (from 1). */
const interruptedStore = (store: Store, number: number, interrupt: () => Promise<void>): Store => {
  let writes = 0;
  return new Proxy(store, {
    get(target, name) {
      if (!String(name).startsWith('write')) return Reflect.get(target, name).bind(target);
      return async (...input: unknown[]) => {
        writes++;
        if (writes >= number) await interrupt();
        return Reflect.get(target, name).call(target, ...input);
      };
    },
  });
};

/** The farm's store, where each statement of a write takes as long as a step may. */
function slowStore(store: Store): Store {
  const now = performance.now.bind(performance);
  let slowness = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + slowness);
  onTestFinished(() => clock.mockRestore());
  const observer = {
    onConnectionAcquired() {},
    onBegin() {},
    onQuery() {
      slowness += STEP_MS;
    },
  };
  return new Proxy(store, {
    get(target, name): unknown {
      if (name !== 'writeUnscoped') return Reflect.get(target, name).bind(target);
      const { writeUnscoped } = target;
      return (...[companyId, write, options]: Parameters<typeof writeUnscoped>) =>
        writeUnscoped.call(target, companyId, write, { ...options, observer });
    },
  });
}

const leases = (farm: TestFarm) =>
  farm.store.readAll((all) => all.selectFrom('leases').selectAll().execute());
/** Another process takes the lease for some ms of real time, whoever holds it. */
const holdLease = (farm: TestFarm, holder: string, ms: number) =>
  farm.store.writeAll(async (all) => {
    await all.deleteFrom('leases').execute();
    await takeLease(all, { name: 'housekeeping', holder, until: Date.now() + ms }, Date.now());
  });
/** A parcel of three probes watered twelve times a day, 100 days behind: more than one step. */
const longBacklog = async (farm: TestFarm) => {
  const startTimes = Array.from(
    { length: 12 },
    (_, index) => `${String(2 * index).padStart(2, '0')}:30`,
  );
  await farm.createSchedule({ parcel: 'North block', startTimes, endsOn: '2026-11-30' });
  farm.now += 100 * DAY;
};
const records = (farm: TestFarm) =>
  farm.write((db) =>
    db
      .selectFrom('waterings')
      .select(['module_id', 'started_at', 'status'])
      .orderBy('module_id')
      .orderBy('started_at')
      .execute(),
  );
let undisturbed: ReturnType<typeof records> | undefined;
/** After one round that nothing disturbs. */
const expectedRecords = () => {
  undisturbed ??= withFarm(async (farm) => {
    await longBacklog(farm);
    await farm.tick();
    return records(farm);
  });
  return undisturbed;
};

describe('the lease of the housekeeping', () => {
  it('does not block a second holder when the first took it while its clock was a year ahead', async ({
    farm,
  }) => {
    const schedule = await farm.createSchedule(daily);
    farm.now += DAY;
    await holdLease(farm, 'first', 365 * DAY);
    expect(await farm.tick({ holder: 'second' })).not.toMatchObject({ isHeld: true });
    expect(await farm.occurrences(schedule)).toHaveLength(91);
  });

  it('blocks a second holder', async ({ farm }) => {
    await farm.createSchedule(daily);
    const until = await untilOf(farm);
    farm.now += DAY;
    await holdLease(farm, 'first', 60_000);
    expect(await farm.tick({ holder: 'second' })).toEqual({ ...IDLE, isHeld: true });
    expect(await untilOf(farm)).toEqual(until);
  });

  it('does not block its own holder', async ({ farm }) => {
    await farm.createSchedule(daily);
    farm.now += DAY;
    await holdLease(farm, 'first', 60_000);
    expect(await farm.tick({ holder: 'first' })).toEqual({ ...IDLE, produced: 1, confirmed: 1 });
  });

  it('is released at the end', async ({ farm }) => {
    await farm.createSchedule(daily);
    for (const holder of ['first', 'second']) {
      farm.now += DAY;
      expect(await farm.tick({ holder })).toMatchObject({ isHeld: false, produced: 1 });
      expect(await leases(farm)).toEqual([]);
    }
  });

  it('is taken over once it has expired', async ({ farm }) => {
    await farm.createSchedule(daily);
    farm.now += DAY;
    await holdLease(farm, 'first', -1);
    expect(await farm.tick({ holder: 'second' })).toEqual({ ...IDLE, produced: 1, confirmed: 1 });
  });

  it('expires in real time, whatever the clock of the round', async ({ farm }) => {
    for (const now of [FARM_NOW + 30 * 365 * DAY, FARM_NOW - 20 * 365 * DAY]) {
      farm.now = now;
      await holdLease(farm, 'first', 60_000);
      await farm.createSchedule({
        ...daily,
        startTimes: ['00:00'],
        endsOn: iso(now + 9 * DAY).slice(0, 10),
      });
      farm.now += DAY;
      expect(await farm.tick({ holder: 'second' })).toMatchObject({ isHeld: true });
      await holdLease(farm, 'first', -1);
      let until = 0;
      const store = interruptedStore(farm.store, 2, async () => {
        until = (await leases(farm))[0]?.expires_at ?? until;
      });
      const began = Date.now();
      expect(await runHousekeepingRound(store, { now: farm.now, holder: 'second' })).toMatchObject({
        isHeld: false,
      });
      expect(until).toBeGreaterThan(began);
      expect(until).toBeLessThan(Date.now() + HOUR);
    }
  });

  it('stops a holder that lost it, and the new holder does the rest', async ({ farm }) => {
    await longBacklog(farm);
    const before = (await records(farm)).length;
    let takeovers = 0;
    // The first write takes the lease, the second does a step; then another process takes the
    // lease.
    const store = interruptedStore(slowStore(farm.store), 3, async () => {
      if (takeovers++ === 0) await holdLease(farm, 'thief', 60_000);
    });
    const report = await runHousekeepingRound(store, { now: farm.now, holder: 'slow' });
    expect(report.isHeld).toBe(true);
    expect(report.produced).toBeGreaterThan(0);
    const halfway = (await records(farm)).length;
    expect(halfway).toBe(before + report.produced);
    expect(await leases(farm)).toMatchObject([{ holder: 'thief' }]);
    expect(await farm.tick({ holder: 'thief' })).toMatchObject({ isHeld: false });
    expect(await records(farm)).toEqual(await expectedRecords());
    expect((await records(farm)).length).toBeGreaterThan(halfway);
  });

  it('expires after a crash, and the next round finishes the work', async ({ farm }) => {
    await longBacklog(farm);
    const dead = interruptedStore(farm.store, 3, () => Promise.reject(new Error('killed')));
    await expect(runHousekeepingRound(dead, { now: farm.now, holder: 'dead' })).rejects.toThrow(
      'killed',
    );
    const [lease] = await leases(farm);
    expect(lease).toMatchObject({ holder: 'dead' });
    expect(await farm.tick({ holder: 'next' })).toMatchObject({ isHeld: true, produced: 0 });
    await holdLease(farm, 'dead', -1);
    expect(await farm.tick({ holder: 'next' })).toMatchObject({ isHeld: false });
    expect(await records(farm)).toEqual(await expectedRecords());
  });

  it('lets one of several processes work at a time, with the same records', async ({ farm }) => {
    await longBacklog(farm);
    const others = await Promise.all([1, 2].map(() => openStore({ db: farm.db })));
    const keep = async (store: Store, holder: string): Promise<void> => {
      while ((await runHousekeepingRound(store, { now: farm.now, holder })).isHeld)
        await new Promise((next) => setTimeout(next, 5));
    };
    try {
      await Promise.all(
        [farm.store, ...others].map((store, index) => keep(store, `keeper ${index}`)),
      );
    } finally {
      for (const store of others) await store.close();
    }
    expect(await records(farm)).toEqual(await expectedRecords());
    expect(await leases(farm)).toEqual([]);
  });
});

it('gives each company its turn while the schedules of another one take many steps', async ({
  farm,
}) => {
  const times = Array.from({ length: 12 }, (_, n) => `${String(2 * n).padStart(2, '0')}:30`);
  await farm.createSchedule({ parcel: 'North block', startTimes: times });
  await farm.createSchedule({ parcel: 'Blue block' }, { company: 'Mas Bleu' });
  farm.now += 30 * DAY;

  const companies: number[] = [];
  const { writeUnscoped } = farm.store;
  const spy = vi.spyOn(farm.store, 'writeUnscoped').mockImplementation((...args) => {
    companies.push(args[0]);
    return writeUnscoped.apply(farm.store, args) as never;
  });
  await runHousekeepingRound(slowStore(farm.store), { now: farm.now, holder: 'the farm' }).finally(
    () => spy.mockRestore(),
  );

  const [large, small] = [companies[0], companies.find((id) => id !== companies[0])];
  expect(companies.filter((id) => id === large).length).toBeGreaterThan(3);
  expect(companies.indexOf(small!)).toBe(1);
});

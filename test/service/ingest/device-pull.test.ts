import { describe, expect } from 'vitest';
import type { PullProviderName } from '../../../src/domain/ingest/import-options.ts';
import type { MeasurementType } from '../../../src/domain/moisture/measurement.ts';
import { ingestBatch } from '../../../src/service/ingest/batch/batch-ingest.ts';
import { pullDevice } from '../../../src/service/ingest/pull/device-pull.ts';
import { UnreadableAnswerError } from '../../../src/service/ingest/pull/provider.ts';
import { it as base, DAY, HOUR, type TestFarm } from '../../farm.ts';
import { type Cloud, expectedMoisture, INTERVAL_MS, newCloud } from './provider-cloud.ts';

const CREDENTIALS = {
  irrimax: { key: 'secret-key' },
  zentra: { token: 'Token secret-key' },
  davis: { key: 'public', secret: 'secret-key' },
};

const DEVICES: Readonly<Record<PullProviderName, readonly [pulled: string, assigned: string]>> = {
  irrimax: ['8A_8', '8A_8'],
  zentra: ['z6-30302', 'z6-30302/1'],
  davis: ['96230', '420911/1'],
};

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    const sensors = ['humidity', 'temperature'].map((type) => ({ type, depth: 10 }));
    await farm.importFile({ modules: [{ uid: 'North 1', sensors }] });
    await use(farm);
  },
});

const newestOf = (farm: TestFarm): number =>
  Math.floor((farm.now - HOUR) / INTERVAL_MS) * INTERVAL_MS;

const assign = (farm: TestFarm, provider: PullProviderName) =>
  farm.wire('assign_device', {
    device: DEVICES[provider][1],
    moduleId: farm.idOf('North 1'),
    depths: [10],
  });

const pull = (
  farm: TestFarm,
  provider: PullProviderName,
  cloud: Cloud,
  since = farm.now - 7 * DAY,
) =>
  pullDevice(
    {
      provider,
      credentials: CREDENTIALS[provider],
      zone: 'Europe/Paris',
      clock: () => farm.now,
      signal: new AbortController().signal,
      pause: async () => undefined,
      read: farm.write,
      fetch: async (path, headers) => {
        const { status = 200, body = '' } = cloud.answer(
          new URL(path, 'http://cloud.example'),
          headers,
        );
        if (status !== 200) throw new Error(`status ${status}`);
        return Buffer.from(body);
      },
      async write(batch, alongside) {
        const call = {
          sender: 'pull',
          now: farm.now,
          zone: 'Europe/Paris',
          read: farm.write,
          write: farm.write,
        };
        const lastStage = await ingestBatch(call, batch);
        return farm.write(async (db) => {
          const result = await lastStage(db);
          await alongside(db);
          return result;
        });
      },
    },
    DEVICES[provider][0],
    { since, isAgain: false },
  );

const stored = async (
  farm: TestFarm,
  type: MeasurementType = 'humidity',
): Promise<[number, number][]> =>
  farm.write(async (db) => {
    const rows = await db
      .selectFrom('readings')
      .innerJoin('sensors', 'sensors.id', 'readings.sensor_id')
      .select(['readings.at', 'readings.value'])
      .where('sensors.type', '=', type)
      .orderBy('readings.at')
      .execute();
    return rows.map(({ at, value }) => [at, Math.round(value * 1000) / 1000]);
  });

const markOf = (farm: TestFarm) =>
  farm.write(
    async (db) =>
      (await db.selectFrom('pull_marks').select('pulled_until').executeTakeFirst())?.pulled_until,
  );

describe('a pull', () => {
  // The dates of ZENTRA Cloud may be in any zone: 14 hours more, either way, are asked for.
  it.for([
    ['irrimax', 7, 0],
    ['zentra', 2, 14 * HOUR],
  ] as const)(
    'from %s stores the last days, then what is new',
    async ([provider, days, margin], { farm }) => {
      const newest = newestOf(farm);
      const cloud = newCloud(newest - 4 * HOUR);
      await assign(farm, provider);
      const first = await pull(farm, provider, cloud, farm.now - days * DAY);
      expect(await stored(farm)).toEqual(
        expectedMoisture(farm.now - days * DAY - margin, newest - 4 * HOUR),
      );
      expect(await markOf(farm)).toBe(newest - 4 * HOUR);
      cloud.newest = newest;
      expect(await pull(farm, provider, cloud)).toMatchObject({
        requests: 1,
        written: provider === 'irrimax' ? 16 : 8,
      });
      expect(await stored(farm)).toEqual(expectedMoisture(farm.now - days * DAY - margin, newest));
      expect(await markOf(farm)).toBe(newest);
      if (provider !== 'irrimax') return;
      // -1.000 is a failed measurement, at 20 cm in every row.
      expect(first.failedMeasurements).toBeGreaterThan(0);
      expect((await stored(farm, 'temperature')).every(([, value]) => value === 18.25)).toBe(true);
    },
  );

  it('asks Davis for a day at a time, and keeps the readings of a device that is not assigned', async ({
    farm,
  }) => {
    expect(await pull(farm, 'davis', newCloud(newestOf(farm)))).toMatchObject({
      // A day less two seconds, for a week.
      requests: 8,
      written: 0,
      rejected: 0,
      storedUnassigned: expect.any(Number),
    });
    expect(await farm.wire('list_devices')).toMatchObject({
      data: [
        {
          device: '420911/1',
          module: null,
          newest: [{ type: 'temperature', value: 18 }, { type: 'tensio' }],
        },
      ],
    });
  });

  it('resumes where an earlier one failed', async ({ farm }) => {
    const cloud = newCloud(newestOf(farm));
    const since = farm.now - 100 * DAY;
    await assign(farm, 'irrimax');
    cloud.faults.push({}, {}, {}, { status: 500 });
    await expect(pull(farm, 'irrimax', cloud, since)).rejects.toThrow('status 500');
    const mark = (await markOf(farm))!;
    expect((await stored(farm)).at(-1)![0]).toBe(mark);
    expect(mark).toBeLessThan(farm.now - 9 * DAY);
    // Three requests of 30 days are done.
    expect(await pull(farm, 'irrimax', cloud)).toMatchObject({ requests: 1 });
    expect(await stored(farm)).toEqual(expectedMoisture(since, newestOf(farm)));
  });

  it('stores nothing of an answer that it cannot read', async ({ farm }) => {
    const cloud = newCloud(newestOf(farm));
    await assign(farm, 'zentra');
    cloud.faults.push({ body: '<html>maintenance</html>' });
    await expect(pull(farm, 'zentra', cloud)).rejects.toThrow(UnreadableAnswerError);
    expect([await markOf(farm), await stored(farm)]).toEqual([undefined, []]);
  });
});

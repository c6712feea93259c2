import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { factCache } from '../../../src/service/facts/fact-cache.ts';
import { loadProbeFacts } from '../../../src/service/facts/probe-facts-loading.ts';
import { deleteReadings } from '../../../src/store/ingest/reading-writes.ts';
import { DAY, FARM_NOW, HOUR, it, MINUTE, type TestFarm, withFarm } from '../../farm.ts';
import { propertyRuns } from '../../property-runs.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

const LOAM = 6;
const SAND = 1;

const factsOf = (farm: TestFarm, ids: readonly number[]) =>
  farm.store.read(1, (db) =>
    loadProbeFacts({ db, now: farm.now, zone: 'Europe/Paris', lang: 'en' }, ids),
  );

/** Found among what is kept, and computed from nothing. */
async function keptAndNew(farm: TestFarm, ids: readonly number[]) {
  const kept = await factsOf(farm, ids);
  factCache.clear();
  const computed = await factsOf(farm, ids);
  return { kept, computed };
}

async function withProbes(body: (farm: TestFarm, probes: readonly TestProbe[]) => Promise<void>) {
  await withFarm(async (farm) => {
    const soil = await installProbe(farm, {
      sensors: moistureSensorsAt(10, 30),
      parcel: 'North block',
      rootDepthCm: 60,
    });
    const mixed = await installProbe(farm, {
      name: 'Elm',
      category: 'TENSIOMETER',
      parcel: 'North block',
      sensors: [
        ['tensio', 20],
        ['humidity', 20],
      ],
    });
    const hourly = instantsEvery(HOUR, FARM_NOW - 16 * DAY, FARM_NOW);
    for (const [index, at] of hourly.entries()) {
      if (index % 12 !== 0) continue;
      await soil.recordAll(hourly.slice(index, index + 12), 30 - (at % (4 * DAY)) / DAY);
    }
    await mixed.recordAll(hourly.slice(-40), 25);
    await body(farm, [soil, mixed]);
  });
}

type Change = (farm: TestFarm, probes: readonly TestProbe[]) => Promise<unknown>;

const value = fc.double({ min: 5, max: 45, noNaN: true });
const minutesAgo = fc.oneof(
  fc.integer({ min: -40, max: 90 }),
  fc.integer({ min: 0, max: 15 * 24 * 60 }),
);

const change: fc.Arbitrary<{ name: string; make: Change }> = fc.oneof(
  fc.record({ probe: fc.nat(1), sensor: fc.nat(1), ago: minutesAgo, value }).map((reading) => ({
    name: `reads ${JSON.stringify(reading)}`,
    make: (farm: TestFarm, probes: readonly TestProbe[]) =>
      probes[reading.probe]!.record(reading.sensor, [
        [farm.now - reading.ago * MINUTE, reading.value],
      ]),
  })),
  fc.record({ hour: fc.nat(300), sensor: fc.nat(1) }).map(({ hour, sensor }) => ({
    name: `deletes the reading of hour ${hour}`,
    make: async (farm: TestFarm, [soil]: readonly TestProbe[]) => {
      const sensorId = soil!.sensorIds[sensor]!;
      const at = FARM_NOW - hour * HOUR;
      await farm.write(async (db) => {
        const row = await db
          .selectFrom('readings')
          .select('value')
          .where('sensor_id', '=', sensorId)
          .where('at', '=', at)
          .executeTakeFirst();
        if (row) await deleteReadings(db, [{ sensorId, at, value: row.value }]);
      });
    },
  })),
  fc.integer({ min: 20, max: 90 }).map((rootDepthCm) => ({
    name: `roots ${rootDepthCm}`,
    make: (farm: TestFarm) => farm.tool('set_probe_settings', { module: 'Oak', rootDepthCm }),
  })),
  fc.constantFrom(LOAM, SAND).map((horizon) => ({
    name: `soil ${horizon}`,
    make: (farm: TestFarm) => declareSoil(farm, 'North block', [[horizon, 0, 60]]),
  })),
  fc.integer({ min: 20, max: 40 }).map((height) => ({
    name: `line ${height}`,
    make: (farm: TestFarm) =>
      farm.tool('create_annotation', {
        module: 'Oak',
        type: 'h-line',
        p1: [FARM_NOW, height],
        style: { fill: 'threshold1' },
      }),
  })),
  fc
    .record({ horizon: fc.constantFrom(LOAM, SAND), ahead: fc.integer({ min: 1, max: 9_000 }) })
    .map(({ horizon, ahead }) => ({
      name: `soil ${horizon} by a clock that is ${ahead} ms ahead`,
      make: async (farm: TestFarm) => {
        farm.now += ahead;
        await declareSoil(farm, 'North block', [[horizon, 0, 60]]);
        await farm.tool('set_probe_settings', { module: 'Oak', rootDepthCm: 40 + horizon });
        farm.now -= ahead;
      },
    })),
  fc.integer({ min: 1, max: 300 }).map((hour) => ({
    name: `watered ${hour} hours ago`,
    make: (farm: TestFarm) =>
      farm.tool('log_watering', {
        module: 'Oak',
        startedAt: new Date(farm.now - hour * HOUR).toISOString(),
        inputMode: 'duration',
        durationMin: 30,
      }),
  })),
  fc
    .oneof(fc.integer({ min: 1, max: 90 * MINUTE }), fc.integer({ min: 1, max: 30 * HOUR }))
    .map((ms) => ({
      name: `waits ${ms} ms`,
      make: async (farm: TestFarm) => {
        farm.now += ms;
      },
    })),
);

describe('what was computed from readings', () => {
  it('is found again while nothing changes', async () => {
    await withProbes(async (farm, probes) => {
      const ids = probes.map(({ id }) => id);
      const [first] = await factsOf(farm, ids);
      const [second] = await factsOf(farm, ids);
      expect(second!.recent).toBe(first!.recent);
      await probes[1]!.record(0, [[farm.now, 30]]);
      const [third] = await factsOf(farm, ids);
      expect(third!.recent).toBe(first!.recent);
      await probes[0]!.record(0, [[farm.now, 30]]);
      const [fourth] = await factsOf(farm, ids);
      expect(fourth!.recent).not.toBe(first!.recent);
    });
  });

  it('is never stale, whatever changes', async () => {
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 6, maxLength: 14 }),
      async (changes) => {
        await withProbes(async (farm, probes) => {
          const ids = probes.map(({ id }) => id);
          await factsOf(farm, ids);
          for (const { name, make } of changes) {
            await make(farm, probes);
            const { kept, computed } = await keptAndNew(farm, ids);
            expect(kept, name).toEqual(computed);
          }
        });
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(120) });
  });
});

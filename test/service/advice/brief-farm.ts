import { sensorsOf } from '../../../src/store/company/sensors.ts';
import { DAY, depthAt, HOUR, iso, type TestFarm } from '../../farm.ts';
import { type Reading, recordRows } from '../../store/stored-readings.ts';

/** Numbers from 0 to 1 that a seed gives, the same each time. Mulberry32, by Tommy Ettinger. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTURES = ['Sand', 'Sandy loam', 'Loam', 'Silty clay loam', 'Clay'] as const;
const SETUPS = [
  { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 0.8, irrigatedAreaM2: 12_000 },
  { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: 30_000 },
  { system: 'pivot', flowMmPerH: 12 },
  { system: 'sprinkler', irrigatedAreaM2: 8000 },
  { system: 'micro_sprinkler' },
] as const;

const HOURS = 15 * 24;

/**
 * Adds probes to Mas Rouge, ten a parcel: dry and wet, with and without equipment, soil and root
 * depth, silent for days or never read, with waterings done, planned and unconfirmed.
 */
export async function addManyProbes(farm: TestFarm, probes: number, seed: number): Promise<void> {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const begin = farm.now - HOURS * HOUR;
  const parcels = Array.from({ length: Math.ceil(probes / 10) }, (_, index) => ({
    name: `Block ${index}`,
    ...(random() < 0.9
      ? {
          soilProfile: [{ usdaClass: pick(TEXTURES), depthTopCm: 0, depthBottomCm: 80 }],
        }
      : {}),
    ...(random() < 0.8 ? { installation: pick(SETUPS) } : {}),
  }));
  const imeis = Array.from({ length: Math.ceil(probes / 25) }, (_, index) =>
    String(350_000_000_000_000 + index),
  );
  const gateways = imeis.map((imei) => ({
    imei,
    assignedAt: '2025-01-10T00:00:00Z',
    ...(random() < 0.9
      ? {
          status: { lastSeen: iso(farm.now - (random() < 0.8 ? HOUR : 3 * DAY)) },
        }
      : {}),
  }));
  const modules = Array.from({ length: probes }, (_, index) => ({
    uid: `P${index}`,
    name: `Probe ${index}`,
    category: random() < 0.95 ? 'SOIL_PROBE' : pick(['TENSIOMETER', 'WEATHER_STATION']),
    parcel: parcels[Math.floor(index / 10)]!.name,
    gateway: pick(imeis),
    ...(random() < 0.97 ? { commissionedAt: '2025-01-11T09:00:00Z' } : {}),
    sensors: [15, 45].map((depth) => ({ type: 'humidity', depth })),
    ...(random() < 0.8 ? { settings: { rootDepthCm: 60 } } : {}),
  }));
  await farm.importFile({ parcels, gateways, modules });
  await record(farm, begin, random);
  await water(
    farm,
    modules.map(({ name }) => name),
    parcels.map(({ name }) => name),
    random,
  );
}

async function record(farm: TestFarm, begin: number, random: () => number): Promise<void> {
  await farm.write(async (db) => {
    const rows = await db
      .selectFrom('modules')
      .select('id')
      .where('uid', 'like', 'P%')
      .orderBy('id')
      .execute();
    for (const { id } of rows) {
      const wet = 12 + 26 * random();
      const aDay = 0.1 + random();
      let hours = HOURS;
      if (random() < 0.08) hours = random() < 0.3 ? 0 : HOURS - 30 - Math.floor(100 * random());
      const sensors = await sensorsOf(db, [id]);
      const readings = sensors.flatMap((sensor, deep) =>
        Array.from({ length: hours }, (_, hour): Reading => {
          const value = Math.max(2, wet + 3 * deep - (aDay * hour) / 24);
          return [sensor.id, begin + hour * HOUR, value];
        }),
      );
      if (readings.length === 0) continue;
      await recordRows(db, readings);
    }
  });
}

async function water(
  farm: TestFarm,
  probes: readonly string[],
  parcels: readonly string[],
  random: () => number,
): Promise<void> {
  const now = farm.now;
  for (const parcel of parcels) {
    if (random() < 0.5) continue;
    // A few days ago, so that some waterings are over and those of manual schedules wait to be
    // confirmed.
    farm.now = now - 3 * DAY;
    const confirmationPolicy = random() < 0.5 ? 'manual' : 'auto';
    await farm.createSchedule({
      parcel,
      confirmationPolicy,
      durationMin: 20 + Math.floor(200 * random()),
    });
  }
  farm.now = now;
  await farm.tick();
  for (const module of probes) {
    if (random() < 0.1)
      await farm.log(module, {
        startedAt: iso(now - 30 * DAY),
        inputMode: 'volume_m3',
        inputVolumeM3: 40,
      });
    if (random() < 0.1) await farm.log(module, depthAt(now + 6 * HOUR, 1 + 40 * random()));
  }
}

import { DAY, FARM_NOW, HOUR, MINUTE, type TestFarm } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

const LOAM = 6;

/** 06:00 in Paris, so many days before today. */
export const startDaysAgo = (days: number): number => FARM_NOW - 4 * HOUR - 2 * HOUR - days * DAY;

/** Drying by a fifth of a point a day to 20 % now, with rises of 5 points that are gone in two days. */
const moistureAt = (at: number, rises: readonly number[]): number =>
  rises.reduce(
    (value, rise) => {
      const age = (at - rise) / (2 * DAY);
      return age < 0 || age > 1 ? value : value + 5 * (1 - age);
    },
    20 + ((FARM_NOW - at) / DAY) * 0.2,
  );

interface WitnessProbe {
  readonly name: string;
  /** The days before today on whose watering it rises, an hour after its start. */
  readonly risesDaysAgo?: readonly number[];
  /** It has no readings of the last days. */
  readonly silentDays?: number;
}

/** Probes of "North block" at 10 and 30 cm, in loam. */
export async function installWitnesses(
  farm: TestFarm,
  probes: readonly WitnessProbe[],
): Promise<TestProbe[]> {
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
  const installed: TestProbe[] = [];
  for (const { name, risesDaysAgo = [], silentDays = 0 } of probes) {
    const probe = await installProbe(farm, {
      name,
      sensors: moistureSensorsAt(10, 30),
      parcel: 'North block',
      rootDepthCm: 40,
    });
    await recordRises(probe, risesDaysAgo, FARM_NOW - silentDays * DAY);
    installed.push(probe);
  }
  return installed;
}

export async function recordRises(
  probe: TestProbe,
  risesDaysAgo: readonly number[],
  until = FARM_NOW,
): Promise<void> {
  for (const sensor of probe.sensorIds.keys()) {
    const rises = risesDaysAgo.map((days) => startDaysAgo(days) + (1 + sensor) * HOUR);
    await probe.record(
      sensor,
      instantsEvery(30 * MINUTE, FARM_NOW - 16 * DAY, until).map(
        (at) => [at, moistureAt(at, rises)] as const,
      ),
    );
  }
}

/** 12 mm in an hour each day at 06:00, from so many days before today to yesterday. */
export async function waterDaily(
  farm: TestFarm,
  target: { readonly module: string } | { readonly parcel: string },
  days: number,
  fields: Record<string, unknown> = {},
): Promise<{ readonly id: number }> {
  const { now } = farm;
  farm.now = startDaysAgo(days) - HOUR;
  const schedule = await farm.createSchedule({
    ...target,
    startTimes: ['06:00'],
    inputMode: 'depth_mm',
    inputDepthMm: 12,
    durationMin: 60,
    endsOn: '2026-06-30',
    ...fields,
  });
  farm.now = now;
  return schedule;
}

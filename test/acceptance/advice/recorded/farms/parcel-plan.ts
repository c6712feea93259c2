import type { UsdaClass } from '../../../../../src/domain/soil/soil-catalog.ts';
import { DAY, HOUR, MINUTE } from '../../../../time.ts';
import type { Random } from './random.ts';
import type { Wetting } from './soil-moisture.ts';

interface Soil {
  readonly usdaClass: UsdaClass;
  readonly wiltingPoint: number;
  readonly fieldCapacity: number;
  readonly saturation: number;
}

export const SOILS: readonly Soil[] = [
  { usdaClass: 'Sandy loam', wiltingPoint: 8, fieldCapacity: 18, saturation: 42 },
  { usdaClass: 'Loam', wiltingPoint: 13, fieldCapacity: 27, saturation: 46 },
  { usdaClass: 'Silt loam', wiltingPoint: 12, fieldCapacity: 31, saturation: 47 },
  { usdaClass: 'Clay loam', wiltingPoint: 21, fieldCapacity: 36, saturation: 48 },
];

/** In mm/h, for how wet the simulated soil gets. */
export const TYPICAL_RATE = 5;

export interface ParcelPlan {
  readonly name: string;
  readonly soil: Soil;
  readonly hasSoil: boolean;
  readonly weather: (typeof WEATHERS)[number];
  readonly waterings: readonly PlannedWatering[];
  /** Rain on this parcel alone. */
  readonly rain: readonly Wetting[];
}

interface PlannedWatering extends Wetting {
  readonly minutes: number;
  readonly fate: (typeof FATES)[number];
}

/** `dry`: no watering for more than a week; `rainy`: much rain since the last one. */
const WEATHERS = ['usual', 'dry', 'dry', 'rainy'] as const;

export function parcelPlan(name: string, now: number, random: Random): ParcelPlan {
  const weather = random.pick(WEATHERS);
  const drySince = { usual: 1 * HOUR, dry: random.between(7, 11) * DAY, rainy: 5 * DAY }[weather];
  return {
    name,
    weather,
    soil: random.pick(SOILS),
    hasSoil: random.happens(0.85),
    waterings: randomWaterings(now, now - drySince, random),
    rain:
      weather === 'rainy'
        ? [{ at: now - random.wholeBetween(8, 40) * HOUR, mm: random.wholeBetween(12, 30) }]
        : [],
  };
}

export function randomRain(now: number, random: Random): Wetting[] {
  const past = Array.from({ length: random.wholeBetween(1, 6) }, () => ({
    at: fiveMinutes(now - random.between(3, 50) * DAY),
    mm: random.wholeBetween(1, 30) / 2,
  }));
  const recent = random.happens(0.4)
    ? [
        {
          at: fiveMinutes(now - random.between(0.5, 30) * HOUR),
          mm: random.wholeBetween(2, 16) / 2,
        },
      ]
    : [];
  return [...past, ...recent].sort((a, b) => a.at - b.at);
}

/** Most waterings are logged and wet the soil. */
const FATES = ['logged', 'logged', 'logged', 'logged', 'unlogged', 'dry', 'skipped'] as const;

function randomWaterings(now: number, until: number, random: Random): PlannedWatering[] {
  const waterings: PlannedWatering[] = [];
  const everyDays = random.between(3, 8);
  for (let at = now - 64 * DAY; at < until; at += random.between(0.5, 1.5) * everyDays * DAY) {
    const minutes = random.wholeBetween(5, 40) * 6;
    const fate = random.pick(FATES);
    const wets = fate === 'logged' || fate === 'unlogged';
    waterings.push({
      at: fiveMinutes(at),
      minutes,
      fate,
      mm: wets ? (minutes / 60) * TYPICAL_RATE : 0,
    });
  }
  return waterings;
}

const fiveMinutes = (at: number): number => Math.round(at / (5 * MINUTE)) * 5 * MINUTE;

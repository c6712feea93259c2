import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import { civilAt } from '../../src/domain/time-zone.ts';
import { atLocalTime, DAYS_OF_READINGS } from './calendar.ts';
import {
  DEMO_ZONE,
  type DemoEquipment,
  equipmentFlowMmPerH,
  NEW_DRIP,
  NORTH_DRIP,
  SOUTH_SPRINKLERS,
} from './demo-farm.ts';
import type { Random } from './random.ts';
import type { DemoWeather } from './weather.ts';

export interface DemoWatering {
  readonly module: string;
  readonly startedAt: number;
  readonly durationMin: number;
  readonly equipment: DemoEquipment;
  readonly isRecorded: boolean;
}

/** mm; a probe is in the wetted zone, so it gets more than the mean of the area. */
export const atProbeMm = ({ durationMin, equipment }: DemoWatering): number =>
  (equipmentFlowMmPerH(equipment) * durationMin) / 60 / equipment.fractionWetted;

/** Today's six o'clock watering once it is over, or else yesterday's. */
export const daysSinceMorning = (now: number): 0 | 1 => (civilAt(now, DEMO_ZONE).hour >= 8 ? 0 : 1);

export const EQUIPMENT_CHANGED_DAYS_AGO = 3;

export const unreportedWaterings = (now: number): DemoWatering[] => [
  unreportedWatering('North 2', atLocalTime(now, 4, 6), 60, NORTH_DRIP),
  unreportedWatering('North 2', atLocalTime(now, 2, 6), 60, NEW_DRIP),
  unreportedWatering('South 1', atLocalTime(now, 1, 20), 120, SOUTH_SPRINKLERS),
  unreportedWatering('North 1', atLocalTime(now, daysSinceMorning(now), 6), 50, NORTH_DRIP),
];

export const unreportedWatering = (
  module: string,
  startedAt: number,
  durationMin: number,
  equipment: DemoEquipment,
): DemoWatering => ({
  module,
  startedAt,
  durationMin,
  equipment,
  isRecorded: false,
});

/**
 * Each probe is watered every third day; after a good shower a watering is left out.
 */
const WATERING_CYCLES = [
  { module: 'North 1', equipment: NORTH_DRIP, shortestMin: 65, hour: 6 },
  { module: 'North 2', equipment: NORTH_DRIP, shortestMin: 65, hour: 6 },
  { module: 'South 1', equipment: SOUTH_SPRINKLERS, shortestMin: 110, hour: 20 },
] as const;
type CycledModule = (typeof WATERING_CYCLES)[number]['module'];
const WATERING_INTERVAL_DAYS = 3;
const GOOD_SHOWER_MM = 6;

export interface DemoPast {
  /** How long ago each probe was last watered, as far as it is recorded. */
  readonly latestDaysAgo: Readonly<Record<CycledModule, number>>;
  unreported(now: number): readonly DemoWatering[];
}

const USUAL_PAST: DemoPast = {
  latestDaysAgo: { 'North 1': 3, 'North 2': 7, 'South 1': 4 },
  unreported: unreportedWaterings,
};

export function demoWaterings(
  now: number,
  weather: DemoWeather,
  random: Random,
  { latestDaysAgo, unreported }: DemoPast = USUAL_PAST,
): DemoWatering[] {
  const recorded = WATERING_CYCLES.flatMap(({ module, equipment, shortestMin, hour }) => {
    const waterings: DemoWatering[] = [];
    for (
      let ago = latestDaysAgo[module];
      ago < DAYS_OF_READINGS - 1;
      ago += WATERING_INTERVAL_DAYS
    ) {
      const startedAt =
        atLocalTime(now, ago, hour) + 5 * Math.floor(random.uniform() * 6) * MINUTE_MS;
      const durationMin = shortestMin + 5 * Math.floor(random.uniform() * 5);
      if (weather.rainMm(startedAt - 2 * DAY_MS, startedAt + 6 * HOUR_MS) < GOOD_SHOWER_MM)
        waterings.push({ module, startedAt, durationMin, equipment, isRecorded: true });
    }
    return waterings;
  });
  return [...recorded, ...unreported(now)].sort((a, b) => a.startedAt - b.startedAt);
}

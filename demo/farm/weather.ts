import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import { DAYS_OF_READINGS } from './calendar.ts';
import type { Random } from './random.ts';

/** A few showers fall, none in the last ten days or later. */
export interface DemoWeather {
  /** Air temperature, deg C, and relative humidity, %. */
  airAt(at: number): number;
  humidityAt(at: number): number;
  soilAt(at: number, depthCm: number): number;
  readonly showers: readonly Shower[];
  /** mm in [from, to). */
  rainMm(from: number, to: number): number;
  /** mm in [from, to), for less than an hour. */
  demandMm(from: number, to: number): number;
}

/**
 * Means of the day and daily amplitudes in deg C. The year at Montpellier: 24.5 deg C in July, 7.5 in
 * January.
 */
const MEAN_AIR_C = 16;
const YEARLY_AMPLITUDE_C = 8.5;
const WARMEST_DAY_OF_YEAR = 203;
const YEAR_DAYS = 365.25;
const AIR_AMPLITUDE_C = 6.5;
const SOIL_AMPLITUDE_C = 9;
const WARMEST_HOUR = 14;
const SUNRISE_HOUR = 6;
const SUN_HOURS = 13;
/** The water that the trees use in July. */
const DEMAND_MM_PER_DAY = 4.4;
/**
 * Depth at which a daily temperature wave has 1/e of its amplitude in moist soil, cm; a slower wave
 * reaches deeper, by the root of its period.
 */
const DAILY_DAMPING_CM = 12;
const SPELL_DAYS = 7;
const SPELL_DAMPING_CM = DAILY_DAMPING_CM * Math.sqrt(SPELL_DAYS);
const DRY_DAYS_AT_END = 10;

export interface Shower {
  readonly from: number;
  readonly to: number;
  readonly mm: number;
}

/** Solar time at the farm is UTC plus a quarter of an hour. */
export function demoWeather(now: number, random: Random): DemoWeather {
  const firstDay = Math.floor(now / DAY_MS) - DAYS_OF_READINGS - 2;
  const warmestDay = Date.UTC(new Date(now).getUTCFullYear(), 0) / DAY_MS + WARMEST_DAY_OF_YEAR;
  const departures = temperatureDepartures(random);
  const showers = randomShowers(firstDay * DAY_MS, now, random);

  const solarHour = (at: number): number => (((at % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS + 0.26;
  const departureAt = (at: number): number => {
    const position = Math.min(Math.max(0, at / DAY_MS - firstDay), departures.length - 1);
    const day = Math.min(Math.floor(position), departures.length - 2);
    return departures[day]! + (position - day) * (departures[day + 1]! - departures[day]!);
  };
  const seasonalAirAt = (at: number): number =>
    MEAN_AIR_C +
    YEARLY_AMPLITUDE_C * Math.cos((2 * Math.PI * (at / DAY_MS - warmestDay)) / YEAR_DAYS);
  const dailyWave = (at: number, delay = 0): number =>
    Math.cos((2 * Math.PI * (solarHour(at) - WARMEST_HOUR)) / 24 - delay);
  const rainMm = (from: number, to: number): number =>
    showers.reduce(
      (sum, shower) => sum + (shower.mm * overlap(shower, from, to)) / (shower.to - shower.from),
      0,
    );
  const airAt = (at: number): number =>
    seasonalAirAt(at) + departureAt(at) + AIR_AMPLITUDE_C * dailyWave(at);

  return {
    airAt,
    humidityAt: (at) =>
      rainMm(at - HOUR_MS, at) > 0
        ? 96
        : 58 - 2.4 * AIR_AMPLITUDE_C * dailyWave(at) - 1.5 * departureAt(at),
    soilAt(at, depthCm) {
      const delayDays = ((depthCm / SPELL_DAMPING_CM) * SPELL_DAYS) / (2 * Math.PI);
      const spell = departureAt(at - delayDays * DAY_MS) * Math.exp(-depthCm / SPELL_DAMPING_CM);
      const delay = depthCm / DAILY_DAMPING_CM;
      return seasonalAirAt(at) + spell + SOIL_AMPLITUDE_C * Math.exp(-delay) * dailyWave(at, delay);
    },
    showers,
    rainMm,
    demandMm(from, to) {
      const height = Math.max(
        0,
        Math.sin((Math.PI * (solarHour((from + to) / 2) - SUNRISE_HOUR)) / SUN_HOURS),
      );
      const perHour = (DEMAND_MM_PER_DAY * Math.PI) / (2 * SUN_HOURS);
      const warmth = 1 + 0.05 * departureAt(from);
      const isOvercast = rainMm(from - 6 * HOUR_MS, to + 6 * HOUR_MS) > 0;
      return (perHour * height * warmth * (isOvercast ? 0.4 : 1) * (to - from)) / HOUR_MS;
    },
  };
}

/** deg C from the mean; neighbouring days are alike. */
function temperatureDepartures(random: Random): number[] {
  const departures = [0];
  const persistence = Math.exp(-2 / SPELL_DAYS);
  for (let day = 1; day <= DAYS_OF_READINGS + 4; day++)
    departures.push(
      departures[day - 1]! * persistence + 2.5 * Math.sqrt(1 - persistence ** 2) * random.normal(),
    );
  return departures;
}

function randomShowers(startsAt: number, now: number, random: Random): Shower[] {
  const showers: Shower[] = [];
  for (let day = startsAt; day < now - (DRY_DAYS_AT_END + 1) * DAY_MS; day += DAY_MS) {
    const isRainy = random.uniform() < 0.05;
    const from = day + Math.floor(random.uniform() * 20) * HOUR_MS;
    const mm = 4 + 14 * random.uniform();
    if (isRainy) showers.push({ from, to: from + 3 * HOUR_MS, mm });
  }
  return showers;
}

const overlap = (shower: Shower, from: number, to: number): number =>
  Math.max(0, Math.min(shower.to, to) - Math.max(shower.from, from));

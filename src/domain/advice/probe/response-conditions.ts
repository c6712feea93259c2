import type { ProbeFacts } from '../../facts/probe-facts.ts';
import type { ResponseFacts } from '../../facts/response-facts.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { DAY_MS, HOUR_MS } from '../../periods.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { rainEnd, SOAKING_MS, totalMm } from '../rain-effect.ts';
import { wettedDoseMm } from '../wetted-fraction.ts';

/** Rain that began within so much time of a rise may explain it; clocks differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** Leaves out a shift to rises, or rises before the log, that recorded rain explains. */
export function judgeResponse(
  { logShift, early, ...response }: ResponseFacts,
  rain: readonly RainContribution[],
): ResponseFacts {
  const isOfRain = (at: number): boolean =>
    rain.some(
      (contribution) =>
        at >= contribution.record.startedAt - CLOCK_TOLERANCE_MS &&
        at <= rainEnd(contribution) + SOAKING_MS,
    );
  return {
    ...response,
    logShift: logShift?.roseAt.some(isOfRain) ? null : logShift,
    ...(early === undefined || early.roseAt.some(isOfRain) ? {} : { early }),
  };
}

const WET_FOR_MS = 5 * DAY_MS;
/** For so long nothing must have kept the soil wet. */
const WITHOUT_WATER_MS = 3 * DAY_MS;
/**
 * In the wetted zone, of waterings and rain together: less does not keep soil 4 points above its
 * field capacity. An assumption: 5 mm raise 30 cm of soil by less than 2 points.
 */
const MAX_WATER_MM = 5;

type WetFacts = Pick<ProbeFacts, 'wetSince' | 'freshness' | 'state' | 'setup'>;

/**
 * The instant since which the soil has been wetter than drained soil stays, although no water came
 * that explains it; null where that is not so.
 */
export function tooWetSince(
  { wetSince, freshness: { newestAt }, state: { basis }, setup }: WetFacts,
  begun: readonly WateringFacts[],
  rain: readonly RainContribution[],
  now: number,
): number | null {
  // The figure of a texture class is often as far off.
  if (basis.fieldCapacity !== 'annotation') return null;
  if (wetSince === null || newestAt === null || !isFreshAt(newestAt, now)) return null;
  if (newestAt - wetSince < WET_FOR_MS) return null;

  const dryFrom = now - WITHOUT_WATER_MS;
  const waterings = begun.filter(
    (watering) => watering.status !== 'skipped' && runPeriod(watering).end > dryFrom,
  );
  const rainMm = totalMm(rain.filter((contribution) => rainEnd(contribution) > dryFrom));
  const wateredMm = sumDoses(waterings.map((watering) => wettedDoseMm(watering, setup)));
  // A watering of unknown dose may be large.
  return wateredMm === null || wateredMm + rainMm >= MAX_WATER_MM ? null : wetSince;
}

/** Nearly all of the days of which the curve is known. */
const NEVER_DRAINED_MS = 13 * DAY_MS;

/**
 * Whether the soil cannot be of the texture class that it is advised by, because in two weeks it
 * never drained to what such soil holds, or stands under water, as a paddy of rice does.
 */
export function isWetterThanClass(
  { wetSince, freshness: { newestAt }, state: { basis }, setup: { cropSeason } }: WetFacts,
  now: number,
): boolean {
  if (basis.fieldCapacity === 'annotation' || cropSeason?.crop === 'rice') return false;
  if (wetSince === null || newestAt === null || !isFreshAt(newestAt, now)) return false;
  return newestAt - wetSince >= NEVER_DRAINED_MS;
}

export interface RecordedWater {
  readonly begun: readonly WateringFacts[];
  readonly rain: readonly RainContribution[];
}

/** How long water may take to reach a deep sensor. */
const ARRIVAL_MS = 2 * DAY_MS;
/** Less does not wet a dry soil. */
const MIN_RAIN_MM = 5;

/** True if a watering or rain explains that the soil became wet in the hour that starts then. */
export function explainsWetting({ begun, rain }: RecordedWater, at: number): boolean {
  const [start, end] = [at - ARRIVAL_MS, at + HOUR_MS];
  const wasWatered = begun.some((watering) => {
    const run = runPeriod(watering);
    return watering.status !== 'skipped' && run.start <= end && run.end >= start;
  });
  const fallen = rain.filter((fall) => fall.record.startedAt <= end && rainEnd(fall) >= start);
  return wasWatered || totalMm(fallen) >= MIN_RAIN_MM;
}

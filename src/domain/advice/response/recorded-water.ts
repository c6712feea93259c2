import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { DAY_MS, HOUR_MS } from '../../periods.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { rainEnd, totalMm } from '../rain-effect.ts';

export interface RecordedWater {
  readonly begun: readonly WateringFacts[];
  readonly rain: readonly RainContribution[];
}

/** How long water may take to reach a deep sensor. */
const ARRIVAL_MS = 2 * DAY_MS;
/** Less does not wet a dry soil. */
const MIN_RAIN_MM = 5;

/** Whether a watering or rain explains that the soil became wet in the hour that starts then. */
export function explainsWetting({ begun, rain }: RecordedWater, at: number): boolean {
  const [start, end] = [at - ARRIVAL_MS, at + HOUR_MS];
  const wasWatered = begun.some((watering) => {
    const run = runPeriod(watering);
    return watering.status !== 'skipped' && run.start <= end && run.end >= start;
  });
  const fallen = rain.filter((fall) => fall.record.startedAt <= end && rainEnd(fall) >= start);
  return wasWatered || totalMm(fallen) >= MIN_RAIN_MM;
}

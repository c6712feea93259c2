import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { ReviewBody } from '../../src/schema/advice/review.ts';
import { withFarm } from './farm.ts';
import { after, type Hour, openAgriFarm, PROBE, rainBetween, readingsOf } from './openagri.ts';

export interface RiseComparison {
  readonly minRainMm: number;
  readonly rainyDays: number;
  /** With a rise on that day or the next. */
  readonly detectedDays: number;
  readonly rises: number;
  /** After that much rain in the day before, or within three hours. */
  readonly explainedEvents: number;
}

const REVIEW_MS = 90 * DAY_MS;
const CLOCK_TOLERANCE_MS = 3 * HOUR_MS;

/** When moisture rose without a logged watering, as review_waterings answers. */
export const findWettingEvents = (hours: readonly Hour[]): Promise<number[]> =>
  withFarm(openAgriFarm, hours[0]!.at, async (farm) => {
    await farm.record(readingsOf(hours));
    farm.now = after(hours);
    const found: number[] = [];
    for (let start = hours[0]!.at; start < farm.now; start += REVIEW_MS) {
      const period = {
        start: new Date(start).toISOString(),
        end: new Date(Math.min(farm.now, start + REVIEW_MS)).toISOString(),
      };
      const { unlogged } = await farm.ask<ReviewBody>('review_waterings', {
        module: PROBE,
        ...period,
        limit: 200,
      });
      found.push(...unlogged.map((rise) => Date.parse(rise.start)));
    }
    return found;
  });

export function compareWettingEvents(
  hours: readonly Hour[],
  rises: readonly number[],
  minRainMm: number,
): RiseComparison {
  const firstDay = Math.floor(hours[0]!.at / DAY_MS) * DAY_MS;
  const days = Array.from(
    { length: Math.ceil((hours.at(-1)!.at - firstDay) / DAY_MS) },
    (_, day) => firstDay + day * DAY_MS,
  );
  const rainy = days.filter((day) => rainBetween(hours, day - 1, day + DAY_MS - 1) > minRainMm);
  return {
    minRainMm,
    rainyDays: rainy.length,
    detectedDays: rainy.filter((day) => rises.some((at) => at >= day && at < day + 2 * DAY_MS))
      .length,
    rises: rises.length,
    explainedEvents: rises.filter(
      (at) => rainBetween(hours, at - DAY_MS, at + CLOCK_TOLERANCE_MS) > minRainMm,
    ).length,
  };
}

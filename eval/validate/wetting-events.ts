import { totalMm } from '../../src/domain/advice/rain-effect.ts';
import { stillPeriods } from '../../src/domain/advice/response/response-of-history.ts';
import { unshownRain } from '../../src/domain/advice/response/unshown-rain.ts';
import { isImplausibleGain } from '../../src/domain/advice/watering-response.ts';
import { minRiseHeight } from '../../src/domain/moisture/wetting-events.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../src/domain/periods.ts';
import type { RainContribution } from '../../src/domain/weather/rain.ts';
import type { ReviewBody } from '../../src/schema/advice/review.ts';
import type { DryingSoil } from './drying-soils.ts';
import { type ValidationFarm, withFarm } from './farm.ts';
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

/** The rises of a soil beside the rain that was recorded for it. */
export interface GaugeComparison {
  readonly soil: string;
  readonly gauge: string;
  readonly rises: number;
  /** With rain recorded for their time. */
  readonly withRain: number;
  /** Of these, explained by it. */
  readonly asRain: number;
  /** Of these, as much as a watering of that dose would explain. */
  readonly withinTheDose: number;
  readonly heavyEvents: number;
  /** Of these, not shown by any depth. */
  readonly unshown: number;
}

const HEAVY_MM = 20;
const MIN_LOGGED_MM = 1;

export async function compareWithGauge(soil: DryingSoil): Promise<GaugeComparison> {
  const start = soil.hours[0]!.at;
  const end = soil.hours.at(-1)!.at + HOUR_MS;
  const recorded = soil.rainEvents.filter(
    (event) => event[0]!.record.startedAt > start && event.at(-1)!.record.endedAt! < end,
  );
  const rises = await withFarm(soil.farm, start, async (farm) => {
    await farm.record(soil.readings);
    farm.now = end;
    for (const { mm, record } of recorded.flat())
      if (mm >= MIN_LOGGED_MM) await farm.ask('log_rain', { mm, when: timeOf(record) });
    return risesOf(farm, soil, { start, end });
  });

  const withRain = rises.filter(({ rainMm }) => rainMm != null);
  const heavy = recorded.filter((event) => totalMm(event) >= HEAVY_MM);
  const still = stillPeriodsOf(soil);
  return {
    soil: soil.name,
    gauge: soil.gauge,
    rises: rises.length,
    withRain: withRain.length,
    asRain: withRain.filter(({ likely }) => likely === 'rain').length,
    withinTheDose: withRain.filter(({ riseMm, rainMm }) => !isImplausibleGain(riseMm, rainMm!))
      .length,
    heavyEvents: heavy.length,
    unshown: heavy.filter((event) => unshownRain(event, still) !== null).length,
  };
}

const timeOf = ({ startedAt, endedAt, isWholeDay }: RainContribution['record']): string =>
  isWholeDay
    ? new Date(startedAt).toISOString().slice(0, 10)
    : `${new Date(startedAt).toISOString()}/${new Date(endedAt!).toISOString()}`;

async function risesOf(
  farm: ValidationFarm,
  { module, isJudged }: DryingSoil,
  { start, end }: Period,
): Promise<ReviewBody['unlogged']> {
  const rises: ReviewBody['unlogged'][number][] = [];
  for (let from = start; from < end; from += REVIEW_MS) {
    const review = await farm.ask<ReviewBody>('review_waterings', {
      module,
      start: new Date(from).toISOString(),
      end: new Date(Math.min(end, from + REVIEW_MS)).toISOString(),
      limit: 200,
    });
    rises.push(...review.unlogged.filter((rise) => isJudged(Date.parse(rise.start))));
  }
  return rises;
}

/** As if the soil always had room. */
function stillPeriodsOf({ hours }: DryingSoil): Period[] {
  const depths = hours[0]!.moisture.map((_, place) =>
    hours.map(({ at, moisture }) => ({ at, value: moisture[place]! })),
  );
  const curves = depths.map((points) => ({
    depthCm: 0,
    slice: null,
    fieldCapacity: null,
    points,
    frozen: [],
    minRise: minRiseHeight(points),
  }));
  return stillPeriods({ curves, curve: depths[0]!, fieldCapacity: Number.POSITIVE_INFINITY });
}

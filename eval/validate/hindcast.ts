import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { AnnotationBody } from '../../src/schema/alerts/annotation.ts';
import type { MoistureSeriesBody } from '../../src/schema/moisture/series.ts';
import type { DryingSoil } from './drying-soils.ts';
import { earlierDaysToStress } from './earlier-drying-rate.ts';
import { type ValidationFarm, withFarm } from './farm.ts';
import type { Hour } from './openagri.ts';

/**
 * The moisture that the soil reached `leadDays` later was made the stress point: how many days
 * ahead is it?
 */
export interface HindcastCase {
  readonly leadDays: number;
  readonly advisedDays: number;
  /** By the rule that was used before. */
  readonly earlierDays: number;
  /** If the fall of the last 24 hours goes on. */
  readonly naiveDays: number;
}

export interface Hindcast {
  readonly soil: string;
  readonly cases: readonly HindcastCase[];
  /** Mornings that were left out, by reason. */
  readonly leftOut: Readonly<Record<'gap' | 'rain' | 'no_fall' | 'no_answer', number>>;
}

export const LEADS_DAYS = [1, 3, 7];

/** As the answer in words: "more than two weeks". */
export const LONGEST_DAYS = 14;
/** The drying rate is estimated from this much before. */
const WARM_UP_MS = 14 * DAY_MS;
/** More than dew. */
const MAX_RAIN_MM = 0.2;
const MORNING_HOUR = 6;
/** Smaller falls are within the last digit of the sensors. */
const MIN_FALL_POINTS = 0.01;

export async function hindcast(soil: DryingSoil): Promise<Hindcast> {
  const { hours, module } = soil;
  return withFarm(soil.farm, hours[0]!.at, async (farm) => {
    await farm.record(soil.readings);
    const curve = await summaryCurve(farm, soil);
    farm.now = hours[0]!.at;
    const lines = await drawThresholds(farm, module);
    const cases: HindcastCase[] = [];
    const leftOut = { gap: 0, rain: 0, no_fall: 0, no_answer: 0 };
    for (const at of mornings(hours).filter(soil.isJudged))
      for (const leadDays of LEADS_DAYS) {
        const until = at + leadDays * DAY_MS;
        const [before, value, reached] = [at - DAY_MS, at, until].map((instant) =>
          curve.get(instant),
        );
        if (before === undefined || value === undefined || reached === undefined) leftOut.gap++;
        else if (soil.rainBetween(at, until) > MAX_RAIN_MM) leftOut.rain++;
        else if (value - reached < MIN_FALL_POINTS) leftOut.no_fall++;
        else {
          farm.now = at;
          await moveStressPoint(farm, lines, reached);
          const advice = await farm.ask<AdviceBody>('advise_watering', { module });
          const earlierDays = earlierDaysToStress(lastTwoWeeks(curve, at), reached, ZONE);
          if (advice.reasons.includes('FEW_DRY_DAYS') || earlierDays === null) leftOut.no_answer++;
          else
            cases.push({
              leadDays,
              advisedDays: Math.min(LONGEST_DAYS, advice.daysToStress ?? LONGEST_DAYS),
              earlierDays: Math.min(LONGEST_DAYS, earlierDays),
              naiveDays: naiveDays(before, value, reached),
            });
        }
      }
    return { soil: soil.name, cases, leftOut };
  });
}

/** The time zone of every farm. */
const ZONE = 'Europe/Athens';

const lastTwoWeeks = (curve: ReadonlyMap<number, number>, now: number) =>
  [...curve].flatMap(([at, value]) => (at > now - WARM_UP_MS && at <= now ? [{ at, value }] : []));

export const naiveDays = (before: number, value: number, stressPoint: number): number =>
  before <= value ? LONGEST_DAYS : Math.min(LONGEST_DAYS, (value - stressPoint) / (before - value));

function mornings(hours: readonly Hour[]): number[] {
  const first = Math.ceil((hours[0]!.at + WARM_UP_MS) / DAY_MS) * DAY_MS + MORNING_HOUR * HOUR_MS;
  const count = Math.floor((hours.at(-1)!.at - first) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, day) => first + day * DAY_MS);
}

/** The unrounded values of the summary curve by instant. */
async function summaryCurve(
  farm: ValidationFarm,
  { hours, module }: DryingSoil,
): Promise<Map<number, number>> {
  farm.now = hours.at(-1)!.at + 1;
  const { sensors } = await farm.ask<MoistureSeriesBody>('get_moisture_series', {
    module,
    depths: true,
    detail: 'full',
  });
  return new Map(
    hours.map(({ at, moisture }) => [
      at,
      moisture.reduce((sum, value, index) => sum + value * sensors![index]!.weight, 0),
    ]),
  );
}

type Lines = Readonly<Record<'fieldCapacity' | 'wiltingPoint', string>>;

async function drawThresholds(farm: ValidationFarm, module: string): Promise<Lines> {
  const draw = async (fill: string, value: number): Promise<string> => {
    const line = {
      module,
      type: 'h-line',
      p1: [farm.now, value],
      unit: 'vwc',
      style: { fill },
    };
    return (await farm.ask<AnnotationBody>('create_annotation', line)).id;
  };
  return { fieldCapacity: await draw('threshold1', 3), wiltingPoint: await draw('threshold2', 1) };
}

/** The stress point is midway between the lines: FC - 0.5 (FC - WP). */
async function moveStressPoint(
  farm: ValidationFarm,
  lines: Lines,
  stressPoint: number,
): Promise<void> {
  const move = (annotationId: string, value: number) =>
    farm.ask('update_annotation', { annotationId, p1: [farm.now, value] });
  await move(lines.fieldCapacity, 1.5 * stressPoint);
  await move(lines.wiltingPoint, 0.5 * stressPoint);
}

import { rounded as toDecimals } from '../domain/decimal.ts';
import type { Period } from '../domain/intervals.ts';
import { leastRise } from '../domain/rises.ts';
import { unloggedRises } from '../domain/unlogged-rises.ts';
import { groupsOf, spanOf } from '../domain/watering-groups.ts';
import {
  type DepthCurve,
  FOLLOWED_MS,
  responseTo,
  riseOf,
  type WateringResponse,
} from '../domain/watering-response.ts';
import type { Call } from '../operation/call.ts';
import type { ReviewBody, ReviewedWateringBody } from '../schema/advice.ts';
import { refuse } from '../schema/error.ts';
import type { ModuleBody } from '../schema/place.ts';
import type { MoistureSeriesBody } from '../schema/series.ts';
import type { WateringBody } from '../schema/watering.ts';
import { everyWatering, runOf } from './every-watering.ts';
import { depthsOf, isOfSoil } from './probe-depths.ts';
import { reviewWords } from './say-review.ts';
import { unloggedBodies } from './unlogged.ts';
import { isoOf, roundedOrNull } from './wire.ts';

/** What a review is composed of; it performs nothing else. */
export const REVIEW_PERFORMS = [
  'get_module',
  'get_moisture_series',
  'get_irrigation_setup',
  'list_waterings',
  'list_modules',
] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 14;
const MOST_DAYS = 92;
/** Before the period, so that what is usual for a curve is known, and what a first watering found. */
const BEFORE_MS = 3 * DAY_MS;
/** Quarters of an hour show when water came; over a longer time than this, in days, hours do. */
const FINE_DAYS = 31;

/** Moisture is sent to one decimal place. */
const RISE_DECIMALS = 1;

export interface ReviewQuery {
  /** ms. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly limit: number;
}

/** Every watering done in a period against the curves of its probe, and the rises that none of them explains. */
export async function reviewWaterings(call: Call, moduleId: number, asked: ReviewQuery): Promise<ReviewBody> {
  const period = periodOf(asked, call.now);
  const module = (await call.perform('get_module', { moduleId })) as ModuleBody;
  const series = await seriesAround(call, moduleId, period);
  if (!isOfSoil(module, series)) call.remark(reviewWords(call).noSoilMoisture);
  const curves = isOfSoil(module, series) ? curvesOf(series) : [];
  // A watering before the period explains rises in it, and one after it ends what the last of them did.
  const around = { from: period.start - FOLLOWED_MS, to: Math.min(call.now + 1, period.end + FOLLOWED_MS) };
  const book = await everyWatering(call, moduleId, around);
  const answered = answersTo(curves, book, { now: call.now, rootDepthCm: series.rootDepthCm ?? null });
  const isWithin = (at: number): boolean => at >= period.start && at < period.end;

  const waterings = answered.filter(({ run }) => isWithin(run.start)).reverse();
  const explained = answered.map(({ run, answer }) => ({ ...run, rises: answer.depths.map(({ rise }) => rise) }));
  const unlogged = unloggedRises(curves, explained)
    .filter(({ start }) => isWithin(start))
    .reverse();
  const shown = unlogged.slice(0, asked.limit);
  return {
    moduleId,
    start: isoOf(period.start),
    end: isoOf(period.end),
    waterings: waterings.slice(0, asked.limit).map(wateringBody),
    unlogged: await unloggedBodies(call, module, shown, book),
    leftOut: {
      waterings: Math.max(0, waterings.length - asked.limit),
      unlogged: unlogged.length - shown.length,
    },
  };
}

function periodOf({ start: askedStart, end: askedEnd }: ReviewQuery, now: number): Period {
  const end = Math.min(askedEnd ?? now, now);
  const start = askedStart ?? end - DEFAULT_DAYS * DAY_MS;
  const field = askedStart === undefined ? 'end' : 'start';
  if (start >= end)
    throw refuse('invalid_date', `start ${isoOf(start)} is not before end ${isoOf(end)}.`, {
      hint: 'Give start before end and before now; end left out is now.',
      field,
    });
  if (end - start > MOST_DAYS * DAY_MS)
    throw refuse('invalid_date', `The period is longer than ${MOST_DAYS} days.`, {
      hint: `Review at most ${MOST_DAYS} days at a time.`,
      field,
    });
  return { start, end };
}

async function seriesAround(call: Call, moduleId: number, { start, end }: Period): Promise<MoistureSeriesBody> {
  const interval = end - start <= FINE_DAYS * DAY_MS ? 900 : 3600;
  const around = { start: isoOf(start - BEFORE_MS), end: isoOf(Math.min(call.now + 1, end + FOLLOWED_MS)) };
  return (await call.perform('get_moisture_series', {
    moduleId,
    ...around,
    interval,
    depths: true,
  })) as MoistureSeriesBody;
}

const curvesOf = (series: MoistureSeriesBody): DepthCurve[] =>
  depthsOf(series).map((depth) => ({ ...depth, least: leastRise(depth.points) }));

interface Answered {
  readonly watering: WateringBody;
  readonly run: Period;
  /** First watering of those that it is judged with, and when these ran; itself where it is alone. */
  readonly first: WateringBody;
  readonly span: Period;
  readonly isAlone: boolean;
  readonly answer: WateringResponse;
}

/** What each watering that was done did, in order of time; pulses are answered as one. */
function answersTo(
  curves: readonly DepthCurve[],
  book: readonly WateringBody[],
  at: { now: number; rootDepthCm: number | null },
): Answered[] {
  const done = book.filter(({ status }) => status === 'done').map((watering) => ({ watering, run: runOf(watering) }));
  const groups = groupsOf(done);
  return groups.flatMap((group, place) => {
    const span = spanOf(group);
    const answer = responseTo(curves, span, { ...at, nextAt: groups[place + 1]?.[0]?.run.start ?? null });
    const first = group[0]!.watering;
    return group.map((each) => ({ ...each, first, span, isAlone: group.length === 1, answer }));
  });
}

function wateringBody({ watering, first, span, isAlone, answer }: Answered): ReviewedWateringBody {
  const afterMin = (at: number | undefined): number | null =>
    at === undefined ? null : Math.round((at - span.start) / MINUTE_MS);
  return {
    eventId: watering.id,
    groupOf: isAlone ? null : first.id,
    startedAt: watering.startedAt,
    waterMm: watering.waterMm,
    waterMmWetted: watering.waterMmWetted,
    response: answer.response,
    deepestCm: answer.deepestCm,
    // What they gained together is told once, so that it is not counted for each.
    riseMm: watering.id === first.id ? roundedOrNull(answer.riseMm) : null,
    depths: answer.depths.map((depth) => {
      const rise = riseOf(depth);
      return {
        depth: depth.depthCm,
        riseVwc: rise === null ? null : toDecimals(rise, RISE_DECIMALS),
        startsAfterMin: afterMin(depth.rise?.startAt),
        peaksAfterMin: afterMin(depth.rise?.peakAt),
      };
    }),
  };
}

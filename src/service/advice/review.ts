import { findUnloggedRises } from '../../domain/advice/unlogged-rises.ts';
import {
  type DepthCurve,
  depthRisePoints,
  groupWaterings,
  RESPONSE_WINDOW_MS,
  type WateringResponse,
  wateringGroupPeriod,
  wateringResponse,
} from '../../domain/advice/watering-response.ts';
import { roundTo as toDecimals } from '../../domain/decimal.ts';
import { minRiseHeight } from '../../domain/moisture/rises.ts';
import { DAY_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice.ts';
import { invalidInput } from '../../schema/error.ts';
import type { MoistureSeriesBody } from '../../schema/series.ts';
import type { WateringBody } from '../../schema/watering.ts';
import { measuresSoilMoisture, probeDepths } from '../moisture/probe-depths.ts';
import { roundAmountOrNull, toIso } from '../wire-format.ts';
import { runPeriod, wateringsBetween } from './operation-reads.ts';
import type { PerformedOperations } from './performed-operations.ts';
import { toUnloggedRiseBodies } from './unlogged-rises.ts';

/** What a review is composed of. */
type ReviewOperations = Pick<
  PerformedOperations,
  'getModule' | 'getMoistureSeries' | 'getIrrigationSetup' | 'listWaterings' | 'listModules'
>;

const DEFAULT_DAYS = 14;
const MAX_DAYS = 92;
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
export async function reviewWaterings(
  call: ComposedCall,
  operations: ReviewOperations,
  moduleId: number,
  query: ReviewQuery,
): Promise<ReviewBody> {
  const period = reviewPeriod(query, call.now);
  const module = await operations.getModule({ moduleId });
  const series = await loadSeriesAround(operations, moduleId, period, call.now);
  if (!measuresSoilMoisture(module, series)) call.note({ kind: 'no_moisture_for_review' });
  const curves = measuresSoilMoisture(module, series) ? depthCurves(series) : [];
  // A watering before the period explains rises in it, and one after it ends what the last of them did.
  const around = {
    from: period.start - RESPONSE_WINDOW_MS,
    to: Math.min(call.now + 1, period.end + RESPONSE_WINDOW_MS),
  };
  const allWaterings = await wateringsBetween(operations, moduleId, around);
  const judged = judgeWaterings(curves, allWaterings, { now: call.now, rootDepthCm: series.rootDepthCm ?? null });
  const isWithin = (at: number): boolean => at >= period.start && at < period.end;

  const waterings = judged.filter(({ run }) => isWithin(run.start)).reverse();
  const explained = judged.map(({ run, response }) => ({ ...run, rises: response.depths.map(({ rise }) => rise) }));
  const unlogged = findUnloggedRises(curves, explained)
    .filter(({ start }) => isWithin(start))
    .reverse();
  const listedRises = unlogged.slice(0, query.limit);
  return {
    moduleId,
    start: toIso(period.start),
    end: toIso(period.end),
    waterings: waterings.slice(0, query.limit).map(toReviewedWateringBody),
    unlogged: await toUnloggedRiseBodies(call.now, operations, module, listedRises, allWaterings),
    leftOut: {
      waterings: Math.max(0, waterings.length - query.limit),
      unlogged: unlogged.length - listedRises.length,
    },
  };
}

function reviewPeriod({ start: requestedStart, end: requestedEnd }: ReviewQuery, now: number): Period {
  const end = Math.min(requestedEnd ?? now, now);
  const start = requestedStart ?? end - DEFAULT_DAYS * DAY_MS;
  const field = requestedStart === undefined ? 'end' : 'start';
  if (start >= end)
    throw invalidInput('invalid_date', `start ${toIso(start)} is not before end ${toIso(end)}.`, {
      hint: 'Give start before end and before now; end left out is now.',
      field,
    });
  if (end - start > MAX_DAYS * DAY_MS)
    throw invalidInput('invalid_date', `The period is longer than ${MAX_DAYS} days.`, {
      hint: `Review at most ${MAX_DAYS} days at a time.`,
      field,
    });
  return { start, end };
}

async function loadSeriesAround(
  { getMoistureSeries }: ReviewOperations,
  moduleId: number,
  { start, end }: Period,
  now: number,
): Promise<MoistureSeriesBody> {
  const interval = end - start <= FINE_DAYS * DAY_MS ? 900 : 3600;
  const around = { start: toIso(start - BEFORE_MS), end: toIso(Math.min(now + 1, end + RESPONSE_WINDOW_MS)) };
  return getMoistureSeries({ moduleId, ...around, interval, depths: true });
}

const depthCurves = (series: MoistureSeriesBody): DepthCurve[] =>
  probeDepths(series).map((depth) => ({ ...depth, minRise: minRiseHeight(depth.points) }));

interface JudgedWatering {
  readonly watering: WateringBody;
  readonly run: Period;
  /** First watering of those that it is judged with, and when these ran; itself where it is alone. */
  readonly first: WateringBody;
  readonly span: Period;
  readonly isAlone: boolean;
  readonly response: WateringResponse;
}

/** What each watering that was done did, in order of time; pulses are answered as one. */
function judgeWaterings(
  curves: readonly DepthCurve[],
  waterings: readonly WateringBody[],
  at: { now: number; rootDepthCm: number | null },
): JudgedWatering[] {
  const done = waterings
    .filter(({ status }) => status === 'done')
    .map((watering) => ({ watering, run: runPeriod(watering) }));
  const groups = groupWaterings(done);
  return groups.flatMap((group, place) => {
    const span = wateringGroupPeriod(group);
    const answer = wateringResponse(curves, span, { ...at, nextAt: groups[place + 1]?.[0]?.run.start ?? null });
    const first = group[0]!.watering;
    return group.map((each) => ({ ...each, first, span, isAlone: group.length === 1, response: answer }));
  });
}

function toReviewedWateringBody({ watering, first, span, isAlone, response }: JudgedWatering): ReviewedWateringBody {
  const afterMin = (at: number | undefined): number | null =>
    at === undefined ? null : Math.round((at - span.start) / MINUTE_MS);
  return {
    eventId: watering.id,
    groupOf: isAlone ? null : first.id,
    startedAt: watering.startedAt,
    waterMm: watering.waterMm,
    waterMmWetted: watering.waterMmWetted,
    response: response.response,
    deepestCm: response.deepestCm,
    // What they gained together is told once, so that it is not counted for each.
    riseMm: watering.id === first.id ? roundAmountOrNull(response.riseMm) : null,
    depths: response.depths.map((depth) => {
      const rise = depthRisePoints(depth);
      return {
        depth: depth.depthCm,
        riseVwc: rise === null ? null : toDecimals(rise, RISE_DECIMALS),
        startsAfterMin: afterMin(depth.rise?.startAt),
        peaksAfterMin: afterMin(depth.rise?.peakAt),
      };
    }),
  };
}

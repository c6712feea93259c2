import {
  findUnloggedWettingEvents,
  type UnloggedWettingEvent,
} from '../../domain/advice/unlogged-wetting-events.ts';
import {
  type DepthCurve,
  depthRisePoints,
  groupWaterings,
  RESPONSE_WINDOW_MS,
  wateringGroupPeriod,
  wateringResponse,
} from '../../domain/advice/watering-response.ts';
import { roundAmount, roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { DAY_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { slicesOf } from '../../domain/soil/slices.ts';
import { rainByDay } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { ReviewBody, ReviewedWateringBody, reviewQuery } from '../../schema/advice/review.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type { IrrigationSetupBody } from '../../schema/irrigation/installation.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { MoistureSeriesBody } from '../../schema/moisture/series.ts';
import { requestedPeriod } from '../requested-period.ts';
import { toIso } from '../wire-format.ts';
import { drawnFieldCapacity, netShareOn, rootDepthOn } from './advice-inputs.ts';
import { type PartReads, runPeriod, wateringsBetween } from './operation-reads.ts';
import { probeDepths, withMinRise } from './probe-depths.ts';
import { toUnloggedWettingEventBodies } from './unlogged-wetting-events.ts';
import { adviseOfRainTotals, recordedRain } from './weather.ts';

type ReviewOperations = Pick<
  PartReads,
  | 'getAgronomicState'
  | 'getModule'
  | 'getMoistureSeries'
  | 'getIrrigationSetup'
  | 'listRain'
  | 'listWaterings'
  | 'listModules'
>;

const DEFAULT_DAYS = 14;
const MAX_DAYS = 92;
/** How much of the curve before the period is read, to compare a response with. */
const BEFORE_MS = 3 * DAY_MS;
/** Longer periods are read in hours, not in quarters of an hour. */
const MAX_QUARTER_HOUR_DAYS = 31;

const QUARTER_HOUR_S = 900;
const HOUR_S = 3600;

const RISE_DECIMALS = 1;

export async function reviewWaterings(
  call: ComposedCall,
  operations: ReviewOperations,
  moduleId: number,
  query: FieldsOf<typeof reviewQuery>,
): Promise<ReviewBody> {
  const period = requestedPeriod(
    { ...query, end: Math.min(query.end ?? call.now, call.now) },
    call.now,
    {
      defaultMs: DEFAULT_DAYS * DAY_MS,
      longest: { ms: MAX_DAYS * DAY_MS, text: `${MAX_DAYS} days` },
      errorCode: 'invalid_date',
    },
  );

  const inputs = await loadReviewInputs(call, operations, moduleId, period);
  const { module, curves, waterings: allWaterings, setup, rain } = inputs;
  await adviseOfRainTotals(
    call,
    { records: rain.records, from: period.start, to: period.end },
    { parcelId: module.parcelId, lastDays: null },
  );

  const assessed = assessWaterings(allWaterings, call.now, (at) => {
    const rootDepthCm = rootDepthAt(inputs, at);
    return { rootDepthCm, curves: withRootDepth(curves, rootDepthCm) };
  });
  const waterings = assessed.filter(({ run }) => isWithin(period, run.start)).reverse();
  const unlogged = unloggedWettingEventsIn(period, curves, assessed);
  const listedEvents = unlogged.slice(0, query.limit);

  return {
    moduleId,
    start: toIso(period.start),
    end: toIso(period.end),
    waterings: waterings
      .slice(0, query.limit)
      .map((watering) => toReviewedWateringBody(watering, setup)),
    unlogged: await toUnloggedWettingEventBodies(call.now, operations, listedEvents, {
      module,
      waterings: allWaterings,
      rain: rainByDay(rain.records, module.parcelId),
      setup,
    }),
    leftOut: {
      waterings: Math.max(0, waterings.length - query.limit),
      unlogged: unlogged.length - listedEvents.length,
    },
  };
}

async function loadReviewInputs(
  call: ComposedCall,
  operations: ReviewOperations,
  moduleId: number,
  period: Period,
) {
  const module = await operations.getModule({ moduleId });
  const series = await loadSeriesAround(operations, moduleId, period, call.now);
  const measuresSoilMoisture = isSoilMoisture(series, module);
  if (!measuresSoilMoisture) call.advise({ kind: 'no_moisture_for_review' });
  const curves = measuresSoilMoisture ? await depthCurves(operations, series, period) : [];

  // A watering before the period can explain rises in it, and one after it ends the response to the
  // last.
  const around = {
    from: period.start - RESPONSE_WINDOW_MS,
    to: Math.min(call.now + 1, period.end + RESPONSE_WINDOW_MS),
  };
  const waterings = await wateringsBetween(operations, { moduleId }, around);
  const setup = await operations.getIrrigationSetup({ moduleId });
  const rain = await recordedRain(operations, call.zone, {
    from: around.from - DAY_MS,
    to: around.to,
  });

  return { module, series, curves, waterings, setup, rain };
}

type ReviewInputs = Awaited<ReturnType<typeof loadReviewInputs>>;

function rootDepthAt({ setup, series }: ReviewInputs, at: number): number | null {
  const depthThen = rootDepthOn(setup, at);
  // A service without dated settings has the present depth only.
  return depthThen === undefined ? (series.rootDepthCm ?? null) : depthThen;
}

const isWithin = ({ start, end }: Period, at: number): boolean => at >= start && at < end;

/** Newest first. */
function unloggedWettingEventsIn(
  period: Period,
  curves: readonly DepthCurve[],
  assessed: readonly AssessedWatering[],
): UnloggedWettingEvent[] {
  const explained = assessed.map(({ run, response }) => ({
    ...run,
    wettingEvents: response.depths.map(({ event }) => event),
  }));
  return findUnloggedWettingEvents(curves, explained)
    .filter(({ start }) => isWithin(period, start))
    .reverse();
}

async function loadSeriesAround(
  { getMoistureSeries }: ReviewOperations,
  moduleId: number,
  { start, end }: Period,
  now: number,
): Promise<MoistureSeriesBody> {
  const interval = end - start <= MAX_QUARTER_HOUR_DAYS * DAY_MS ? QUARTER_HOUR_S : HOUR_S;
  const around = {
    start: toIso(start - BEFORE_MS),
    end: toIso(Math.min(now + 1, end + RESPONSE_WINDOW_MS)),
  };
  return getMoistureSeries({ moduleId, ...around, interval, depths: true });
}

async function depthCurves(
  operations: ReviewOperations,
  series: MoistureSeriesBody,
  period: Period,
): Promise<DepthCurve[]> {
  const moduleId = series.module_id;
  const drawn = drawnFieldCapacity(await operations.getAgronomicState({ moduleId }));
  const depths = probeDepths(series, drawn).map((depth) => ({
    ...depth,
    fieldCapacity: depth.fieldCapacity ?? drawn,
  }));
  return withMinRise(operations, moduleId, depths, period);
}

function withRootDepth(curves: readonly DepthCurve[], rootDepthCm: number | null): DepthCurve[] {
  const depths = curves.map(({ depthCm }) => depthCm);
  const slices = slicesOf(depths, rootDepthCm);
  return curves.map((curve, index) => ({ ...curve, slice: itemAt(slices, index) }));
}

/**
 * Returns the waterings in order of time. Those shortly after one another are one group with one
 * response.
 */
function assessWaterings(
  waterings: readonly WateringBody[],
  now: number,
  curvesAt: (at: number) => { curves: readonly DepthCurve[]; rootDepthCm: number | null },
) {
  const done = waterings
    .filter(({ status }) => status === 'done')
    .map((watering) => ({ watering, run: runPeriod(watering) }));
  const groups = groupWaterings(done);

  return groups.flatMap((group, index) => {
    const span = wateringGroupPeriod(group);
    const { curves, rootDepthCm } = curvesAt(span.start);
    const nextAt = groups[index + 1]?.[0]?.run.start ?? null;
    const response = wateringResponse(curves, span, { now, rootDepthCm, nextAt });
    const first = firstOf(group).watering;
    return group.map((member) => ({
      ...member,
      first,
      span,
      isAlone: group.length === 1,
      response,
    }));
  });
}

type AssessedWatering = ReturnType<typeof assessWaterings>[number];

function toReviewedWateringBody(
  { watering, first, span, isAlone, response }: AssessedWatering,
  setup: IrrigationSetupBody,
): ReviewedWateringBody {
  const afterMin = (at: number | undefined): number | null =>
    at === undefined ? null : Math.round((at - span.start) / MINUTE_MS);

  return {
    eventId: watering.id,
    groupOf: isAlone ? null : first.id,
    startedAt: watering.startedAt,
    waterMm: watering.waterMm,
    waterMmWetted: watering.waterMmWetted,
    netMmWetted:
      watering.waterMmWetted === null
        ? null
        : roundAmount(watering.waterMmWetted * netShareOn(setup, Date.parse(watering.startedAt))),
    response: response.response,
    deepestCm: response.deepestCm,
    // The rise of a group is reported once, so that a sum does not count it for each watering.
    riseMm: watering.id === first.id ? roundAmountOrNull(response.riseMm) : null,
    depths: response.depths.map((depth) => {
      const rise = depthRisePoints(depth);
      return {
        depth: depth.depthCm,
        riseVwc: rise === null ? null : roundTo(rise, RISE_DECIMALS),
        startsAfterMin: afterMin(depth.event?.startAt),
        peaksAfterMin: afterMin(depth.event?.peakAt),
      };
    }),
  };
}

import { drawnFieldCapacity } from '../../domain/advice/probe/advise-probe.ts';
import {
  type ReviewedWatering,
  wateringReview,
} from '../../domain/advice/review/watering-review.ts';
import {
  type OtherProbe,
  otherProbe,
  probesToCompare,
  type WettingEventSource,
  wettingEventSource,
} from '../../domain/advice/review/wetting-event-sources.ts';
import type { UnloggedWettingEvent } from '../../domain/advice/unlogged-wetting-events.ts';
import { depthRisePoints, RESPONSE_WINDOW_MS } from '../../domain/advice/watering-response.ts';
import { withFractionsOfSpacing } from '../../domain/advice/wetted-fraction.ts';
import { roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import type { ModuleFacts } from '../../domain/facts/probe-facts.ts';
import { hasSoilMoisture } from '../../domain/facts/probe-series.ts';
import { firstOf } from '../../domain/items.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { rainByDay } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type {
  ReviewBody,
  ReviewedWateringBody,
  reviewQuery,
  UnloggedWettingEventBody,
} from '../../schema/advice/review.ts';
import { nullIfNotFound } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { requestedPeriod } from '../requested-period.ts';
import { toIso } from '../wire-format.ts';
import { loadFrozenSoil } from './frozen-soil.ts';
import { measuredCurves } from './measured-curves.ts';
import { adviseOfRainTotals } from './weather.ts';

type ReviewSource = Pick<
  FactSource,
  | 'module'
  | 'modules'
  | 'series'
  | 'readings'
  | 'thermometers'
  | 'state'
  | 'setup'
  | 'waterings'
  | 'rain'
  | 'weather'
>;

const DEFAULT_DAYS = 14;
const MAX_DAYS = 92;
/** How much of the curve before the period is read, to compare a response with. */
const BEFORE_MS = 3 * DAY_MS;
/** Longer periods are read in hours, not in quarters of an hour. */
const MAX_QUARTER_HOUR_DAYS = 31;

const QUARTER_HOUR_MS = 15 * MINUTE_MS;

const RISE_DECIMALS = 1;

export async function reviewWaterings(
  call: ComposedCall,
  facts: ReviewSource,
  moduleId: number,
  { start, end = call.now, limit }: FieldsOf<typeof reviewQuery>,
): Promise<ReviewBody> {
  const period = requestedPeriod({ start, end: Math.min(end, call.now) }, call.now, {
    defaultMs: DEFAULT_DAYS * DAY_MS,
    longest: { ms: MAX_DAYS * DAY_MS, text: `${MAX_DAYS} days` },
    errorCode: 'invalid_date',
  });

  const inputs = await loadReviewFacts(call, facts, moduleId, period);
  const { module, setup, rain } = inputs;
  await adviseOfRainTotals(
    call,
    { records: rain.records, from: period.start, to: period.end },
    { parcelId: module.parcelId, lastDays: null },
  );

  const { waterings, unlogged } = wateringReview(inputs, period, call.now);
  const events = unlogged.slice(0, limit);
  const context = {
    waterings: inputs.waterings,
    rain: rainByDay(rain.records, module.parcelId),
    setup,
    others: await otherProbes(facts, module, events, call.now),
  };

  return {
    moduleId,
    start: toIso(period.start),
    end: toIso(period.end),
    waterings: waterings.slice(0, limit).map(toReviewedWateringBody),
    unlogged: events.map((event) =>
      toUnloggedWettingEventBody(event, wettingEventSource(event, context)),
    ),
    leftOut: {
      waterings: Math.max(0, waterings.length - limit),
      unlogged: unlogged.length - events.length,
    },
  };
}

async function loadReviewFacts(
  call: ComposedCall,
  facts: ReviewSource,
  moduleId: number,
  { start, end }: Period,
) {
  const module = await facts.module(moduleId);
  const isShort = end - start <= MAX_QUARTER_HOUR_DAYS * DAY_MS;
  const series = await facts.series(
    moduleId,
    { start: start - BEFORE_MS, end: Math.min(call.now + 1, end + RESPONSE_WINDOW_MS) },
    isShort ? QUARTER_HOUR_MS : HOUR_MS,
  );
  const measuresSoilMoisture = hasSoilMoisture(series, module);
  if (!measuresSoilMoisture) call.advise({ kind: 'no_moisture_for_review' });

  // A watering before the period can explain rises in it, and one after it ends the response to the
  // last.
  const around = {
    from: start - RESPONSE_WINDOW_MS,
    to: Math.min(call.now + 1, end + RESPONSE_WINDOW_MS),
  };
  const curvesOf = async () =>
    measuredCurves(
      facts,
      moduleId,
      series,
      { start, end },
      {
        drawnCapacity: drawnFieldCapacity(await facts.state(moduleId)),
        frozenAt: await loadFrozenSoil(call, facts, moduleId, {
          start: start - BEFORE_MS,
          end: around.to,
        }),
      },
    );

  return {
    module,
    curves: measuresSoilMoisture ? await curvesOf() : [],
    rootDepthCm: series.rootDepthCm,
    waterings: await facts.waterings({ targets: [{ moduleId }], ...around }),
    setup: withFractionsOfSpacing(await facts.setup(moduleId), series.depths),
    rain: await facts.rain({ from: around.from - DAY_MS, to: around.to }),
  };
}

/** The probes of other parcels around these wetting events; without any, none are read. */
async function otherProbes(
  facts: ReviewSource,
  module: ModuleFacts,
  events: readonly UnloggedWettingEvent[],
  now: number,
): Promise<OtherProbe[]> {
  if (events.length === 0) return [];

  const starts = events.map(({ start }) => start);
  const period = {
    start: Math.min(...starts) - 3 * DAY_MS,
    end: Math.min(Math.max(...starts) + DAY_MS, now),
  };
  const others: OtherProbe[] = [];
  for (const { id } of probesToCompare(module, await facts.modules())) {
    const other = await loadOtherProbe(facts, id, period);
    if (other !== null) others.push(other);
  }
  return others;
}

async function loadOtherProbe(
  facts: ReviewSource,
  moduleId: number,
  period: Period,
): Promise<OtherProbe | null> {
  const series = await nullIfNotFound(() => facts.series(moduleId, period, HOUR_MS));
  const uppermost = series?.depths[0];
  if (series?.type !== 'humidity' || uppermost === undefined) return null;
  if (uppermost.points.length === 0) return null;

  const curves = await measuredCurves(facts, moduleId, { ...series, depths: [uppermost] }, period);
  return otherProbe(firstOf(curves));
}

function toReviewedWateringBody({
  watering,
  netMmWetted,
  response,
  group,
}: ReviewedWatering): ReviewedWateringBody {
  const afterMin = (at: number | undefined): number | null =>
    at === undefined ? null : Math.round((at - group.startedAt) / MINUTE_MS);

  return {
    eventId: watering.id,
    groupOf: group.size === 1 ? null : group.firstId,
    startedAt: toIso(watering.startedAt),
    waterMm: roundAmountOrNull(watering.waterMm),
    waterMmWetted: roundAmountOrNull(watering.waterMmWetted),
    netMmWetted: roundAmountOrNull(netMmWetted),
    response: response.response,
    deepestCm: response.deepestCm,
    // The rise of a group is reported once, so that a sum does not count it for each watering.
    riseMm: watering.id === group.firstId ? roundAmountOrNull(response.riseMm) : null,
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

const toUnloggedWettingEventBody = (
  { start, end, depthsCm, riseMm }: UnloggedWettingEvent,
  { waterMm, likely, roseElsewhere, plannedId, rainMm }: WettingEventSource,
): UnloggedWettingEventBody => ({
  start: toIso(start),
  end: toIso(end),
  depths: [...depthsCm],
  riseMm: roundAmountOrNull(riseMm),
  waterMm: roundAmountOrNull(waterMm),
  likely,
  roseElsewhere,
  plannedEventId: plannedId,
  rainMm: roundAmountOrNull(rainMm),
});

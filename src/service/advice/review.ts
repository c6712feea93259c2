import { tensionCurves } from '../../domain/advice/depth-curves.ts';
import { depthFallKpa } from '../../domain/advice/response/tension-response.ts';
import {
  type CreditedWatering,
  creditedWatering,
} from '../../domain/advice/review/credited-watering.ts';
import { doubtedWaterings, isOnDayOf, isOneOf } from '../../domain/advice/review/log-story.ts';
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
import {
  type DepthResponse,
  depthRisePoints,
  RESPONSE_WINDOW_MS,
} from '../../domain/advice/watering-response.ts';
import { withFractionsOfSpacing } from '../../domain/advice/wetted-fraction.ts';
import {
  ownWitnesses,
  type UnseenReason,
  type Witness,
} from '../../domain/advice/witness/witness.ts';
import { roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import type { ModuleFacts, ProbeSeries } from '../../domain/facts/probe-facts.ts';
import { hasSoilMoisture } from '../../domain/facts/probe-series.ts';
import { drawnFieldCapacity } from '../../domain/facts/probe-state.ts';
import { isOnProbe } from '../../domain/facts/watering-facts.ts';
import { entryOf, firstOf } from '../../domain/items.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Period } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import { rainByDay, rainContributions } from '../../domain/weather/rain.ts';
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
import { toIso } from '../../schema/wire-format.ts';
import { toWitnessBody } from '../irrigation/waterings.ts';
import { requestedPeriod } from '../requested-period.ts';
import { loadFrozenSoil } from './frozen-periods.ts';
import { measuredCurves } from './measured-curves.ts';
import { responseNow, toDoubtedBody } from './reviewed-response.ts';
import { loadShownWaterings } from './shown-waterings.ts';
import { adviseOfRainTotals } from './weather-advice.ts';
import { loadWitnesses } from './witnesses.ts';

type ReviewSource = Pick<
  FactSource,
  | 'module'
  | 'modules'
  | 'probes'
  | 'series'
  | 'readings'
  | 'thermometers'
  | 'state'
  | 'setup'
  | 'waterings'
  | 'parcelWaterings'
  | 'waterHours'
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
    longest: { ms: MAX_DAYS * DAY_MS, text: say`${MAX_DAYS} days` },
    errorCode: 'invalid_date',
  });

  const inputs = await loadReviewFacts(call, facts, moduleId, period);
  const { module, setup, rain } = inputs;
  await adviseOfRainTotals(
    call,
    { records: rain.records, from: period.start, to: period.end },
    { parcelId: module.parcelId, lastDays: null },
  );

  const response = await responseNow(call, facts, moduleId);
  const { exchangedDepths } = response;
  if (exchangedDepths !== undefined) call.advise({ kind: 'depths_exchanged', ...exchangedDepths });
  const { waterings, unlogged } = wateringReview(
    { ...inputs, areDepthsExchanged: exchangedDepths !== undefined },
    period,
    call.now,
  );
  // The other probes are read only around the events that are shown.
  const events = unlogged.slice(0, limit);
  const reviewed = waterings.map(({ watering }) => watering);
  const witnesses = new Map([
    ...(await loadWitnesses(facts, reviewed.filter(isOnProbe), call.now)),
    ...ownWitnesses(
      reviewed.filter((watering) => !isOnProbe(watering)),
      { evidence: null, rain: [], now: call.now },
    ),
  ]);
  const recordedRain = rainContributions(rainByDay(rain.records, module.parcelId));
  const attribution = { unseen: unseenOnProbe(waterings, witnesses, moduleId), rain: recordedRain };
  const credited = waterings.map((watering) => creditedWatering(watering, attribution));
  adviseOfRainAround(call, credited);
  // Newest first, so that the oldest that shows the rise of its group has it.
  const groupRiseIds = new Map(
    credited.flatMap(({ watering, response, group }) =>
      response.riseMm === null ? [] : [[group.firstId, watering.id] as const],
    ),
  );
  const doubted = doubtedWaterings(response);
  const isDoubted = waterings.some(({ watering: { startedAt } }) =>
    isOnDayOf(doubted.startedAt, startedAt, call.zone),
  );
  const context = {
    waterings: inputs.waterings,
    rain: recordedRain,
    setup,
    others: await otherProbes(facts, module, events, call.now),
  };

  return {
    moduleId,
    start: toIso(period.start),
    end: toIso(period.end),
    waterings: credited.slice(0, limit).map((watering) => ({
      ...toReviewedWateringBody(watering, {
        isTension: inputs.isTension,
        hasGroupRise: watering.watering.id === groupRiseIds.get(watering.group.firstId),
      }),
      ...toWitnessBody(entryOf(witnesses, watering.watering.id)),
    })),
    unlogged: events.map((event) => ({
      ...toUnloggedWettingEventBody(event, wettingEventSource(event, context)),
      isMistimed: (isDoubted && isOneOf(doubted.roseAt, event.start)) || undefined,
    })),
    ...(isDoubted ? toDoubtedBody(response) : {}),
    leftOut: {
      waterings: Math.max(0, waterings.length - limit),
      unlogged: unlogged.length - events.length,
    },
  };
}

function adviseOfRainAround(call: ComposedCall, credited: readonly CreditedWatering[]): void {
  const rows = credited.flatMap(({ watering: { id: eventId, startedAt: at }, rainMm: mm }) =>
    mm === null ? [] : [{ eventId, at, mm }],
  );
  if (rows.length > 0) call.advise({ kind: 'rain_around_waterings', rows });
}

/** By id, of the waterings about which this probe was asked. */
function unseenOnProbe(
  waterings: readonly ReviewedWatering[],
  witnesses: ReadonlyMap<number, Witness>,
  moduleId: number,
): Map<number, UnseenReason | null> {
  const asked = waterings.filter(
    ({ watering }) => watering.moduleId === moduleId && !watering.isConfirmed,
  );
  return new Map(
    asked.flatMap(({ watering: { id } }) => {
      const { kind, reason } = entryOf(witnesses, id);
      return kind === 'unconfirmed' ? [] : [[id, reason] as const];
    }),
  );
}

async function loadReviewFacts(
  call: ComposedCall,
  facts: ReviewSource,
  moduleId: number,
  { start, end }: Period,
) {
  const module = await facts.module(moduleId);
  const isShort = end - start <= MAX_QUARTER_HOUR_DAYS * DAY_MS;
  const intervalMs = isShort ? QUARTER_HOUR_MS : HOUR_MS;
  const series = await facts.series(
    moduleId,
    { start: start - BEFORE_MS, end: Math.min(call.now + 1, end + RESPONSE_WINDOW_MS) },
    intervalMs,
  );
  const measures = measuredWater(series, module);
  if (measures === null) call.advise({ kind: 'no_moisture_for_review' });
  if (measures === 'tension') call.advise({ kind: 'review_by_tension' });

  // A watering before the period can explain rises in it, and one after it ends the response to the
  // last.
  const around = {
    from: start - RESPONSE_WINDOW_MS,
    to: Math.min(call.now + 1, end + RESPONSE_WINDOW_MS),
  };
  const hoursBefore = new Set<number>();
  const noteHours = (before: number) => hoursBefore.add(before);
  if (series.hoursBefore !== undefined) noteHours(series.hoursBefore);
  const curvesOf = async () => {
    const frozenAt = await loadFrozenSoil(call, facts, moduleId, {
      start: start - BEFORE_MS,
      end: around.to,
    });
    const spanMs = series.hoursBefore === undefined ? intervalMs : HOUR_MS;
    if (measures === 'tension') return tensionCurves(series.depths, { frozenAt, spanMs });
    const drawnCapacity = drawnFieldCapacity(await facts.state(moduleId));
    const curveFacts = { drawnCapacity, frozenAt, spanMs };
    return measuredCurves(facts, moduleId, series, { start, end }, curveFacts, noteHours);
  };

  const setup = await facts.setup(moduleId);
  const curves = measures === null ? [] : await curvesOf();
  for (const before of hoursBefore) call.advise({ kind: 'hours_in_place_of_readings', before });
  return {
    module,
    isTension: measures === 'tension',
    curves,
    rootDepthCm: series.rootDepthCm,
    waterings: await loadShownWaterings(
      facts,
      module,
      { setup, isTension: measures === 'tension' },
      around,
    ),
    beforeProbe:
      module.parcelId === null ? [] : await facts.parcelWaterings(module.parcelId, around),
    setup: withFractionsOfSpacing(setup, series.depths),
    rain: await facts.rain({ from: around.from - DAY_MS, to: around.to }),
  };
}

/** The quantity by which the depths of the probe show water; null if none does. */
function measuredWater(series: ProbeSeries, module: ModuleFacts): 'moisture' | 'tension' | null {
  if (hasSoilMoisture(series, module)) return 'moisture';
  return series.type === 'tensio' && module.category === 'TENSIOMETER' ? 'tension' : null;
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

function toReviewedWateringBody(
  { watering, wettedMm, netMmWetted, response, group }: CreditedWatering,
  { isTension, hasGroupRise }: { readonly isTension: boolean; readonly hasGroupRise: boolean },
): ReviewedWateringBody {
  // The mean in which the soil rose may stand before a start that lies in it.
  const afterMin = (at: number | undefined): number | null =>
    at === undefined ? null : Math.max(0, Math.round((at - group.startedAt) / MINUTE_MS));

  return {
    eventId: watering.id,
    groupOf: group.size === 1 ? null : group.firstId,
    startedAt: toIso(watering.startedAt),
    waterMm: roundAmountOrNull(watering.waterMm),
    waterMmWetted: roundAmountOrNull(wettedMm),
    netMmWetted: roundAmountOrNull(netMmWetted),
    response: response.response,
    deepestCm: response.deepestCm,
    // The rise of a group is reported once, so that a sum does not count it for each watering.
    riseMm: hasGroupRise ? roundAmountOrNull(response.riseMm) : null,
    deeperFirst: response.isDeeperFirst || undefined,
    depths: response.depths.map((depth) => {
      return {
        depth: depth.depthCm,
        ...changeOf(depth, isTension),
        startsAfterMin: afterMin(depth.event?.startAt),
        peaksAfterMin: afterMin(depth.event?.peakAt),
      };
    }),
  };
}

function changeOf(
  depth: DepthResponse,
  isTension: boolean,
): Pick<ReviewedWateringBody['depths'][number], 'riseVwc' | 'fallTensio'> {
  if (isTension) return { riseVwc: null, fallTensio: roundedOrNull(depthFallKpa(depth)) };
  return { riseVwc: roundedOrNull(depthRisePoints(depth)) };
}

const roundedOrNull = (value: number | null): number | null =>
  value === null ? null : roundTo(value, RISE_DECIMALS);

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

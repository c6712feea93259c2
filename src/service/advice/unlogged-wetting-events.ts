import { rainDuringWettingEvent } from '../../domain/advice/rain-effect.ts';
import type { UnloggedWettingEvent } from '../../domain/advice/unlogged-wetting-events.ts';
import { roundAmount, roundAmountOrNull } from '../../domain/decimal.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { wettingEventsIn } from '../../domain/moisture/wetting-events.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { DayOfRain } from '../../domain/weather/rain.ts';
import type { UnloggedWettingEventBody } from '../../schema/advice/review.ts';
import type { ModuleBody } from '../../schema/company/company.ts';
import type { IrrigationSetupBody } from '../../schema/irrigation/installation.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import { toIso } from '../wire-format.ts';
import { netShareOn } from './advice-inputs.ts';
import { nullIfNotFound, type PartReads } from './operation-reads.ts';
import { probeDepths, withMinRise } from './probe-depths.ts';

type WettingEventOperations = Pick<PartReads, 'getMoistureSeries' | 'listModules'>;

/** How many probes of other parcels are compared: a few are enough for a hint. */
const MAX_OTHER_PROBES = 4;
/** Rain is ruled out if none of the compared probes rose, and at least this many have readings. */
const MIN_DRY_PROBES = 2;

/** Rain reaches all probes of a farm within this time, and so does a round of its pumps. */
const SPREAD_MS = 6 * HOUR_MS;
const HOUR_S = 3600;

interface OtherProbe {
  readonly readAt: readonly number[];
  readonly roseAt: readonly number[];
}

type WettingEventSource = Pick<UnloggedWettingEventBody, 'likely' | 'roseElsewhere'>;

/**
 * Compares each rise with other probes: a rise on all parcels may be rain, or a day on which all
 * are watered.
 */
async function wettingEventSources(
  now: number,
  operations: WettingEventOperations,
  module: ModuleBody,
  wettingEvents: readonly UnloggedWettingEvent[],
): Promise<WettingEventSource[]> {
  const from = Math.min(...wettingEvents.map(({ start }) => start)) - 3 * DAY_MS;
  const to = Math.max(...wettingEvents.map(({ start }) => start)) + DAY_MS;
  const others: OtherProbe[] = [];
  for (const id of await otherProbeIds(operations, module)) {
    const other = await loadOtherProbe(operations, id, from, Math.min(to, now));
    if (other !== null) others.push(other);
  }
  return wettingEvents.map(({ start }) => wettingEventSourceAt(start, others));
}

const isNear = (at: number, start: number): boolean => Math.abs(at - start) <= SPREAD_MS;

function wettingEventSourceAt(start: number, others: readonly OtherProbe[]): WettingEventSource {
  const withReadings = others.filter(({ readAt }) => readAt.some((at) => isNear(at, start)));
  const risen = withReadings.filter(({ roseAt }) => roseAt.some((at) => isNear(at, start))).length;
  return {
    likely: risen === 0 && withReadings.length >= MIN_DRY_PROBES ? 'watering' : 'unknown',
    roseElsewhere: withReadings.length === 0 ? null : risen > withReadings.length / 2,
  };
}

async function otherProbeIds(
  { listModules }: WettingEventOperations,
  { id, parcelId }: ModuleBody,
): Promise<number[]> {
  const { data } = await listModules({ category: 'SOIL_PROBE', limit: 200, detail: 'concise' });
  return data
    .filter((other) => other.id !== id && (other.parcelId === null || other.parcelId !== parcelId))
    .slice(0, MAX_OTHER_PROBES)
    .map((other) => other.id);
}

async function loadOtherProbe(
  operations: WettingEventOperations,
  moduleId: number,
  from: number,
  to: number,
): Promise<OtherProbe | null> {
  const args = { moduleId, start: toIso(from), end: toIso(to), interval: HOUR_S, depths: true };
  const series = await nullIfNotFound(() => operations.getMoistureSeries(args));
  const uppermost = series?.type === 'humidity' ? probeDepths(series)[0] : undefined;
  if (uppermost === undefined || uppermost.points.length === 0) return null;

  const curves = await withMinRise(operations, moduleId, [uppermost], { start: from, end: to });
  const { points, minRise } = firstOf(curves);
  return {
    readAt: points.map(({ at }) => at),
    roseAt: wettingEventsIn(points, minRise).map(({ startAt }) => startAt),
  };
}

/**
 * An unconfirmed watering explains a rise that begins up to 12 hours after it or, as clocks differ,
 * up to an hour before.
 */
const MAX_RISE_AFTER_MS = 12 * HOUR_MS;
const MAX_RISE_BEFORE_MS = HOUR_MS;

interface WettingEventContext {
  readonly module: ModuleBody;
  /** Those of the probe, around the wetting events. */
  readonly waterings: readonly WateringBody[];
  readonly rain: readonly DayOfRain[];
  readonly setup: IrrigationSetupBody;
}

export async function toUnloggedWettingEventBodies(
  now: number,
  operations: WettingEventOperations,
  wettingEvents: readonly UnloggedWettingEvent[],
  { module, waterings, rain, setup }: WettingEventContext,
): Promise<UnloggedWettingEventBody[]> {
  if (wettingEvents.length === 0) return [];

  const sources = await wettingEventSources(now, operations, module, wettingEvents);
  return wettingEvents.map(({ start, end, depthsCm, riseMm }, index) => {
    const plannedEventId = unconfirmedWateringBefore(waterings, start);
    const { likely, roseElsewhere } = itemAt(sources, index);
    const eventRain = rainDuringWettingEvent({ start, riseMm }, rain);
    const isRain = eventRain?.isEnough === true;
    const fraction = wettedFractionAt(setup, start);

    return {
      start: toIso(start),
      end: toIso(end),
      depths: [...depthsCm],
      riseMm: roundAmountOrNull(riseMm),
      waterMm:
        riseMm === null || fraction === null
          ? null
          : roundAmountOrNull((riseMm * fraction) / netShareOn(setup, start)),
      likely: likelySource(likely, { isRain, isPlanned: plannedEventId !== null }),
      roseElsewhere,
      plannedEventId,
      rainMm: eventRain === null ? null : roundAmount(eventRain.mm),
    };
  });
}

function likelySource(
  byOtherProbes: UnloggedWettingEventBody['likely'],
  { isRain, isPlanned }: { isRain: boolean; isPlanned: boolean },
): UnloggedWettingEventBody['likely'] {
  if (isRain && isPlanned) return 'unknown';
  if (isRain) return 'rain';
  return isPlanned ? 'watering' : byOtherProbes;
}

function wettedFractionAt({ versions }: IrrigationSetupBody, at: number): number | null {
  const inForce = versions.filter(
    ({ validFrom, validTo }) =>
      Date.parse(validFrom) <= at && (validTo === null || at < Date.parse(validTo)),
  );
  const effective = inForce.find(({ scope }) => scope === 'module') ?? inForce[0];
  return effective?.fractionWetted ?? null;
}

const unconfirmedWateringBefore = (
  waterings: readonly WateringBody[],
  start: number,
): number | null =>
  waterings.findLast(({ status, startedAt }) => {
    const riseAfterMs = start - Date.parse(startedAt);
    return (
      status === 'planned' && riseAfterMs >= -MAX_RISE_BEFORE_MS && riseAfterMs <= MAX_RISE_AFTER_MS
    );
  })?.id ?? null;
